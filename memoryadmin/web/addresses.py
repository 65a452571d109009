"""Addresses of pages and what stands in them: whole numbers, filters that keep each other, where a list goes on.

Whatever a person, a bookmark or a stranger writes into an address is read here; nonsense reads as absent, so a list
shows its first part instead of failing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from django.http import HttpRequest

_LARGEST = 2**63 - 1

T = TypeVar("T")


class Named(Protocol):
    """What a list by name consists of."""

    @property
    def id(self) -> str | int: ...

    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)


def whole_number(written: str | None) -> int | None:
    """Return a written number from 0 up that a database can compare with; None for anything else."""
    if written is None or not written.isascii() or not written.isdigit() or len(written) > 19:
        return None
    number = int(written)
    return number if number <= _LARGEST else None


def readable(written: str | None) -> str:
    """Return words from an address as a filter can use them: NUL, which no database takes, is left out."""
    return (written or "").replace("\0", "")


def with_query(request: HttpRequest, **changes: str | int | None) -> str:
    """Return this page's address with some of its filters changed; None and the empty string take one away."""
    query = request.GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value not in (None, ""):
            query[name] = str(value)
    written = query.urlencode()
    return f"{request.path}?{written}" if written else request.path


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """One part of a list and where its start and its next part are; an empty address: there is none."""

    items: Sequence[T]
    first_url: str
    next_url: str


def name_and_id(request: HttpRequest) -> tuple[str, str] | None:
    """Return the place, name and id, that a list by name goes on from; None at its start."""
    after = readable(request.GET.get("after"))
    return (after, readable(request.GET.get("after_id"))) if after else None


def part_by_name(request: HttpRequest, found: list[N], limit: int) -> Part[N]:
    """Return the first `limit` of `found` as a part of a list by name; one more than that means it goes on."""
    shown = found[:limit]
    first = with_query(request, after=None, after_id=None) if request.GET.get("after") else ""
    if len(found) <= limit:
        return Part(shown, first, "")
    last = shown[-1]
    return Part(shown, first, with_query(request, after=last.name, after_id=last.id))
