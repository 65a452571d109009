"""Interfaces translate and call one service: they write no row, and nothing below them knows HTTP."""

import ast

import pytest

from tests.conventions.sources import expect_kept, imported_modules, parsed, under

INTERFACES = ("memoryadmin/web/", "memoryadmin/management/", "memoryadmin/tasks.py")
BELOW = ("memoryadmin/services/", "memoryadmin/models/", "memoryadmin/storage/", "memoryadmin/domain/")
ROW_WRITES = frozenset({
    "save", "delete", "create", "update", "bulk_create", "bulk_update", "get_or_create", "update_or_create"
})  # fmt: skip
HTTP = (
    "django.http", "django.shortcuts", "django.urls", "django.template", "django.views", "django.forms",
    "django.middleware", "django.contrib.messages", "django.contrib.sessions", "django_htmx", "http.server",
)  # fmt: skip


def row_writes(path: str, text: str) -> list[str]:
    """Find `.objects`, and calls such as `.save(` on anything but a service's module or a container."""
    tree = parsed(text)
    modules = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memoryadmin.services")
        for alias in node.names
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "objects":
            found.append(f"{path}:{node.lineno} .objects")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ROW_WRITES:
            owner = node.func.value
            is_service = isinstance(owner, ast.Name) and owner.id in modules
            # dict.update and set.update take their items by position; QuerySet.update only by keyword.
            is_container = node.func.attr == "update" and (node.args or not node.keywords)
            if not is_service and not is_container:
                found.append(f"{path}:{node.lineno} .{node.func.attr}(")
    return found


def http_imports(path: str, text: str) -> list[str]:
    imports = imported_modules(parsed(text))
    return [f"{path}:{line} {name}" for line, name in imports if f"{name}.".startswith(tuple(f"{h}." for h in HTTP))]


def test_interfaces_write_no_rows() -> None:
    expect_kept(row_writes, under(INTERFACES, ".py"))


def test_nothing_below_the_interfaces_knows_http() -> None:
    expect_kept(http_imports, under(BELOW, ".py"))


@pytest.mark.parametrize(
    "line",
    [
        "file.save()",
        "form.save(commit=False)",
        "row.delete()",
        "rows = MemoryFile.objects",
        "rows.filter(pk=1).update(seq=2)",
        "request.user.identity.save(update_fields=['login'])",
        "files.copy().save()",
    ],
)
def test_a_planted_write_is_found(line: str) -> None:
    text = f"from memoryadmin.services import files\n\ndef page(request, form, file, row, rows):\n    {line}\n"
    assert len(row_writes("memoryadmin/web/views/planted.py", text)) == 1


def test_a_service_call_and_a_container_are_no_writes() -> None:
    text = "from memoryadmin.services import files\nfiles.save(text='')\nnames.update({'a': 1})\n"
    assert row_writes("memoryadmin/web/views/planted.py", text) == []


@pytest.mark.parametrize(
    "line",
    [
        "from django.http import Http404",
        "import django.shortcuts",
        "from django import forms",
        "import django_htmx.http",
    ],
)
def test_a_planted_http_import_is_found(line: str) -> None:
    assert len(http_imports("memoryadmin/services/planted.py", f"def act():\n    {line}\n")) == 1
