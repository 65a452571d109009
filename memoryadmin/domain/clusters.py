"""Where a text may be cut: what people see as one sign, and the words made of them.

Called by limits (a cut falls between signs) and diffs (a mark covers whole signs, and whole words where the
script has words). A compact form of the extended grapheme clusters of Unicode Annex 29 on the standard
library alone: it may keep more together than the annex does (a joiner with any sign after it), never less.
"""

import re
import unicodedata

_ZWJ = "\u200d"

# Signs that attach to what stands before them although their category does not say so: joiners, skin tones,
# tags, half-width voicing marks, Thai and Lao AM.
_EXTENDING = re.compile("[\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\uff9e\uff9f\u0e33\u0eb3]")

# Signs that attach to what comes after them, such as the Arabic number sign.
_PREPENDED = re.compile(
    "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3"
    "\U0001193f\U00011941\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02]"
)

_LEADING_JAMO = re.compile("[\u1100-\u115f\ua960-\ua97c]")
_FOLLOWING_JAMO = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
_HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb]")

_FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"
_FLAG_LETTER = re.compile(f"[{_FLAG_LETTERS}]")

# Scripts written without blanks between words: every sign counts as a word of its own.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)

_WORDS = re.compile(
    rf"\r\n|[^\S\r\n]+|[{_FLAG_LETTERS}]{{2}}|[^\W{_UNSPACED}]+|.",
    re.DOTALL,
)
_WORD_START = re.compile(rf"[^\W{_UNSPACED}]")

# Every sign that might attach to a neighbour (CR LF apart), and a few that do not: most texts have none.
_SPECIAL = re.compile(
    "[^\x00-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u2100-\u2bff\u3000-\u3029\u3030-\u3098"
    "\u309b-\ua66e\uac00-\ud7a3\uf900-\ufaff\uff00-\uff65\U0001f300-\U0001f3fa\U0001f400-\U0001faff]"
)
_FIRST_ATTACHING = "\u0300"


def is_boundary(text: str, index: int) -> bool:
    """Return whether `text` may be cut before `index` without parting a sign; both ends are boundaries."""
    if not 0 < index < len(text):
        return True
    if text[index - 1] == "\r" and text[index] == "\n":
        return False
    return not (
        _attaches(text[index - 1], text[index]) or _completes_flag(text, index) or _completes_conjunct(text, index)
    )


def boundary_before(text: str, index: int) -> int:
    """Return the last boundary at or before `index`."""
    while not is_boundary(text, index):
        index -= 1
    return index


def boundary_after(text: str, index: int) -> int:
    """Return the first boundary at or after `index`."""
    while not is_boundary(text, index):
        index += 1
    return index


def words(text: str) -> list[str]:
    """Return `text` in pieces: words, blanks, line ends, single signs; joined they are `text` again.

    A word is a run of letters and digits with the marks on them; in scripts without blanks between words
    every sign is a piece.
    """
    pieces = _WORDS.findall(text)
    special = set(_SPECIAL.findall(text))
    return _rejoined(text, pieces, special) if special else pieces


def _rejoined(text: str, pieces: list[str], special: set[str]) -> list[str]:
    """Return the pieces with those joined that meet inside a sign, or inside a word with marks on it."""
    starts = [0]
    place = 0
    for piece in pieces[:-1]:
        place += len(piece)
        is_inside = (text[place] in special or text[place - 1] in special) and (
            _attaches(text[place - 1], text[place])
            or _completes_conjunct(text, place)
            or (_WORD_START.match(text, starts[-1]) and _WORD_START.match(text, place))
        )
        if not is_inside:
            starts.append(place)
    return [text[start:stop] for start, stop in zip(starts, [*starts[1:], len(text)], strict=True)]


def _attaches(before: str, after: str) -> bool:
    """Return whether two neighbours are parts of one sign, as far as the two alone can tell."""
    if before < _FIRST_ATTACHING and after < _FIRST_ATTACHING:
        return False
    if _is_control(before) or _is_control(after):
        return False
    return (
        _extends(after)
        or _PREPENDED.match(before) is not None
        or (before == _ZWJ and not after.isspace())
        or (_LEADING_JAMO.match(before) is not None and _HANGUL.match(after) is not None)
        or (_FOLLOWING_JAMO.match(after) is not None and _HANGUL.match(before) is not None)
    )


def _extends(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M" or _EXTENDING.match(sign) is not None


def _is_control(sign: str) -> bool:
    category = unicodedata.category(sign)
    if category in {"Cc", "Cs", "Zl", "Zp"}:
        return True
    return category == "Cf" and not _EXTENDING.match(sign) and not _PREPENDED.match(sign)


def _completes_flag(text: str, index: int) -> bool:
    """Return whether `index` falls between a flag's two letters: an odd run of such letters ends there."""
    if not _FLAG_LETTER.match(text, index):
        return False
    start = index
    while start and _FLAG_LETTER.match(text, start - 1):
        start -= 1
    return (index - start) % 2 == 1


def _completes_conjunct(text: str, index: int) -> bool:
    """Return whether a letter follows a virama, as in Devanagari: the two are written as one sign."""
    if text[index] < _FIRST_ATTACHING or unicodedata.category(text[index]) != "Lo":
        return False
    place = index - 1
    while place >= 0 and _extends(text[place]):
        if unicodedata.combining(text[place]) == 9:
            return True
        place -= 1
    return False
