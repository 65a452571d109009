"""Public functions of domain, services and storage say what they do and every error that they raise."""

import ast
import builtins
import re
from functools import cache

import pytest

from tests.conventions.sources import expect_kept, functions, imported_modules, parsed, public_functions, read, under

DOCUMENTED = ("memoryadmin/domain/", "memoryadmin/services/", "memoryadmin/storage/")
# "This function will …": the first word is a verb, so neither an article nor a name.
_NO_VERB = re.compile(r"(?:An?|The|This|It|Its|Returns|Gets|Function|Method|Helper)\b")
_SEE = re.compile(r"See `(\w+\.\w+)`")
_RAISES = re.compile(r":raises ([\w.]+):[ \n]")


def undocumented(path: str, text: str) -> list[str]:
    tree = parsed(text)
    found = [] if ast.get_docstring(tree) or not tree.body else [f"{path}:1 the module has no docstring"]
    for name, node in public_functions(tree):
        documentation = ast.get_docstring(node)
        if not documentation:
            found.append(f"{path}:{node.lineno} {name} has no docstring")
        elif not _is_property(node) and _NO_VERB.match(documentation):
            found.append(f"{path}:{node.lineno} {name}: the docstring does not complete 'This function will …'")
    return found


def _is_property(node: ast.AST) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in getattr(node, "decorator_list", ()))


def unlisted_errors(path: str, text: str) -> list[str]:
    """Find errors raised in a public function's own body that its docstring does not list under `:raises`."""
    tree = parsed(text)
    returned = {node.name: ast.unparse(node.returns) for node in functions(tree) if node.returns}
    found = []
    for name, node in public_functions(tree):
        listed = {raised.rsplit(".", 1)[-1] for raised in _RAISES.findall(_promises(ast.get_docstring(node) or ""))}
        for line, error in _raised(node, returned):
            if error not in listed:
                found.append(f"{path}:{line} {name} raises {error} and does not list it")
    return found


def _promises(documentation: str) -> str:
    """Return a docstring and, for a method that says "See `Port.method`", that of the port."""
    return documentation + "".join(_ports().get(name, "") for name in _SEE.findall(documentation))


@cache
def _ports() -> dict[str, str]:
    trees = [parsed(read(path)) for path in under(DOCUMENTED, ".py")]
    return {name: ast.get_docstring(node) or "" for tree in trees for name, node in public_functions(tree)}


def _raised(node: ast.AST, returned: dict[str, str]) -> list[tuple[int, str]]:
    found = []
    for part in ast.walk(node):
        if isinstance(part, ast.Raise) and part.exc is not None:
            what = part.exc.func if isinstance(part.exc, ast.Call) else part.exc
            name = ast.unparse(what).rsplit(".", 1)[-1]
            # `raise moved(…)`: the error is what that function returns.
            error = returned.get(name, name).rsplit(".", 1)[-1]
            if error.endswith("Error") and not error.startswith("_"):
                found.append((part.lineno, error))
    return found


def stale_errors(path: str, text: str) -> list[str]:
    """Find `:raises` of a name that neither the project nor Python defines, and the module never uses."""
    tree = parsed(text)
    known = defined_errors() | set(dir(builtins)) | {name.rsplit(".", 1)[-1] for _, name in imported_modules(tree)}
    known |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    found = []
    for node in functions(tree):
        for error in _RAISES.findall(ast.get_docstring(node) or ""):
            if error.rsplit(".", 1)[-1] not in known:
                found.append(f"{path}:{node.lineno} lists {error}, which does not exist")
    return found


@cache
def defined_errors() -> set[str]:
    classes = re.compile(r"^class (\w+Error)\b", re.MULTILINE)
    return {name for path in under("memoryadmin/", ".py") for name in classes.findall(read(path))}


def test_public_functions_say_what_they_do() -> None:
    expect_kept(undocumented, under(DOCUMENTED, ".py"))


def test_public_functions_list_the_errors_that_they_raise() -> None:
    expect_kept(unlisted_errors, under(DOCUMENTED, ".py"))


def test_no_docstring_lists_an_error_that_does_not_exist() -> None:
    expect_kept(stale_errors, under(DOCUMENTED, ".py"))


@pytest.mark.parametrize(
    "text",
    [
        "def act():\n    pass\n",
        '"""Module."""\n\ndef act():\n    pass\n',
        '"""Module."""\n\nclass Thing:\n    def act(self):\n        pass\n',
        '"""Module."""\n\ndef act():\n    """The act of acting."""\n',
    ],
)
def test_a_planted_silent_function_is_found(text: str) -> None:
    assert undocumented("memoryadmin/domain/planted.py", text) != []


RAISING = '''
def gone() -> NotVisibleError:
    """Return the error."""

def act(*, actor):
    """Do it.{listed}
    """
    if actor:
        raise {raised}
'''


@pytest.mark.parametrize(
    "raised", ["NotVisibleError", "errors.NotVisibleError('no')", "gone()", "NotVisibleError from None"]
)
def test_a_planted_unlisted_error_is_found(raised: str) -> None:
    assert len(unlisted_errors("planted.py", RAISING.format(listed="", raised=raised))) == 1
    listed = "\n\n    :raises NotVisibleError: there is none."
    assert unlisted_errors("planted.py", RAISING.format(listed=listed, raised=raised)) == []


def test_a_planted_stale_error_is_found() -> None:
    text = 'def act():\n    """Do it.\n\n    :raises ForgottenError: never.\n    """\n'
    assert stale_errors("planted.py", text) == ["planted.py:1 lists ForgottenError, which does not exist"]
