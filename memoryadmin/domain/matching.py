"""Which items of two sequences stayed: the one matching that hunks, merges, rows and browser forms build on.

Called with lines or words. The steps, on the whole and then on what is left between matches:

1. Equal items at both ends match.
2. Items that occur exactly once on both sides are anchors; the longest run of them in the same order matches
   (patience diff: rare lines say more about what stayed than blank ones).
3. Without anchors, a longest common subsequence; where that is too much work, anchors of several items in a
   row; without those nothing, and the result says that it is coarse.
4. What was only added or only removed among equal items stands as late as it can, so that the same change is
   found at the same place whatever else changed.

Everything is counted, nothing is timed: equal input gives equal output on any machine.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

# Cells of the table that step 3 may fill in one call: 11,000 lines against 11,000, less than 0.1 s and 16 MB.
WORK_CELLS = 2**27

# Items in a row that make an anchor where single ones are too common, as words of a very long line are.
_WIDER_ANCHORS = (4, 16)

# Anchors split what they match apart again and again; each level looks once at every item that is left.
_DEEPEST = 48


@dataclass(frozen=True, slots=True)
class Change:
    """Items [start, stop) of the old sequence became items [new_start, new_stop) of the new one.

    Counted from 0; at most one of the two ranges is empty.
    """

    start: int
    stop: int
    new_start: int
    new_stop: int


@dataclass(frozen=True, slots=True)
class Matching:
    """What differs, in order: between two changes stands at least one item that both sides have.

    `is_coarse` says that some change may hold items that stayed, because finding them cost too much; `cells`
    is the work that step 3 took.
    """

    changes: tuple[Change, ...]
    is_coarse: bool
    cells: int


def match(old: Sequence[Hashable], new: Sequence[Hashable], *, limit_cells: int = WORK_CELLS) -> Matching:
    """Return what changed between two sequences, deterministically and in bounded work.

    At most `limit_cells` are spent on step 3.

    Source: step 2 is Bram Cohen's patience diff; step 3 is H. Hyyrö, "Bit-parallel LCS-length computation
    revisited" (2004).
    """
    head = count_equal(old, new)
    tail = count_equal(old[head:][::-1], new[head:][::-1])
    matcher = _Matcher(old[head : len(old) - tail], new[head : len(new) - tail], limit_cells)
    changes = [
        Change(head + change.start, head + change.stop, head + change.new_start, head + change.new_stop)
        for change in matcher.changes()
    ]
    return Matching(tuple(_as_late_as_can_be(changes, old, new)), matcher.is_coarse, matcher.cells)


def count_equal(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return how many items two sequences begin with alike."""
    limit = min(len(first), len(second))
    place, step = 0, 8
    # Whole slices are compared, so that the interpreter does not look at every item.
    while place + step <= limit and first[place : place + step] == second[place : place + step]:
        place, step = place + step, step * 2
    while step > 1:
        step //= 2
        if place + step <= limit and first[place : place + step] == second[place : place + step]:
            place += step
    return place


def unchanged(matching: Matching, count: int) -> Iterator[tuple[int, int]]:
    """Yield old and new place of every item that stayed; `count` is the length of the old side."""
    place = shift = 0
    for change in matching.changes:
        yield from ((index, index + shift) for index in range(place, change.start))
        place, shift = change.stop, change.new_stop - change.stop
    yield from ((index, index + shift) for index in range(place, count))


def _as_late_as_can_be(changes: list[Change], old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Change]:
    """Return the changes moved down over equal items, of which one at least stays between any two."""
    moved: list[Change] = []
    limit = len(old)
    for change in reversed(changes):
        moved.append(_moved_down(change, old, new, limit))
        limit = moved[-1].start - 1
    return moved[::-1]


def _moved_down(change: Change, old: Sequence[Hashable], new: Sequence[Hashable], limit: int) -> Change:
    """Return a change of one side only at its last place before old item `limit` that means the same."""
    steps = 0
    if change.start == change.stop:
        side, start, stop = new, change.new_start, change.new_stop
    elif change.new_start == change.new_stop:
        side, start, stop = old, change.start, change.stop
    else:
        return change
    while change.stop + steps < limit and side[start + steps] == side[stop + steps]:
        steps += 1
    return Change(change.start + steps, change.stop + steps, change.new_start + steps, change.new_stop + steps)


@dataclass(frozen=True, slots=True)
class _Region:
    start: int
    stop: int
    new_start: int
    new_stop: int
    depth: int = 0

    @property
    def size(self) -> int:
        return (self.stop - self.start) * (self.new_stop - self.new_start)


class _Matcher:
    def __init__(self, old: Sequence[Hashable], new: Sequence[Hashable], limit_cells: int) -> None:
        numbers: dict[Hashable, int] = {}
        self.old = [numbers.setdefault(item, len(numbers)) for item in old]
        self.new = [numbers.setdefault(item, len(numbers)) for item in new]
        self.limit_cells = limit_cells
        self.cells = 0
        self.is_coarse = False

    def changes(self) -> Iterator[Change]:
        start = new_start = 0
        for place, new_place in [*sorted(self._pairs()), (len(self.old), len(self.new))]:
            if start < place or new_start < new_place:
                yield Change(start, place, new_start, new_place)
            start, new_start = place + 1, new_place + 1

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the places of matching items, in no order."""
        waiting = [_Region(0, len(self.old), 0, len(self.new))]
        while waiting:
            region = waiting.pop()
            anchors = self._anchors(region)
            if not anchors:
                yield from self._common_subsequence(region)
                continue
            yield from anchors
            for between in _between(region, anchors):
                left, ends = self._trimmed(between)
                yield from ends
                if left.size:
                    waiting.append(left)

    def _trimmed(self, region: _Region) -> tuple[_Region, list[tuple[int, int]]]:
        """Return the region without the equal items at its ends, and those as pairs."""
        start, stop, new_start, new_stop = region.start, region.stop, region.new_start, region.new_stop
        ends = []
        while start < stop and new_start < new_stop and self.old[start] == self.new[new_start]:
            ends.append((start, new_start))
            start, new_start = start + 1, new_start + 1
        while start < stop and new_start < new_stop and self.old[stop - 1] == self.new[new_stop - 1]:
            stop, new_stop = stop - 1, new_stop - 1
            ends.append((stop, new_stop))
        return _Region(start, stop, new_start, new_stop, region.depth), ends

    def _anchors(self, region: _Region) -> list[tuple[int, int]]:
        """Return the longest ordered run of pairs whose items occur once on each side of the region."""
        if region.depth == _DEEPEST:
            return []
        is_affordable = self.cells + region.size <= self.limit_cells
        for width in (1,) if is_affordable else (1, *_WIDER_ANCHORS):
            places = _single_places(self.old[region.start : region.stop], width)
            new_places = _single_places(self.new[region.new_start : region.new_stop], width)
            shared = [(place, new_places[item]) for item, place in places.items() if item in new_places]
            if shared:
                rising = _longest_rising(shared)
                return [(region.start + place, region.new_start + new_place) for place, new_place in rising]
        return []

    def _common_subsequence(self, region: _Region) -> list[tuple[int, int]]:
        """Match a longest common subsequence of the region, or say that the result is coarse."""
        in_old = set(self.old[region.start : region.stop])
        in_new = set(self.new[region.new_start : region.new_stop])
        rows = [i for i in range(region.start, region.stop) if self.old[i] in in_new]
        columns = [j for j in range(region.new_start, region.new_stop) if self.new[j] in in_old]
        cells = len(rows) * len(columns)
        if self.cells + cells > self.limit_cells:
            self.is_coarse = True
            return []
        self.cells += cells
        found = _longest_common([self.old[i] for i in rows], [self.new[j] for j in columns])
        return [(rows[i], columns[j]) for i, j in found]


def _between(region: _Region, anchors: list[tuple[int, int]]) -> Iterator[_Region]:
    start, new_start = region.start, region.new_start
    for place, new_place in [*anchors, (region.stop, region.new_stop)]:
        if start < place and new_start < new_place:
            yield _Region(start, place, new_start, new_place, region.depth + 1)
        start, new_start = place + 1, new_place + 1


def _single_places(items: list[int], width: int) -> dict[Hashable, int]:
    """Return where each stretch of `width` items starts that occurs exactly once, in order."""
    stretches: list[Hashable] = list(zip(*(items[shift:] for shift in range(width)), strict=False))
    counts = Counter(stretches)
    return {stretch: place for place, stretch in enumerate(stretches) if counts[stretch] == 1}


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest part of `pairs`, which rise in the first place, that rises in the second as well."""
    lowest_ends: list[int] = []
    end_indexes: list[int] = []
    before: list[int | None] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(lowest_ends, place)
        lowest_ends[length : length + 1] = [place]
        end_indexes[length : length + 1] = [index]
        before.append(end_indexes[length - 1] if length else None)
    rising = []
    step = end_indexes[-1] if end_indexes else None
    while step is not None:
        rising.append(pairs[step])
        step = before[step]
    return rising[::-1]


def _longest_common(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence, each match as early as it can be.

    One Python integer holds a whole row of the classic table: after the row of `old[i:]`, bit `b` is 0 where
    the table grows at that column. Both sides are read from their ends, so that the walk back through the
    rows starts at the beginning and takes the earliest matches.
    """
    width = len(new)
    full = (1 << width) - 1
    columns: dict[int, int] = {}
    for bit, item in enumerate(reversed(new)):
        columns[item] = columns.get(item, 0) | 1 << bit
    rows = [full]
    for item in reversed(old):
        row = rows[-1]
        hits = row & columns[item]
        rows.append(((row + hits) | (row - hits)) & full)
    found, i, j = [], 0, 0
    while i < len(old) and j < width:
        if old[i] == new[j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif rows[len(old) - i] >> (width - j - 1) & 1:
            j += 1
        else:
            i += 1
    return found
