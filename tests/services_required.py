"""Where services are promised, a skipped test is a failed one.

With MEMORYADMIN_REQUIRE_SERVICES=1, as in the build, a test that skips because it found no Chromium and the
like fails instead, so that a missing install step cannot pass for success. What a machine may lack all the
same is told by the beginning of the reason. tests/conftest.py imports the hooks.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest

# "not here:" is for what a test needs of the machine itself, such as another interpreter.
MAY_BE_ABSENT = ("not here:", "the shared corpus is not beside")


def _refuse_skip(report: Any) -> None:
    is_skip = report.skipped and not hasattr(report, "wasxfail")
    if not is_skip or os.environ.get("MEMORYADMIN_REQUIRE_SERVICES") != "1":
        return
    path, line, reason = report.longrepr if isinstance(report.longrepr, tuple) else ("", 0, str(report.longrepr))
    reason = reason.removeprefix("Skipped: ")
    if not reason.startswith(MAY_BE_ABSENT):
        report.outcome = "failed"
        report.longrepr = f"{path}:{line}: skipped ({reason}) although MEMORYADMIN_REQUIRE_SERVICES=1"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    outcome: Any = yield
    _refuse_skip(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    outcome: Any = yield
    _refuse_skip(outcome.get_result())
