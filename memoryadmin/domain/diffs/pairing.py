"""Which removed line became which added line, where a change has both.

Called by `rows` for each change, to show two versions of a line beside each other. Lines that differ only in
numbers and blanks belong together first (a log with new times, a file with other line ends); what is left
between them is paired by the words shared. Pairs never cross, and a line without a likeness stays alone.
"""

import re
from collections import Counter
from dataclasses import dataclass

from memoryadmin.domain.clusters import words
from memoryadmin.domain.matching import count_equal, match, unchanged

# Two lines are versions of one when this many thousandths of their text, blanks apart, are shared words.
_ALIKE = 400

# Work on all changes of one comparison, in words looked up, about 0.5 us each; comparing two lines at all costs
# some more. When there is too little left, a line is compared with the one across only; when none, lines stay alone.
_PAGE_LOOKUPS = 600_000
_LINE_LOOKUPS = 4

# A cheap guess at how many words a text has.
_CHARS_OF_WORD = 4

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Bag:
    """The words of a line without their order, blanks left out; `chars` is their length together."""

    counts: Counter[str]
    chars: int


class Pairer:
    """Pairs the lines of one comparison; `is_coarse` once lines were not all compared with each other."""

    def __init__(self) -> None:
        self.is_coarse = False
        self._lookups_left = _PAGE_LOOKUPS

    def pair(self, old: list[str], new: list[str]) -> list[tuple[int, int]]:
        """Return places of old and new lines that belong together, both rising."""
        matching = match([_frame(line) for line in old], [_frame(line) for line in new])
        pairs = list(unchanged(matching, len(old)))
        for change in matching.changes:
            found = self._alike(old[change.start : change.stop], new[change.new_start : change.new_stop])
            pairs.extend((change.start + place, change.new_start + new_place) for place, new_place in found)
        return sorted(pairs)

    def _alike(self, old: list[str], new: list[str]) -> list[tuple[int, int]]:
        """Return the best pairs that the lookups left allow."""
        if len(old) == len(new) == 1 and _share_ends(old[0], new[0]):
            return [(0, 0)]
        if not old or not new:
            return []
        old_count, new_count = (sum(map(len, lines)) // _CHARS_OF_WORD for lines in (old, new))
        reading = old_count + new_count
        table_cost = reading + len(old) * (new_count + len(new) * _LINE_LOOKUPS)
        straight_cost = reading + min(old_count, new_count) + min(len(old), len(new)) * _LINE_LOOKUPS
        is_table = table_cost <= self._lookups_left
        cost = table_cost if is_table else straight_cost
        self.is_coarse = self.is_coarse or not is_table
        if cost > self._lookups_left:
            return []
        self._lookups_left -= cost
        old_bags, new_bags = [_bag(line) for line in old], [_bag(line) for line in new]
        return _best_pairs(old_bags, new_bags) if is_table else _straight_pairs(old_bags, new_bags)


def _share_ends(old: str, new: str) -> bool:
    """Return whether the beginnings and ends of two lines alone make them alike: for lines of any length."""
    head = count_equal(old, new)
    tail = count_equal(old[head:][::-1], new[head:][::-1])
    return 2_000 * (head + tail) >= _ALIKE * (len(old) + len(new))


def _bag(line: str) -> _Bag:
    counts = Counter(word for word in words(line) if not word.isspace())
    return _Bag(counts, sum(len(word) * count for word, count in counts.items()))


def _likeness(old: _Bag, new: _Bag) -> int:
    """Return how many thousandths of two lines are shared, or 0 when that is not enough to pair them."""
    chars = old.chars + new.chars
    if 2_000 * min(old.chars, new.chars) < _ALIKE * chars:
        return 0
    common = old.counts.keys() & new.counts.keys()
    shared = sum(min(old.counts[word], new.counts[word]) * len(word) for word in common)
    likeness = 2_000 * shared // max(chars, 1)
    return likeness if likeness >= _ALIKE else 0


def _straight_pairs(old: list[_Bag], new: list[_Bag]) -> list[tuple[int, int]]:
    both = enumerate(zip(old, new, strict=False))
    return [(place, place) for place, (old_bag, new_bag) in both if _likeness(old_bag, new_bag)]


def _best_pairs(old: list[_Bag], new: list[_Bag]) -> list[tuple[int, int]]:
    """Return the pairs, none crossing another, whose likenesses add up to most."""
    likeness = [[_likeness(old_bag, new_bag) for new_bag in new] for old_bag in old]
    best = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            paired = likeness[i][j] and likeness[i][j] + best[i + 1][j + 1]
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if likeness[i][j] and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _frame(line: str) -> str:
    """Return what is left of a line without its blanks and with all numbers alike."""
    return _DIGITS.sub("0", "".join(line.split()))
