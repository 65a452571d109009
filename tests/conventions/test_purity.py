"""The domain is text in and value out: the standard library without clock, chance, input or output.

The import contracts name packages that the domain must not use; this names what it may.
"""

import ast
import sys

import pytest

from tests.conventions.sources import expect_kept, imported_modules, parsed, under

DOMAIN = "memoryadmin/domain/"
# Standard, and still no business of the domain: where it runs, when, and what comes of chance.
OUTSIDE = (
    "asyncio", "concurrent", "glob", "http", "io", "locale", "logging", "multiprocessing", "os", "pathlib", "platform",
    "queue", "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys",
    "tempfile", "threading", "time", "urllib.request", "uuid",
)  # fmt: skip
# package: the only part of the domain that may use it
PACKAGES = {"diff_match_patch": "memoryadmin/domain/diffs/", "memoryadmin": DOMAIN}
CALLS = frozenset({"open", "print", "input", "now", "utcnow", "today"})


def impurities(path: str, text: str) -> list[str]:
    tree = parsed(text)
    found = []
    for line, name in imported_modules(tree):
        package = name.split(".", 1)[0]
        is_outside = f"{name}.".startswith(tuple(f"{outside}." for outside in OUTSIDE))
        is_standard = package in sys.stdlib_module_names and not is_outside
        if not is_standard and not path.startswith(PACKAGES.get(package, "nowhere")):
            found.append(f"{path}:{line} imports {name}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] in CALLS:
            found.append(f"{path}:{node.lineno} calls {ast.unparse(node.func)}")
    return found


def test_the_domain_is_pure() -> None:
    expect_kept(impurities, under(DOMAIN, ".py"))


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from time import monotonic",
        "from urllib.request import urlopen",
        "import requests",
        "import diff_match_patch",
        "stamp = datetime.now(UTC)",
        "text = open(name)",
        "print(text)",
    ],
)
def test_a_planted_impurity_is_found(line: str) -> None:
    assert len(impurities("memoryadmin/domain/planted.py", f"from datetime import UTC, datetime\n{line}\n")) == 1


def test_the_one_package_is_allowed_in_its_one_place() -> None:
    assert impurities("memoryadmin/domain/diffs/planted.py", "import diff_match_patch\n") == []
