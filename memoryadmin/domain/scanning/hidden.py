"""Characters that say to a model what a person cannot see, and how to make them visible.

Honest uses raise no alarm: joiners inside emoji and in scripts that need them, direction marks beside
right-to-left letters, variation selectors after a symbol or ideograph, the three flags spelled with tags, a
byte order mark at the very beginning. Source: case SE-05.
"""

import re
import unicodedata
from dataclasses import dataclass

from memoryadmin.domain.scanning.findings import Finding, Span, located

# kind -> what stands inside a regular expression's brackets
_KINDS = {
    "zero_width": "\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u3164\ufeff\uffa0\ufff9-\ufffb",
    "bidi_control": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "tag_character": "\U000e0000-\U000e007f",
    "soft_hyphen": "\u00ad",
    "variation_selector": "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef",
    "control": "\x00-\x08\x0e-\x1f\x7f-\x9f",
}
_HIDDEN = re.compile("|".join(f"(?P<{kind}>[{characters}])" for kind, characters in _KINDS.items()))

_FLAGS = re.compile(
    "\U0001f3f4(?:"
    + "|".join("".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))
    + ")\U000e007f"
)

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINED_EMOJI = re.compile(f"[{_EMOJI}][\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]?\u200d(?=[{_EMOJI}])")

_MARKS = "\u200e\u200f\u061c"
_MARK_REACH = 12  # a mark mends the order of brackets and numbers near right-to-left letters
_JOINERS = "\u200c\u200d"
_JOINING_SCRIPTS = (
    "ARABIC",
    "SYRIAC",
    "MONGOLIAN",
    "DEVANAGARI",
    "BENGALI",
    "GURMUKHI",
    "GUJARATI",
    "ORIYA",
    "TAMIL",
    "TELUGU",
    "KANNADA",
    "MALAYALAM",
    "SINHALA",
    "TIBETAN",
    "MYANMAR",
    "KHMER",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text to show as it is or, when `is_mark`, one hidden character's name: `U+200B`."""

    text: str
    is_mark: bool


def find_hidden(text: str) -> tuple[Finding, ...]:
    """Return the runs of hidden characters in `text`, in order; honest uses are no findings.

    The kinds are `zero_width`, `bidi_control`, `tag_character`, `soft_hyphen`, `variation_selector`,
    `control`.
    """
    spans: list[Span] = []
    for kind, position in _hidden_characters(text):
        if spans and spans[-1].end == position and spans[-1].kind == kind:
            spans[-1] = Span(kind, spans[-1].start, position + 1)
        else:
            spans.append(Span(kind, position, position + 1))
    return located(text, spans, _code_points)


def hidden_marks(text: str) -> tuple[Piece, ...]:
    """Return `text` in pieces, each hidden character a piece of its own.

    Joined again, with every mark turned back into its character, the pieces are `text`.
    """
    pieces: list[Piece] = []
    shown_to = 0
    for _, position in _hidden_characters(text):
        if shown_to < position:
            pieces.append(Piece(text[shown_to:position], is_mark=False))
        pieces.append(Piece(f"U+{ord(text[position]):04X}", is_mark=True))
        shown_to = position + 1
    if shown_to < len(text):
        pieces.append(Piece(text[shown_to:], is_mark=False))
    return tuple(pieces)


def _hidden_characters(text: str) -> list[tuple[str, int]]:
    """Return the kind and the offset of every hidden character that no honest use explains."""
    candidates = [(str(match.lastgroup), match.start()) for match in _HIDDEN.finditer(text)]
    if not candidates:
        return []
    honest = {match.end() - 1 for match in _JOINED_EMOJI.finditer(text)}
    for match in _FLAGS.finditer(text):
        honest.update(range(*match.span()))
    return [
        (kind, position)
        for kind, position in candidates
        if position not in honest and not _is_honest(text, position, kind)
    ]


def _is_honest(text: str, position: int, kind: str) -> bool:
    character, before, after = (
        text[position],
        text[position - 1 : position],
        text[position + 1 : position + 2],
    )
    if character == "\ufeff":
        return position == 0
    if character in _JOINERS:
        return _joins(before) and (_joins(after) or not after.strip())
    if character in _MARKS:
        around = text[max(0, position - _MARK_REACH) : position + _MARK_REACH]
        return any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in around if letter.isalpha())
    return kind == "variation_selector" and _takes_variation(before, character)


def _joins(neighbour: str) -> bool:
    return neighbour != "" and unicodedata.name(neighbour, "").startswith(_JOINING_SCRIPTS)


def _takes_variation(before: str, selector: str) -> bool:
    if not before:
        return False
    name = unicodedata.name(before, "")
    if selector <= "\u180f":
        return name.startswith("MONGOLIAN LETTER")
    if selector in "\ufe0e\ufe0f" and (before in "#*0123456789" or re.match(f"[{_EMOJI}]", before)):
        return True
    return name.startswith("CJK ") or (selector <= "\ufe0f" and unicodedata.category(before) in {"Sm", "So"})


def _code_points(run: str) -> str:
    first = f"U+{ord(run[0]):04X}"
    return first if len(run) == 1 else f"{first} and {len(run) - 1} more"
