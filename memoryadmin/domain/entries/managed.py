"""Blocks that a tool manages inside a person's file.

A managed block stands between a pair of comments: `<!-- name:start -->` … `<!-- name:end -->` or
`<!-- BEGIN name … -->` … `<!-- END name -->`. A beginning without its end manages nothing.
"""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from memoryadmin.domain.entries.prose import Line, numbered_lines
from memoryadmin.domain.entries.values import Entry, EntryForm

_START = re.compile(r"(?P<name>\S+):(?:start|begin)|BEGIN:?\s+(?P<begun>\S+)(?:\s.*)?", re.IGNORECASE)
_END = re.compile(r"(?P<name>\S+):(?:end|stop)|END:?\s+(?P<begun>\S+)(?:\s.*)?", re.IGNORECASE)
_CANDIDATE = re.compile(r"[-*+]\s+Candidate:\s*(?P<text>.*)")
_MOST_DETAILS = 20
_DETAIL = re.compile(r"\s+[-*+]\s+(?P<name>[a-z_]+):\s*(?P<value>.*)")


@dataclass(frozen=True, slots=True)
class ManagedBlock:
    """A block that a tool writes: its name, its lines with those of the comments, and the candidates staged in it."""

    name: str
    line: int
    end_line: int
    candidates: tuple[Entry, ...] = ()


def managed_blocks(text: str) -> tuple[ManagedBlock, ...]:
    """Return the managed blocks of `text`, in order; a block inside another belongs to the outer one."""
    lines = numbered_lines(text)
    ends: dict[str, list[int]] = defaultdict(list)
    for line in lines:
        if name := _name(_END, line):
            ends[name].append(line.number)
    blocks: list[ManagedBlock] = []
    for line in lines:
        name = _name(_START, line)
        if not name or (blocks and line.number <= blocks[-1].end_line):
            continue
        end = bisect(ends[name], line.number)
        if end < len(ends[name]):
            end_line = ends[name][end]
            inside = lines[line.number : end_line - 1]
            blocks.append(ManagedBlock(name, line.number, end_line, tuple(_candidates(inside))))
    return tuple(blocks)


def _name(form: re.Pattern[str], line: Line) -> str:
    """Return the name that a comment of this form gives its block, or nothing for any other line."""
    content = line.content.strip()
    if not (content.startswith("<!--") and content.endswith("-->")):
        return ""
    match = form.fullmatch(content[4:-3].strip())
    return match["name"] or match["begun"] if match else ""


def _candidates(lines: Sequence[Line]) -> Iterator[Entry]:
    """Yield what a tool has noted down to look at later, with the details that stand indented under each."""
    for index, line in enumerate(lines):
        candidate = _CANDIDATE.fullmatch(line.content)
        if candidate is None:
            continue
        details = takewhile(
            bool, (_DETAIL.fullmatch(following.content) for following in lines[index + 1 : index + 1 + _MOST_DETAILS])
        )
        marks = tuple((detail["name"], detail["value"]) for detail in details if detail)
        yield Entry(candidate["text"], EntryForm.CANDIDATE, line.number, line.number + len(marks), marks=marks)
