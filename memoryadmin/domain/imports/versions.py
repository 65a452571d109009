"""Chains of earlier versions: `@versions/<path of the file>/<number or date>….md`, in order."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from memoryadmin.domain.files import date_in_name
from memoryadmin.domain.imports.values import SourceFile, SourceVersion

_VERSION = re.compile(r"(?P<base>(?:.*/)?)@versions/(?P<path>.+)/(?P<name>[^/]+)", re.DOTALL)
_NUMBER = re.compile(r"(?![0-9]{4}-[0-9]{2}-[0-9]{2})([0-9]{1,9})(?![0-9])")


@dataclass(frozen=True, slots=True)
class Chains:
    """Sources told apart: files, the ordered versions of each path, and versions that cannot be ordered."""

    files: tuple[SourceFile, ...]
    versions: dict[str, tuple[SourceVersion, ...]]
    unordered: tuple[SourceFile, ...]


def chains(sources: Iterable[SourceFile]) -> Chains:
    """Return `sources` told apart; a version is one by the folder it lies in, a link never is."""
    files: list[SourceFile] = []
    unordered: list[SourceFile] = []
    versions: dict[str, list[SourceVersion]] = defaultdict(list)
    for source in sources:
        place = None if source.is_symlink else _VERSION.fullmatch(source.path)
        if place is None:
            files.append(source)
            continue
        version = _version(source, place["name"])
        if version is None:
            unordered.append(source)
        else:
            versions[place["base"] + place["path"]].append(version)
    ordered = {path: tuple(sorted(chain, key=_order)) for path, chain in versions.items()}
    return Chains(tuple(files), ordered, tuple(unordered))


def _version(source: SourceFile, name: str) -> SourceVersion | None:
    number = _NUMBER.match(name)
    day = date_in_name(name)
    if number is None and day is None:
        return None
    return SourceVersion(source, int(number[1]) if number else None, day)


def _order(version: SourceVersion) -> tuple[int, date, str]:
    """Return what orders a chain: numbers where there are any, else days, else names."""
    return (version.number or 0, version.day or date.min, version.source.path)
