"""Errors are told apart by a stable code, so each class has one of its own."""

import importlib
import re

from memoryadmin.domain.errors import MemoryAdminError
from tests.conventions.sources import under

RAISING = (
    "memoryadmin/domain/",
    "memoryadmin/services/",
    "memoryadmin/storage/",
    "memoryadmin/web/",
    "memoryadmin/tasks.py",
)


def all_errors() -> list[type[MemoryAdminError]]:
    """Return the base and every error below it, after importing every module that could define one."""
    for path in under(RAISING, ".py"):
        importlib.import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    found = [MemoryAdminError]
    for error in found:
        found.extend(below for below in error.__subclasses__() if below not in found)
    return [error for error in found if error.__module__.startswith("memoryadmin.")]


def without_own_code(errors: list[type[MemoryAdminError]]) -> list[str]:
    """Return the names of errors that have no code of their own, or one that another class has too."""
    taken = [vars(error).get("code") for error in errors]
    return [error.__name__ for error, code in zip(errors, taken, strict=True) if code is None or taken.count(code) > 1]


def test_every_error_has_a_code_of_its_own() -> None:
    assert without_own_code(all_errors()) == []


def test_a_code_is_lower_case_words() -> None:
    assert [error.code for error in all_errors() if not re.fullmatch(r"[a-z]+(_[a-z]+)*", error.code)] == []


def test_the_name_of_every_error_says_so() -> None:
    assert [error.__name__ for error in all_errors() if not error.__name__.endswith("Error")] == []


def test_a_planted_error_without_a_code_or_with_a_taken_one_is_found() -> None:
    silent = type("SilentError", (MemoryAdminError,), {})
    double = type("DoubleError", (MemoryAdminError,), {"code": "not_found"})
    assert without_own_code([*all_errors(), silent, double]) == [
        "NotVisibleError",
        "SilentError",
        "DoubleError",
    ]
