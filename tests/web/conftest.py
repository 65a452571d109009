"""The cast at their browsers, and what costs too much to look at twice."""

from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.web.visiting import Visitor


@pytest.fixture
def alice(cast) -> Visitor:
    """The owner of project `harbour`."""
    return Visitor(cast.alice)


@pytest.fixture
def bob(cast) -> Visitor:
    """A member of `harbour`: reads its agents' memory, edits the project's."""
    return Visitor(cast.bob)


@pytest.fixture
def carol(cast) -> Visitor:
    """A stranger to `harbour`."""
    return Visitor(cast.carol)


@pytest.fixture
def dana(cast) -> Visitor:
    """The admin."""
    return Visitor(cast.dana)


@pytest.fixture
def erik(cast) -> Visitor:
    """The auditor."""
    return Visitor(cast.erik)


@pytest.fixture
def queries():
    """Return a context that counts the queries of whatever is opened inside it."""

    @contextmanager
    def counted():
        with CaptureQueriesContext(connection) as captured:
            yield captured

    return counted
