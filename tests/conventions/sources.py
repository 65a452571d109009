"""What the house rules read: the files of the checkout, and small questions about a parsed module.

A rule is a function from one file's path and text to its violations, each as "path:line what". So the same
function is asked about every file of the project and about a planted text that breaks the rule.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Folders that no commit holds; others that begin with a dot are tools' caches, except the build's own.
_NOT_COMMITTED = frozenset({"var", "staticfiles", "__pycache__", "build", "dist"})

Function = ast.FunctionDef | ast.AsyncFunctionDef
Rule = Callable[[str, str], list[str]]


def _below(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        is_hidden = path.name.startswith(".") and path.name != ".ci"
        if not path.is_dir():
            if path.suffix != ".pyc" and path.name != ".git":
                yield path
        elif not is_hidden and path.name not in _NOT_COMMITTED and path.suffix != ".egg-info":
            yield from _below(path)


@cache
def committed() -> tuple[str, ...]:
    """Return every file that a commit may hold, as paths from the root of the checkout."""
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in _below(ROOT)))


def under(folders: str | tuple[str, ...], *suffixes: str) -> list[str]:
    """Return the committed files below the folders whose names end in one of the suffixes."""
    return [path for path in committed() if path.startswith(folders) and path.endswith(suffixes)]


@cache
def read(path: str) -> str:
    """Return the text of a committed file; empty for one that is not text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def parsed(text: str) -> ast.Module:
    """Return the tree of a module; the same tree to every rule that asks, so none may change it."""
    return ast.parse(text)


def expect_kept(rule: Rule, paths: Iterable[str]) -> None:
    """Ask `rule` about the files, of which there must be one: no rule passes by finding nothing to read."""
    paths = list(paths)
    assert paths, "the rule was asked about no file at all"
    found = [violation for path in paths for violation in rule(path, read(path))]
    assert not found, "\n".join(["", *found])


def functions(tree: ast.AST) -> list[Function]:
    """Return every function and method, nested ones included."""
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def public_functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield the functions that others may call and the methods of such classes, each with its dotted name."""
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for part in node.body:
                if isinstance(part, Function) and not part.name.startswith("_"):
                    yield f"{node.name}.{part.name}", part


def code_lines(node: Function) -> int:
    """Return the length of a function in lines, without its decorators and its docstring."""
    first, end = node.body[0], node.end_lineno or node.lineno
    is_documented = ast.get_docstring(node, clean=False) is not None
    return end - node.lineno + 1 - ((first.end_lineno or first.lineno) - first.lineno + 1 if is_documented else 0)


def imported_modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and dotted name of every import, also inside functions; `from a import b` gives `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
