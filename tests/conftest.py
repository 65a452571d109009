"""Fixtures for everybody: the cast, a clean data folder, and a missing service that is never silent."""

from pathlib import Path

import hypothesis
import pytest

from tests.browsing import chromium
from tests.services_required import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401

# How fast a busy machine draws examples says nothing about the code under test.
hypothesis.settings.register_profile("steady", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("steady")

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


@pytest.fixture
def cast(db):
    from tests.cast import assemble

    return assemble()


@pytest.fixture(scope="session")
def browser():
    """The one Chromium of a worker: a second one beside it cannot be started in the same thread."""
    with chromium() as started:
        yield started


@pytest.fixture
def corpus() -> Path:
    """The folder of real memory files; absent in a user's clone."""
    folder = SHARED / "corpus"
    if not folder.is_dir():
        pytest.skip("the shared corpus is not beside this checkout")
    return folder
