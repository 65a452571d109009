"""Hard size budgets, measured in lines; a function's docstring does not count, its signature does.

The aims behind these limits are in CONTRIBUTING.md. Complexity is counted by ruff, so here only that it does.
"""

import subprocess
import sys

import pytest

from tests.conventions.sources import ROOT, code_lines, expect_kept, functions, parsed, read, under

# rule: which files, how many lines at most
LIMITS = {
    "module": (
        lambda path: path.endswith(".py") and path.startswith(("memoryadmin/", "benchmarks/", "manage.py")),
        400,
    ),
    "test": (lambda path: path.endswith(".py") and path.startswith("tests/"), 400),
    "page": (lambda path: path.endswith(".html") and "/_" not in path, 120),
    "partial": (lambda path: path.endswith(".html") and "/_" in path, 40),
    "stylesheet": (lambda path: path.endswith(".css"), 300),
    "script": (lambda path: path.endswith(".js"), 150),
}
FUNCTION = 40
VIEW = 25
# Written by Django, not by hand.
GENERATED = "memoryadmin/migrations/"


def too_long(path: str, text: str) -> list[str]:
    lines = text.count("\n")
    over = ((name, most) for name, (covers, most) in LIMITS.items() if covers(path) and lines > most)
    return [f"{path}:{lines} lines; a {name} has at most {most}" for name, most in over]


def long_functions(path: str, text: str) -> list[str]:
    found = []
    for node in functions(parsed(text)):
        is_view = "/views/" in path and [arg.arg for arg in node.args.args[:1]] == ["request"]
        most = VIEW if is_view else FUNCTION
        if code_lines(node) > most:
            what = "view" if is_view else "function"
            found.append(f"{path}:{node.lineno} {node.name} has {code_lines(node)} lines; a {what} has at most {most}")
    return found


def hand_written(*suffixes: str) -> list[str]:
    paths = under(("memoryadmin/", "templates/", "static/", "tests/", "benchmarks/", "manage.py"), *suffixes)
    return [path for path in paths if not path.startswith(GENERATED)]


def test_no_file_is_over_its_limit() -> None:
    expect_kept(too_long, hand_written(".py", ".html", ".css", ".js"))


def test_no_function_and_no_view_is_over_its_limit() -> None:
    expect_kept(long_functions, hand_written(".py"))


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("memoryadmin/services/planted.py", 400),
        ("manage.py", 400),
        ("tests/web/test_planted.py", 400),
        ("templates/files/planted.html", 120),
        ("templates/files/_planted.html", 40),
        ("static/css/planted.css", 300),
        ("static/js/planted.js", 150),
    ],
)
def test_a_file_one_line_over_is_found(path: str, limit: int) -> None:
    assert too_long(path, "x\n" * limit) == []
    assert len(too_long(path, "x\n" * (limit + 1))) == 1


@pytest.mark.parametrize(
    ("path", "signature", "limit"),
    [
        ("memoryadmin/services/planted.py", "def act(*, actor):", FUNCTION),
        ("tests/planted.py", "async def act():", FUNCTION),
        ("memoryadmin/web/views/planted.py", "def page(request):", VIEW),
        ("memoryadmin/web/views/planted.py", "def shown(card):", FUNCTION),
    ],
)
def test_a_function_one_line_over_is_found(path: str, signature: str, limit: int) -> None:
    documented = f'{signature}\n    """Say what it does.\n\n    And why.\n    """\n'
    assert long_functions(path, documented + "    x = 1\n" * (limit - 1)) == []
    assert len(long_functions(path, documented + "    x = 1\n" * limit)) == 1


def test_ruff_counts_complexity_everywhere() -> None:
    branches = "".join(f"    if x == {n}:\n        y = {n}\n" for n in range(10))
    planted = f"def act(x):\n    y = 0\n{branches}    return y\n"
    for path in (
        "memoryadmin/services/planted.py",
        "memoryadmin/web/views/planted.py",
        "tests/web/test_planted.py",
    ):
        command = [
            sys.executable,
            "-m",
            "ruff",
            "check",
            "--no-cache",
            "--output-format=concise",
            "--stdin-filename",
            path,
            "-",
        ]
        ran = subprocess.run(command, cwd=ROOT, input=planted, capture_output=True, text=True)
        assert "C901" in ran.stdout


def test_nobody_turns_the_counting_off() -> None:
    silenced = [path for path in hand_written(".py") for line in read(path).split("\n") if "noqa: " + "C901" in line]
    assert silenced == []
