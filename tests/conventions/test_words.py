"""What no committed file may hold: names that say nothing, and traces of one machine or one company."""

import re
from pathlib import PurePosixPath

import pytest

from tests.conventions.sources import committed, expect_kept

# Each names a place where everything lands; say what the thing is instead.
BANNED = frozenset(
    {
        "util",
        "utils",
        "helper",
        "helpers",
        "common",
        "manager",
        "managers",
        "data",
        "info",
        "misc",
        "stuff",
        "core",
    }
)
# Written apart so that this file does not hold them.
_HOSTS = {
    "org": "pypi pythonhosted npmjs anaconda rubygems deb.debian proxy.golang",
    "io": "docker ghcr quay crates conda goproxy",
    "com": "npmjs yarnpkg cloudflare",
    "net": "jsdelivr",
}
REGISTRIES = [f"{name}.{end}" for end, names in _HOSTS.items() for name in names.split()]
_REGISTRY = re.compile("|".join(re.escape(name) for name in REGISTRIES), re.IGNORECASE)
_MACHINE = re.compile(r"(?<![\w.}~/-])(?:/(?:work|root|tmp|home|Users|private)/\w|[A-Z]:\\Users\\)")
_ADDRESS = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[A-Za-z]{2,}\b")
# Nobody's addresses; what ends in .md is a memory file that somebody mentions.
_RESERVED = (".example", ".invalid", "example.com", "example.org", "example.net", ".md")


def banned_names(path: str, _text: str) -> list[str]:
    """Find words of a file's or folder's name; `management` is Django's and no such word."""
    pure = PurePosixPath(path)
    words = {word for part in (*pure.parts[:-1], pure.stem) for word in re.split(r"[-_.@]", part.lower())}
    return [f"{path}: the name says {word}" for word in sorted(words & BANNED)]


def addresses_in_locks(path: str, text: str) -> list[str]:
    return [f"{path}:{n} holds an address" for n, line in enumerate(text.split("\n"), 1) if "://" in line]


def traces(path: str, text: str) -> list[str]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if _REGISTRY.search(line):
            found.append(f"{path}:{number} names a registry")
        if _MACHINE.search(line):
            found.append(f"{path}:{number} names a path of one machine")
        people = [address for address in _ADDRESS.findall(line) if not address.lower().endswith(_RESERVED)]
        found.extend(f"{path}:{number} holds the address {address}" for address in people)
    return found


def test_no_name_is_a_word_that_says_nothing() -> None:
    expect_kept(banned_names, committed())


def test_no_lock_holds_an_address() -> None:
    expect_kept(addresses_in_locks, [path for path in committed() if path.endswith(".lock")])


def test_no_file_holds_a_registry_a_machine_path_or_a_real_address() -> None:
    expect_kept(traces, committed())


@pytest.mark.parametrize(
    "path",
    [
        "memoryadmin/utils.py",
        "tests/web/helpers.py",
        "memoryadmin/data/rows.py",
        "templates/files/_file_info.html",
    ],
)
def test_a_planted_name_is_found(path: str) -> None:
    assert len(banned_names(path, "")) == 1


def test_the_names_that_django_asks_for_are_none_of_them() -> None:
    assert banned_names("memoryadmin/management/commands/up.py", "") == banned_names("manage.py", "") == []


@pytest.mark.parametrize(
    "line",
    [
        f"index-url = {REGISTRIES[0]}/simple",
        f"FROM {REGISTRIES[8].upper()}/someone/image",
        "cd " + "/wo" + "rk/main",
        "DATA = '" + "/tm" + "p/store'",
        "ann" + "@company" + ".org",
    ],
)
def test_a_planted_trace_is_found(line: str) -> None:
    assert len(traces("README.md", f"first\n{line}\n")) == 1


@pytest.mark.parametrize(
    "line",
    [
        "templates/home/home.html",
        "ann@harbour.example",
        "@pytest.mark.browser",
        "{% url 'home' %}",
        "/workspace/agent",
    ],
)
def test_ordinary_lines_are_no_traces(line: str) -> None:
    assert traces("README.md", line) == []


def test_a_planted_address_in_a_lock_is_found() -> None:
    assert len(addresses_in_locks("requirements.lock", "django==5.2\n--index-url https" + "://mirror.example\n")) == 1
