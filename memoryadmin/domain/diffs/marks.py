"""Which words differ inside two versions of one line.

Called by `rows`. Both lines are cut into words, so that a mark never covers half a sign, and the words are
matched as lines are: work is counted, not timed, so that a page looks the same twice. diff-match-patch tidies
the result for readers (nobody reads a line in which every other blank stayed). Its own diff is not used: it
gives up by the clock, which the domain does not read, and then marks everything without saying so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from unicodedata import category

from diff_match_patch import diff_match_patch

from memoryadmin.domain.clusters import boundary_before, is_boundary, words
from memoryadmin.domain.matching import WORK_CELLS, Change, Matching, count_equal, match

# Work on all lines of one comparison, in units of about 10 ns: a fixed part and the characters of each line,
# the cells of its matching, and the square of its words for tidying.
_PAGE_WORK = 60_000_000
_LINE_WORK = 1_500
_CHAR_WORK = 50
_CELLS_OF_WORK = 10
_TIDIED_WORDS = 2_000

# A mark of so many characters is read at a glance, whatever may have stayed inside.
_GLANCE_CHARS = 40

# How far the end of a rough mark is moved to a place where no sign is parted.
_LONGEST_SIGN = 64

# The library works on characters: each word of a line stands in as one of a private plane.
_FIRST_STAND_IN = 0xF0000

# Stand for signs that nobody sees, where those are the change.
_SIGNS = {" ": "·", "\t": "⇥", "\r": "␍", "\n": "⏎"}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a line, line end included; `is_marked` when the other version of the line lacks it."""

    text: str
    is_marked: bool

    @property
    def shown(self) -> str:
        """The text for a page: no line end, but a sign for it, and for blanks, where those are the change."""
        if not self.is_marked:
            return self.text.removesuffix("\n").removesuffix("\r")
        if all(sign.isspace() or category(sign)[0] == "C" for sign in self.text):
            return "".join(_SIGNS.get(sign, f"U+{ord(sign):04X}") for sign in self.text)
        return self.text.replace("\r", _SIGNS["\r"]).replace("\n", _SIGNS["\n"])


def count_marked(spans: Iterable[Span]) -> int:
    """Return how many characters of a line are marked."""
    return sum(len(span.text) for span in spans if span.is_marked)


class WordMarker:
    """Marks the lines of one comparison; `is_coarse` once one of them was not looked at closely enough."""

    def __init__(self) -> None:
        self.is_coarse = False
        self._work_left = _PAGE_WORK

    def mark(self, old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """Return both versions of a line as spans of which the differing ones are marked."""
        work = _LINE_WORK + _CHAR_WORK * (len(old) + len(new))
        if work > self._work_left:
            rough = _roughly_marked(old, new)
            self.is_coarse = self.is_coarse or min(map(count_marked, rough)) > _GLANCE_CHARS
            return rough
        self._work_left -= work
        old_words, new_words = words(old), words(new)
        changes = self._changes(old_words, new_words)
        return (
            _spans(old_words, [(change.start, change.stop) for change in changes]),
            _spans(new_words, [(change.new_start, change.new_stop) for change in changes]),
        )

    def _changes(self, old: list[str], new: list[str]) -> Sequence[Change]:
        matching = match(old, new, limit_cells=min(WORK_CELLS, self._work_left * _CELLS_OF_WORK))
        self.is_coarse = self.is_coarse or matching.is_coarse
        self._work_left -= matching.cells // _CELLS_OF_WORK
        count = len(old) + len(new)
        if len(matching.changes) == 1 or count > _TIDIED_WORDS or count * count > self._work_left:
            return matching.changes
        self._work_left -= count * count
        return list(_tidied(old, new, matching))


def _roughly_marked(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return both versions marked from the first sign that differs to the last, without a look between."""
    head = boundary_before(old, boundary_before(new, count_equal(old, new)))
    alike = count_equal(old[head:][::-1], new[head:][::-1])
    tails = range(alike, max(alike - _LONGEST_SIGN, 0), -1)
    tail = next((n for n in tails if is_boundary(old, len(old) - n) and is_boundary(new, len(new) - n)), 0)
    return _marked_between(old, head, len(old) - tail), _marked_between(new, head, len(new) - tail)


def _marked_between(line: str, start: int, stop: int) -> tuple[Span, ...]:
    parts = ((line[:start], False), (line[start:stop], True), (line[stop:], False))
    return tuple(Span(text, is_marked) for text, is_marked in parts if text)


def _tidied(old: list[str], new: list[str], matching: Matching) -> Iterator[Change]:
    """Yield the changes with those taken together that have too little between them to be read apart."""
    stand_ins: dict[str, str] = {}
    for word in [*old, *new]:
        stand_ins.setdefault(word, chr(_FIRST_STAND_IN + len(stand_ins)))
    diffs = _edits([stand_ins[word] for word in old], [stand_ins[word] for word in new], matching)
    diff_match_patch().diff_cleanupSemantic(diffs)
    place = new_place = 0
    for kind, text in diffs:
        stop = place + (len(text) if kind != diff_match_patch.DIFF_INSERT else 0)
        new_stop = new_place + (len(text) if kind != diff_match_patch.DIFF_DELETE else 0)
        if kind != diff_match_patch.DIFF_EQUAL:
            yield Change(place, stop, new_place, new_stop)
        place, new_place = stop, new_stop


def _edits(old: list[str], new: list[str], matching: Matching) -> list[tuple[int, str]]:
    """Return a matching as the list of edits that the library knows."""
    edits = []
    place = 0
    for change in matching.changes:
        edits.append((diff_match_patch.DIFF_EQUAL, "".join(old[place : change.start])))
        edits.append((diff_match_patch.DIFF_DELETE, "".join(old[change.start : change.stop])))
        edits.append((diff_match_patch.DIFF_INSERT, "".join(new[change.new_start : change.new_stop])))
        place = change.stop
    edits.append((diff_match_patch.DIFF_EQUAL, "".join(old[place:])))
    return [(kind, text) for kind, text in edits if text]


def _spans(words_of_line: list[str], marked: list[tuple[int, int]]) -> tuple[Span, ...]:
    flags = [False] * len(words_of_line)
    for start, stop in marked:
        flags[start:stop] = [True] * (stop - start)
    places = groupby(range(len(flags)), key=flags.__getitem__)
    return tuple(Span("".join(words_of_line[place] for place in run), is_marked) for is_marked, run in places)
