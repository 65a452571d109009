"""Acts have one shape: keywords only, the actor first, the time last; the first statement is about the actor.

An act is a public function of services that takes its actor by keyword; with `now` among its keywords it
changes something. That it makes exactly one record is proved where it is tested.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.conventions.sources import Function, expect_kept, parsed, public_functions, read, under

SERVICES = "memoryadmin/services/"
# Called by acts that have asked already, and by nothing else.
INNER = {("memoryadmin/services/audit.py", "record"), ("memoryadmin/services/files/ledger.py", "add_version")}


def acts(text: str) -> Iterator[tuple[str, Function]]:
    for name, node in public_functions(parsed(text)):
        if any(argument.arg == "actor" for argument in node.args.kwonlyargs):
            yield name, node


def misshapen_acts(path: str, text: str) -> list[str]:
    found = []
    for name, node in acts(text):
        if (path, name) in INNER:
            continue
        keywords = [argument.arg for argument in node.args.kwonlyargs]
        required = [k for k, default in zip(keywords, node.args.kw_defaults, strict=True) if default is None]
        if node.args.args or keywords[0] != "actor":
            found.append(f"{path}:{node.lineno} {name} does not take the actor first, and everything by keyword")
        if "now" in required and required[-1] != "now":
            found.append(f"{path}:{node.lineno} {name} does not take the time last")
        body = node.body[1:] if ast.get_docstring(node) else node.body
        if not any(_names_actor(statement) for statement in (body[:1] if "now" in keywords else body)):
            found.append(f"{path}:{node.lineno} {name} does something before it asks about the actor")
    return found


def _names_actor(statement: ast.stmt) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "actor" for part in ast.walk(statement))


def test_every_act_has_the_one_shape() -> None:
    expect_kept(misshapen_acts, under(SERVICES, ".py"))


def test_there_are_many_acts_so_that_the_test_above_means_something() -> None:
    assert sum(1 for path in under(SERVICES, ".py") for _ in acts(read(path))) > 30


@pytest.mark.parametrize(
    "text",
    [
        "def act(file_id, *, actor):\n    ask(actor)\n",
        "def act(*, file_id, actor):\n    ask(actor)\n",
        "def act(*, actor, now, text):\n    ask(actor)\n",
        "def act(*, actor, now):\n    load(now)\n    ask(actor)\n",
        "def show(*, actor, file_id):\n    return load(file_id)\n",
    ],
)
def test_a_planted_misshapen_act_is_found(text: str) -> None:
    assert len(misshapen_acts("memoryadmin/services/planted.py", text)) == 1


def test_an_act_of_the_right_shape_is_not() -> None:
    text = 'def act(*, actor, file_id, text, now, is_confirmed=False):\n    """Do it."""\n    ask(actor)\n'
    assert misshapen_acts("memoryadmin/services/planted.py", text) == []
