"""Every test proves something: it asserts, expects an error, or calls a function that does."""

import ast
import re

import pytest

from tests.conventions.sources import Function, expect_kept, functions, parsed, read, under

_EXPECTING = ("raises", "warns", "fail", "deprecated_call")
_CHECKS = ("assert", "expect", "run_state_machine_as_test")


def proves_nothing(path: str, text: str) -> list[str]:
    nodes = functions(parsed(text))
    proving: set[str] = set()
    # Until nothing more is found: a function proves what the functions of its module prove that it calls.
    while more := {node.name for node in nodes if node.name not in proving and _proves(node, proving)}:
        proving |= more
    silent = [node for node in nodes if node.name.startswith("test_") and not _proves(node, proving)]
    return [f"{path}:{node.lineno} {node.name} asserts nothing" for node in silent]


def _proves(node: Function, proving: set[str]) -> bool:
    return any(_is_claim(part, proving) for part in ast.walk(node))


def _is_claim(node: ast.AST, proving: set[str]) -> bool:
    if isinstance(node, ast.Assert):
        # `assert True` claims nothing, nor does a pair in brackets, which is always true.
        return not isinstance(node.test, ast.Constant | ast.Tuple)
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rsplit(".", 1)[-1]
        return name in _EXPECTING or name in proving or name.startswith(_CHECKS)
    return False


def test_every_test_asserts_something() -> None:
    expect_kept(proves_nothing, under("tests/", ".py"))


@pytest.mark.parametrize("body", ["pass", "act()", "assert True", "assert (x, 'told')", "with open(x):\n        act()"])
def test_a_planted_test_that_proves_nothing_is_found(body: str) -> None:
    assert len(proves_nothing("tests/test_planted.py", f"class TestIt:\n  def test_it(self):\n    {body}\n")) == 1


@pytest.mark.parametrize(
    "body",
    [
        "assert x == 1",
        "with pytest.raises(ValueError):\n        act()",
        "expect(page).to_have_title('')",
        "assert_clean(x)",
    ],
)
def test_a_test_that_claims_something_is_not(body: str) -> None:
    assert proves_nothing("tests/test_planted.py", f"def test_it(x):\n    {body}\n") == []


def test_a_function_of_the_same_module_may_assert_for_it() -> None:
    text = "def test_it(x):\n    again(x)\n\ndef again(x):\n    holds(x)\n\ndef holds(x):\n    assert x\n"
    assert proves_nothing("tests/test_planted.py", text) == []
    assert len(proves_nothing("tests/test_planted.py", text.replace("assert x", "print(x)"))) == 1


def test_one_fixture_alone_starts_the_browser() -> None:
    """Two in one worker would meet on one event loop, and which tests meet depends on chance."""
    starting = [path for path in under("tests/", ".py") if re.search(r"with (chromium|sync_playwright)\(", read(path))]
    assert [path for path in starting if path != "tests/browsing.py"] == ["tests/conftest.py"]
