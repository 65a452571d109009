"""How large a text is, whether that is too large, and how it is cut for an agent.

Called by services when a file is saved or listed, by context for each section, by the edit page's counter.
A soft limit warns and cuts what is sent; only the hard limit refuses, and never a change that does not grow
the file. Characters are Unicode code points.
"""

from dataclasses import dataclass
from enum import StrEnum

from memoryadmin.domain.clusters import boundary_after, boundary_before
from memoryadmin.domain.errors import TooLargeError
from memoryadmin.domain.files import CutEnd, FileKind
from memoryadmin.domain.lines import count_lines

# From this share of a limit on, people are told.
_NEAR_PERCENT = 80

# A document's cut moves this far at most to reach a line end, or a twentieth: a budget is worth more than a
# whole last line.
_NEAR_LINE_END_CHARS = 200

_SHORT_MARKER = "[…]"


@dataclass(frozen=True, slots=True)
class Size:
    """A text counted three ways; a last line without a line feed counts."""

    chars: int
    bytes: int
    lines: int


class LimitState(StrEnum):
    """Where a text stands against the limits of its kind."""

    FINE = "fine"
    NEAR = "near"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Cut:
    """What is sent of a text: `text`, whose kept part is [start, stop) of the original.

    `kept_chars` and `total_chars` are the numbers that the marker inside `text` names.
    """

    text: str
    kept_chars: int
    total_chars: int
    start: int
    stop: int
    is_cut: bool


def measure(text: str) -> Size:
    """Return the size of `text` in characters, UTF-8 bytes and lines."""
    return Size(chars=len(text), bytes=len(text.encode()), lines=count_lines(text))


def limit_state(kind: FileKind, size: Size) -> LimitState:
    """Return how `size` stands against every limit that `kind` has; the worst of them counts.

    A text of exactly the limit is near it, not over.
    """
    limits = (
        (size.chars, kind.soft_limit_chars),
        (size.lines, kind.limit_lines),
        (size.bytes, kind.limit_bytes),
    )
    shares = [(amount, limit) for amount, limit in limits if limit is not None]
    if any(amount > limit for amount, limit in shares):
        return LimitState.OVER
    if any(amount * 100 >= limit * _NEAR_PERCENT for amount, limit in shares):
        return LimitState.NEAR
    return LimitState.FINE


def require_hard_limit(*, size_bytes: int, base_bytes: int, limit_bytes: int) -> None:
    """Return nothing when a text of `size_bytes` may replace one of `base_bytes` (0 for a new file).

    :raises TooLargeError: it is over the limit and larger than its base.
    """
    if size_bytes > max(limit_bytes, base_bytes):
        raise TooLargeError(size_bytes=size_bytes, limit_bytes=limit_bytes)


def cut(text: str, *, limit_chars: int, cut_end: CutEnd, name: str) -> Cut:
    """Return `text` whole when it fits, else its kept part and a marker, together at most `limit_chars`.

    The marker is on a line of its own and tells how much of `name` is there. The cut never falls inside a
    sign, and on a line end where one is near. Below the marker's own length a bare `[…]` stands for it.

    >>> cut("one\\ntwo\\n" * 30, limit_chars=100, cut_end=CutEnd.END, name="USER.md").text[-59:]
    'two\\none\\n[…truncated: kept 44 of 240 characters of USER.md…]'
    """
    total = len(text)
    if total <= limit_chars:
        return Cut(text, total, total, 0, total, is_cut=False)
    # No later marker is longer: what is kept has at most as many digits as the limit.
    room = limit_chars - len(_marker(limit_chars, total, name)) - 1
    if room < 0:
        return Cut(_SHORT_MARKER[: max(limit_chars, 0)], 0, total, 0, 0, is_cut=True)
    if cut_end is CutEnd.START:
        start, stop = _start_of_kept(text, total - room), total
        sent = f"{_marker(stop - start, total, name)}\n{text[start:]}"
    else:
        start, stop = 0, _stop_of_kept(text, room)
        joint = "" if stop == 0 or text[stop - 1] == "\n" else "\n"
        sent = f"{text[:stop]}{joint}{_marker(stop, total, name)}"
    return Cut(sent, stop - start, total, start, stop, is_cut=True)


def _marker(kept: int, total: int, name: str) -> str:
    return f"[…truncated: kept {kept:,} of {total:,} characters of {name}…]"


def _stop_of_kept(text: str, room: int) -> int:
    near = min(max(_NEAR_LINE_END_CHARS, room // 20), room // 4)
    line_end = text.rfind("\n", room - near, room) + 1
    return line_end or boundary_before(text, room)


def _start_of_kept(text: str, first: int) -> int:
    """Return where the kept end of a log starts: at a line if at all possible, for its date stands there."""
    near = (len(text) - first) // 2
    line_start = text.find("\n", first - 1, first + near) + 1
    return line_start or boundary_after(text, first)
