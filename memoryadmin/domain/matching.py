"""Which items of two sequences stayed: the one matching that hunks, merges, rows and browser forms build on.

Called with lines or words. The steps, on the whole and then on what is left between matches:

1. Equal items at both ends match.
2. Items that occur exactly once on both sides are anchors; the longest run of them in the same order matches
   (patience diff: rare lines say more about what stayed than blank ones).
3. Without anchors, a longest common subsequence; past a stated amount of work nothing, and that is said.

Everything is counted, nothing is timed: equal input gives equal output on any machine.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

# Cells of the table that step 3 may fill in one call: 11,000 lines against 11,000, less than 0.1 s and 16 MB.
WORK_CELLS = 2**27

# Step 2 splits what it matched apart again and again; each level looks at every item that is left once.
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

    `is_coarse` says that some change may hold items that stayed, because finding them cost too much.
    """

    changes: tuple[Change, ...]
    is_coarse: bool


@dataclass(frozen=True, slots=True)
class _Region:
    start: int
    stop: int
    new_start: int
    new_stop: int
    depth: int = 0

    def is_one_sided(self) -> bool:
        return self.start == self.stop or self.new_start == self.new_stop


def match(old: Sequence[Hashable], new: Sequence[Hashable]) -> Matching:
    """Return what changed between two sequences, deterministically and in bounded work.

    Source: step 2 is Bram Cohen's patience diff; step 3 is H. Hyyrö, "Bit-parallel LCS-length computation
    revisited" (2004).
    """
    return _Matcher(old, new).matching()


class _Matcher:
    def __init__(self, old: Sequence[Hashable], new: Sequence[Hashable]) -> None:
        numbers: dict[Hashable, int] = {}
        self.old = [numbers.setdefault(item, len(numbers)) for item in old]
        self.new = [numbers.setdefault(item, len(numbers)) for item in new]
        self.pairs: list[tuple[int, int]] = []
        self.cells_left = WORK_CELLS
        self.is_coarse = False

    def matching(self) -> Matching:
        waiting = [_Region(0, len(self.old), 0, len(self.new))]
        while waiting:
            region = self._trimmed(waiting.pop())
            if region.is_one_sided():
                continue
            anchors = self._anchors(region) if region.depth < _DEEPEST else []
            if anchors:
                self.pairs.extend(anchors)
                waiting.extend(_between(region, anchors))
            else:
                self._match_exactly(region)
        self.pairs.sort()
        return Matching(tuple(self._changes()), self.is_coarse)

    def _trimmed(self, region: _Region) -> _Region:
        """Match the equal items at both ends of the region and return what is left."""
        start, stop, new_start, new_stop = region.start, region.stop, region.new_start, region.new_stop
        while start < stop and new_start < new_stop and self.old[start] == self.new[new_start]:
            self.pairs.append((start, new_start))
            start, new_start = start + 1, new_start + 1
        while start < stop and new_start < new_stop and self.old[stop - 1] == self.new[new_stop - 1]:
            stop, new_stop = stop - 1, new_stop - 1
            self.pairs.append((stop, new_stop))
        return _Region(start, stop, new_start, new_stop, region.depth)

    def _anchors(self, region: _Region) -> list[tuple[int, int]]:
        """Return the longest ordered run of pairs whose item occurs once on each side of the region."""
        once_new = _single_places(self.new, region.new_start, region.new_stop)
        once_old = _single_places(self.old, region.start, region.stop)
        shared = [(place, once_new[item]) for item, place in once_old.items() if item in once_new]
        return _longest_rising(shared)

    def _match_exactly(self, region: _Region) -> None:
        """Match a longest common subsequence of the region, or say that the result is coarse."""
        in_old = set(self.old[region.start : region.stop])
        in_new = set(self.new[region.new_start : region.new_stop])
        rows = [i for i in range(region.start, region.stop) if self.old[i] in in_new]
        columns = [j for j in range(region.new_start, region.new_stop) if self.new[j] in in_old]
        cells = len(rows) * len(columns)
        if cells > self.cells_left:
            self.is_coarse = True
            return
        self.cells_left -= cells
        found = _common_subsequence([self.old[i] for i in rows], [self.new[j] for j in columns])
        self.pairs.extend((rows[i], columns[j]) for i, j in found)

    def _changes(self) -> Iterator[Change]:
        start = new_start = 0
        for old_place, new_place in [*self.pairs, (len(self.old), len(self.new))]:
            if start < old_place or new_start < new_place:
                yield Change(start, old_place, new_start, new_place)
            start, new_start = old_place + 1, new_place + 1


def _between(region: _Region, anchors: list[tuple[int, int]]) -> Iterator[_Region]:
    start, new_start = region.start, region.new_start
    for old_place, new_place in [*anchors, (region.stop, region.new_stop)]:
        yield _Region(start, old_place, new_start, new_place, region.depth + 1)
        start, new_start = old_place + 1, new_place + 1


def _single_places(items: list[int], start: int, stop: int) -> dict[int, int]:
    """Return where each item stands that occurs exactly once in [start, stop), in order."""
    counts = Counter(items[start:stop])
    return {items[place]: place for place in range(start, stop) if counts[items[place]] == 1}


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


def _common_subsequence(old: list[int], new: list[int]) -> list[tuple[int, int]]:
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
