"""A skip for want of a service is printed with its reason, and is a failure where services are promised."""

import os
import subprocess
import sys

import pytest

from tests.serving import ROOT


def outcome_without_programs(test: str, **promised: str) -> tuple[int, str]:
    """Run a test that needs a program where no program is on the PATH."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMORYADMIN_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", test],
        cwd=ROOT,
        text=True,
        capture_output=True,
        env=kept | {"PATH": "/nonexistent"} | promised,
        timeout=120,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("tests/test_browsing.py", "needs a service: chromium is not installed"),
        ("tests/domain/test_merging.py::TestAgainstGit", "git is not installed"),
    ],
)
def test_a_missing_program_is_told_and_fails_the_build(test, reason):
    code, printed = outcome_without_programs(test)
    assert code == 0 and "SKIPPED" in printed and reason in printed
    code, printed = outcome_without_programs(test, MEMORYADMIN_REQUIRE_SERVICES="1")
    assert code == 1 and f"skipped ({reason}) although MEMORYADMIN_REQUIRE_SERVICES=1" in printed
