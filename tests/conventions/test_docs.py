"""The documents are true: what they name exists, and what can be set is listed.

A path is what stands in backticks and begins with a name of the checkout's root; `*` and `NNNN` stand for
anything. After a colon follows a name that the file defines: `memoryadmin/services/jobs.py:claim`.
"""

import ast
import re

import pytest

from tests.conventions.sources import ROOT, committed, expect_kept, parsed, read, under

ADRS = "docs/adr/"
HEADINGS = ["## Context", "## Decision", "## Status", "## Consequences"]
_TICKED = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]*)\)")
_PATH = re.compile(r"(?P<path>[\w.*/-]+)(?::(?P<name>[A-Za-z_][\w.]*))?")
_READ = re.compile(r"""\benv(?:iron)?(?:\.\w+)?[(\[]\s*"(?P<name>[A-Z][A-Z0-9_]+)\"""")
_ROW = re.compile(r"^\|\s*`(?P<name>[A-Z][A-Z0-9_]+)`", re.MULTILINE)


def missing_paths(path: str, text: str) -> list[str]:
    roots = {name.split("/", 1)[0] for name in committed()}
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        for ticked in _TICKED.findall(line):
            match = _PATH.fullmatch(ticked)
            if match and match["path"].split("/", 1)[0] in roots and not _is_there(match["path"], match["name"]):
                found.append(f"{path}:{number} names {ticked}, which does not exist")
    return found


def broken_links(path: str, text: str) -> list[str]:
    """Find links to files that do not exist; addresses with a scheme are nobody's business here."""
    folder = (ROOT / path).parent
    linked = [link.split("#", 1)[0] for link in _LINK.findall(text) if "://" not in link]
    return [f"{path} links to {link}, which does not exist" for link in linked if not (folder / link).exists()]


def _is_there(path: str, name: str | None) -> bool:
    pattern = path.rstrip("/").replace("NNNN", "*")
    places = sorted(ROOT.glob(pattern))
    if not places or name is None:
        return bool(places)
    return all(name.split(".")[-1] in _defined(place.read_text()) for place in places)


def _defined(text: str) -> set[str]:
    """Return what a module defines at any level: functions, classes, and names that are assigned."""
    nodes = list(ast.walk(parsed(text)))
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return defined | {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def settings_read(paths: list[str]) -> set[str]:
    names = {name for path in paths for name in _READ.findall(read(path))}
    is_settings = {name for name in names if name.startswith("MEMORYADMIN_")}
    return is_settings | set(_READ.findall(read("memoryadmin/settings.py")))


def documents() -> list[str]:
    return [path for path in committed() if path.endswith(".md") and ("/" not in path or path.startswith("docs/"))]


def test_every_path_that_the_documents_name_exists() -> None:
    assert {"ARCHITECTURE.md", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= set(documents())
    expect_kept(missing_paths, documents())


def test_every_file_that_the_documents_link_to_exists() -> None:
    expect_kept(broken_links, documents())


def test_a_planted_broken_link_is_found() -> None:
    text = "[a](gone.md) [b](CONTRIBUTING.md#sizes) [c](https" + "://memory.example/) [d](docs/adr/)"
    assert broken_links("README.md", text) == ["README.md links to gone.md, which does not exist"]


def test_architecture_names_many_paths_so_that_the_test_above_means_something() -> None:
    named = {match["path"] for t in _TICKED.findall(read("ARCHITECTURE.md")) if (match := _PATH.fullmatch(t))}
    assert len([path for path in named if path.startswith(("memoryadmin/", "templates/", "tests/"))]) > 30


@pytest.mark.parametrize(
    "ticked",
    [
        "memoryadmin/services/gone.py",
        "memoryadmin/services/jobs.py:gone",
        "docs/gone/*.md",
        "templates/gone.html",
    ],
)
def test_a_planted_path_that_does_not_exist_is_found(ticked: str) -> None:
    assert len(missing_paths("ARCHITECTURE.md", f"first\nsee `{ticked}` for more\n")) == 1


@pytest.mark.parametrize(
    "ticked",
    [
        "memoryadmin/services/jobs.py:claim",
        "memoryadmin/domain/",
        "docs/adr/NNNN-*.md",
        "make check",
        "files/<id>/edit/",
    ],
)
def test_what_exists_and_what_is_no_path_is_not(ticked: str) -> None:
    assert missing_paths("ARCHITECTURE.md", f"see `{ticked}`") == []


def test_readme_lists_exactly_the_settings_that_are_read() -> None:
    listed = _ROW.findall(read("README.md"))
    assert sorted(listed) == sorted(settings_read([*under("memoryadmin/", ".py"), "manage.py"]))


def test_every_way_of_reading_a_setting_is_seen() -> None:
    lines = [
        'env.str("A_A")',
        'env.bool(\n    "B_B", default=1)',
        'os.environ.get("C_C")',
        'os.environ["D_D"]',
        'env("E_E")',
    ]
    assert _READ.findall("\n".join(lines)) == ["A_A", "B_B", "C_C", "D_D", "E_E"]


def test_every_decision_has_its_number_its_four_parts_and_one_page() -> None:
    names = under(ADRS, ".md")
    assert [name.removeprefix(ADRS)[:4] for name in names] == [f"{n:04}" for n in range(1, len(names) + 1)]
    for name in names:
        text = read(name)
        assert text.startswith(f"# {int(name.removeprefix(ADRS)[:4])}. "), name
        assert re.findall(r"^## .*$", text, re.MULTILINE) == HEADINGS, name
        assert text.count("\n") <= 60, name
