"""Two texts as rows to look at: what stayed, went, came, and which words of a line changed.

Lines are matched first; inside a change, lines alike are paired and their words marked. The texts of all rows
are the two texts, so nothing is hidden by showing them this way. Bounded work: whatever was not looked at
closely makes the whole result coarse, and the page says so. Source: case DR-04.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from memoryadmin.domain.diffs.marks import Span, WordMarker, count_marked
from memoryadmin.domain.diffs.pairing import Pairer
from memoryadmin.domain.lines import split_lines
from memoryadmin.domain.matching import Change, match

# Nobody can compare two such lines by eye: where most of them differs, the page says that it is no help.
_LONG_LINE_CHARS = 10_000


class RowKind(StrEnum):
    """What became of a line."""

    EQUAL = "equal"
    REMOVED = "removed"
    ADDED = "added"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One line on one or both sides; numbers count from 1 and are None where a side has no such line.

    The spans of a side are its whole line, line feed included. Only a changed row has marked spans.
    """

    kind: RowKind
    old_number: int | None
    new_number: int | None
    old: tuple[Span, ...]
    new: tuple[Span, ...]

    @property
    def is_fold(self) -> bool:
        """Whether this is a Fold; for templates, which meet both."""
        return False


@dataclass(frozen=True, slots=True)
class Fold:
    """Equal rows that a page need not show at first, at least two."""

    rows: tuple[DiffRow, ...]

    @property
    def is_fold(self) -> bool:
        """Whether this is a Fold; for templates, which meet both."""
        return True


@dataclass(frozen=True, slots=True)
class Diff:
    """Two texts compared: `added` and `removed` count lines, a changed line on both sides.

    `is_coarse` says that parts were not looked at closely, for size: more may have stayed than is shown.
    """

    rows: tuple[DiffRow, ...]
    added: int
    removed: int
    is_coarse: bool


def compare(old: str, new: str) -> Diff:
    """Return how `old` became `new`, line by line and word by word, in bounded work."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    matching = match(old_lines, new_lines)
    comparison = _Comparison(old_lines, new_lines)
    rows = tuple(comparison.rows(matching.changes))
    return Diff(
        rows=rows,
        added=sum(row.kind in {RowKind.ADDED, RowKind.CHANGED} for row in rows),
        removed=sum(row.kind in {RowKind.REMOVED, RowKind.CHANGED} for row in rows),
        is_coarse=matching.is_coarse or comparison.is_coarse,
    )


def fold(rows: Sequence[DiffRow], context: int = 3) -> list[DiffRow | Fold]:
    """Return the rows with long equal stretches folded away but for `context` rows beside each change.

    A single row is never folded: its fold would take as much room.
    """
    shown: list[DiffRow | Fold] = []
    place = 0
    for is_equal, run in groupby(rows, key=lambda row: row.kind is RowKind.EQUAL):
        stretch = tuple(run)
        start = context if place else 0
        place += len(stretch)
        stop = len(stretch) - (context if place < len(rows) else 0)
        if not is_equal or stop - start < 2:
            shown.extend(stretch)
        else:
            shown.extend([*stretch[:start], Fold(stretch[start:stop]), *stretch[stop:]])
    return shown


class _Comparison:
    def __init__(self, old: list[str], new: list[str]) -> None:
        self.old = old
        self.new = new
        self._pairer = Pairer()
        self._marker = WordMarker()
        self._has_unlike_giants = False

    @property
    def is_coarse(self) -> bool:
        return self._pairer.is_coarse or self._marker.is_coarse or self._has_unlike_giants

    def rows(self, changes: Sequence[Change]) -> Iterator[DiffRow]:
        place = new_place = 0
        for change in [*changes, Change(len(self.old), len(self.old), len(self.new), len(self.new))]:
            for index in range(place, change.start):
                yield self._equal(index, new_place + index - place)
            yield from self._changed(change)
            place, new_place = change.stop, change.new_stop

    def _changed(self, change: Change) -> Iterator[DiffRow]:
        """Yield the rows of one change: before each pair, the lines on either side that stay alone."""
        old, new = self.old[change.start : change.stop], self.new[change.new_start : change.new_stop]
        i, j = change.start, change.new_start
        pairs = [(change.start + a, change.new_start + b) for a, b in self._pairer.pair(old, new)]
        for stop, new_stop in pairs:
            row = self._pair(stop, new_stop)
            if _is_replaced(row):
                continue
            yield from self._alone(i, stop, j, new_stop)
            yield row
            i, j = stop + 1, new_stop + 1
        yield from self._alone(i, change.stop, j, change.new_stop)

    def _alone(self, start: int, stop: int, new_start: int, new_stop: int) -> Iterator[DiffRow]:
        old, new = self.old[start:stop], self.new[new_start:new_stop]
        if _has_giant(old) and _has_giant(new):
            self._has_unlike_giants = True
        for index, line in enumerate(old, start + 1):
            yield DiffRow(RowKind.REMOVED, index, None, (Span(line, is_marked=False),), ())
        for index, line in enumerate(new, new_start + 1):
            yield DiffRow(RowKind.ADDED, None, index, (), (Span(line, is_marked=False),))

    def _pair(self, place: int, new_place: int) -> DiffRow:
        # Lines may be equal here only where the matching gave up, for too many lines that are common.
        if self.old[place] == self.new[new_place]:
            return self._equal(place, new_place)
        old, new = self._marker.mark(self.old[place], self.new[new_place])
        for line, spans in ((self.old[place], old), (self.new[new_place], new)):
            if _has_giant([line]) and 2 * count_marked(spans) > len(line):
                self._has_unlike_giants = True
        return DiffRow(RowKind.CHANGED, place + 1, new_place + 1, old, new)

    def _equal(self, place: int, new_place: int) -> DiffRow:
        spans = (Span(self.old[place], is_marked=False),)
        return DiffRow(RowKind.EQUAL, place + 1, new_place + 1, spans, spans)


def _is_replaced(row: DiffRow) -> bool:
    """Return whether a pair turned out to share nothing worth showing; blanks alone are kept, to be marked."""
    return all(len(spans) == 1 and spans[0].is_marked and not spans[0].text.isspace() for spans in (row.old, row.new))


def _has_giant(lines: list[str]) -> bool:
    return any(len(line) > _LONG_LINE_CHARS for line in lines)
