"""Merging two changed texts by lines against the text both started from (diff3).

Called by services.files when a file moved while somebody edited it, by restore and import in the same case.
The result is either a text that holds both sides' changes or a conflict for a person; nothing is ever chosen.

Changes that touch, not only those that overlap, are one place: a line added below a line the other side
rewrote may belong to the old wording. Identical changes count once. This is what `git merge-file` does, and a
test compares the two. Where repeated lines can be matched in several ways, the two may choose differently.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from memoryadmin.domain.lines import split_lines
from memoryadmin.domain.matching import Change, match


@dataclass(frozen=True, slots=True)
class Merged:
    """A text with the changes of both sides."""

    text: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """A stretch of the merge that needs no decision: unchanged, or changed by one side, or by both alike."""

    text: str


@dataclass(frozen=True, slots=True)
class Clash:
    """A stretch that both sides changed differently; `base` is what stood there, each may be empty."""

    base: str
    mine: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A merge that needs decisions, in the order of the text; at least one part is a Clash."""

    parts: tuple[Agreed | Clash, ...]

    @property
    def clashes(self) -> tuple[Clash, ...]:
        """The places to decide, in order."""
        return tuple(part for part in self.parts if isinstance(part, Clash))


def merge(base: str, mine: str, theirs: str) -> Merged | Conflict:
    """Return `base` with the changes of both texts, or the places where those change the same lines.

    Swapping `mine` and `theirs` gives the same text, or the same conflict with the sides swapped.

    Source: S. Khanna, K. Kunal, B. Pierce, "A Formal Investigation of Diff3" (2007).
    """
    parts = tuple(_joined(_parts(split_lines(base), split_lines(mine), split_lines(theirs))))
    if any(isinstance(part, Clash) for part in parts):
        return Conflict(parts)
    return Merged("".join(part.text for part in parts if isinstance(part, Agreed)))


def resolve(conflict: Conflict, chosen: Sequence[str]) -> str:
    """Return the text of a conflict with `chosen[n]` in place of its clash number n.

    :raises ValueError: there are more or fewer texts than clashes.
    """
    if len(chosen) != len(conflict.clashes):
        raise ValueError(f"{len(conflict.clashes)} clashes, {len(chosen)} texts")
    texts = iter(chosen)
    return "".join(part.text if isinstance(part, Agreed) else next(texts) for part in conflict.parts)


@dataclass(slots=True)
class _Place:
    """Base lines [start, stop) and the changes of each side that touch there."""

    start: int
    stop: int
    mine: list[Change] = field(default_factory=list)
    theirs: list[Change] = field(default_factory=list)


def _parts(base: list[str], mine: list[str], theirs: list[str]) -> Iterator[Agreed | Clash]:
    done = 0
    for place in _places(match(base, mine).changes, match(base, theirs).changes):
        yield Agreed("".join(base[done : place.start]))
        done = place.stop
        mine_here = _lines_at(place, place.mine, mine)
        theirs_here = _lines_at(place, place.theirs, theirs)
        if not place.theirs or mine_here == theirs_here:
            yield Agreed("".join(mine_here))
        elif not place.mine:
            yield Agreed("".join(theirs_here))
        else:
            yield from _narrowed("".join(base[place.start : place.stop]), mine_here, theirs_here)
    yield Agreed("".join(base[done:]))


def _places(mine: Sequence[Change], theirs: Sequence[Change]) -> Iterator[_Place]:
    """Yield the places where anything changed, in order; changes that touch share one."""
    place = None
    both = [(change, False) for change in mine] + [(change, True) for change in theirs]
    for change, is_theirs in sorted(both, key=lambda item: (item[0].start, item[0].stop)):
        if place is None or change.start > place.stop:
            if place is not None:
                yield place
            place = _Place(change.start, change.stop)
        place.stop = max(place.stop, change.stop)
        (place.theirs if is_theirs else place.mine).append(change)
    if place is not None:
        yield place


def _lines_at(place: _Place, changes: list[Change], lines: list[str]) -> list[str]:
    """Return what one side has at a place where `changes` are its changes, if it has any."""
    if not changes:
        return []
    first, last = changes[0], changes[-1]
    return lines[first.new_start - (first.start - place.start) : last.new_stop + (place.stop - last.stop)]


def _narrowed(base: str, mine: list[str], theirs: list[str]) -> Iterator[Agreed | Clash]:
    """Yield a clash without the lines at its ends that both sides wrote alike: nobody need decide those."""
    head = _count_equal(mine, theirs)
    tail = _count_equal(mine[head:][::-1], theirs[head:][::-1])
    yield Agreed("".join(mine[:head]))
    yield Clash(base, "".join(mine[head : len(mine) - tail]), "".join(theirs[head : len(theirs) - tail]))
    yield Agreed("".join(mine[len(mine) - tail :]))


def _count_equal(mine: list[str], theirs: list[str]) -> int:
    """Return how many lines the two begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False)))


def _joined(parts: Iterator[Agreed | Clash]) -> Iterator[Agreed | Clash]:
    """Yield the parts with neighbouring agreed stretches made one and empty ones left out."""
    agreed = ""
    for part in parts:
        if isinstance(part, Agreed):
            agreed += part.text
            continue
        if agreed:
            yield Agreed(agreed)
        agreed = ""
        yield part
    if agreed:
        yield Agreed(agreed)
