"""A diff as a page shows it: lines or pairs of lines, folds, and the words that sum it up.

Called by the pages that compare, restore and resolve. All text is escaped here; what nobody would see is marked. A
diff of any length is shown part by part, so that a page stays small; a long fold is one block without numbers.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext

from memoryadmin.domain.diffs import Diff, DiffRow, Fold, RowKind, Span, fold
from memoryadmin.web.tags import hidden_marks, number

PART_ROWS = 1000
_LONG_FOLD_ROWS = 200


class Tone(StrEnum):
    """What a line is on its side; names the styles."""

    SAME = "same"
    REMOVED = "del"
    ADDED = "add"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Line:
    """One line on one side, or the place where that side has none."""

    tone: Tone
    old_number: int | None
    new_number: int | None
    text: SafeString

    @property
    def is_same(self) -> bool:
        return self.tone is Tone.SAME

    @property
    def sign(self) -> str:
        """What stands before the line, so that colour is never the only sign."""
        return _SIGNS.get(self.tone, "")

    @property
    def word(self) -> str | Promise:
        """The sign in a word, for people who do not see it."""
        return _WORDS.get(self.tone, "")


_SIGNS = {Tone.REMOVED: "−", Tone.ADDED: "+"}
_WORDS = {Tone.REMOVED: gettext_lazy("removed"), Tone.ADDED: gettext_lazy("added")}
_NONE = Line(Tone.NONE, None, None, SafeString(""))


@dataclass(frozen=True, slots=True)
class Pair:
    """The same place in both texts, side by side."""

    old: Line
    new: Line
    is_same: bool


_Maker = Callable[[DiffRow], Iterator[Line] | Iterator[Pair]]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows to show, or a fold whose `words` say what is in it. A long fold is `block`: text without numbers."""

    rows: tuple[Line | Pair, ...]
    is_fold: bool = False
    words: str = ""
    block: SafeString | None = None


@dataclass(frozen=True, slots=True)
class ShownDiff:
    """A part of a diff. `next_start` is where the next part begins, 0 at the end; `words` sum up the whole."""

    stretches: tuple[Stretch, ...]
    words: str
    is_split: bool
    is_coarse: bool
    is_empty: bool
    start: int
    next_start: int


def shown_diff(diff: Diff, *, is_split: bool = False, start: int = 0) -> ShownDiff:
    """Return the part of `diff` from its row `start` on; folds count as one row."""
    folded = fold(diff.rows)
    part = folded[start : start + PART_ROWS]
    stretches = tuple(_stretches(part, _pairs if is_split else _lines))
    goes_on = start + PART_ROWS < len(folded)
    return ShownDiff(
        stretches=stretches, words=changes_in_words(diff), is_split=is_split, is_coarse=diff.is_coarse,
        is_empty=not (diff.added or diff.removed), start=start, next_start=start + PART_ROWS if goes_on else 0,
    )  # fmt: skip


def changes_in_words(diff: Diff) -> str:
    """Return how many lines came and went, for people who do not look at the colours."""
    if not (diff.added or diff.removed):
        return gettext("No line differs")
    words = []
    if diff.added:
        words.append(ngettext("%(n)s line added", "%(n)s lines added", diff.added) % {"n": number(diff.added)})
    if diff.removed:
        words.append(ngettext("%(n)s line removed", "%(n)s lines removed", diff.removed) % {"n": number(diff.removed)})
    return ", ".join(words)


def _stretches(part: Iterable[DiffRow | Fold], made: _Maker) -> Iterator[Stretch]:
    rows: list[Line | Pair] = []
    for one in part:
        if isinstance(one, DiffRow):
            rows.extend(made(one))
            continue
        if rows:
            yield Stretch(tuple(rows))
            rows = []
        yield _folded(one, made)
    if rows:
        yield Stretch(tuple(rows))


def _folded(one: Fold, made: _Maker) -> Stretch:
    count = len(one.rows)
    words = ngettext("%(n)s unchanged line", "%(n)s unchanged lines", count) % {"n": number(count)}
    if count > _LONG_FOLD_ROWS:
        text = "".join(span.text for row in one.rows for span in row.new)
        return Stretch((), is_fold=True, words=words, block=hidden_marks(text))
    return Stretch(tuple(line for row in one.rows for line in made(row)), is_fold=True, words=words)


def _lines(row: DiffRow) -> Iterator[Line]:
    if row.kind is RowKind.EQUAL:
        yield Line(Tone.SAME, row.old_number, row.new_number, _text(row.new, ""))
        return
    if row.kind is not RowKind.ADDED:
        yield Line(Tone.REMOVED, row.old_number, None, _text(row.old, "del"))
    if row.kind is not RowKind.REMOVED:
        yield Line(Tone.ADDED, None, row.new_number, _text(row.new, "ins"))


def _pairs(row: DiffRow) -> Iterator[Pair]:
    if row.kind is RowKind.EQUAL:
        line = Line(Tone.SAME, row.old_number, row.new_number, _text(row.new, ""))
        yield Pair(line, line, is_same=True)
        return
    lines = {line.tone: line for line in _lines(row)}
    yield Pair(lines.get(Tone.REMOVED, _NONE), lines.get(Tone.ADDED, _NONE), is_same=False)


def _text(spans: Iterable[Span], tag: str) -> SafeString:
    text = SafeString("")
    for span in spans:
        shown = hidden_marks(span.shown)
        # SafeString plus SafeString stays safe; the tag is our own word.
        text += format_html("<{0}>{1}</{0}>", tag, shown) if span.is_marked and tag else shown
    return text
