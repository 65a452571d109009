"""The lines of a Markdown file in which people write: without front matter, code and comments."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memoryadmin.domain.lines import split_lines

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number from 1, and its content without the line end."""

    number: int
    content: str

    @property
    def indent(self) -> int:
        """How many columns the content is indented; a tab reaches to the next fourth column."""
        expanded = self.content.expandtabs(4)
        return len(expanded) - len(expanded.lstrip())

    @property
    def is_blank(self) -> bool:
        """Whether nothing is to be seen on the line."""
        return not self.content.strip()


def numbered_lines(text: str) -> list[Line]:
    """Return the lines of `text`; a leading byte order mark and the line ends are left out."""
    lines = split_lines(text.removeprefix("\ufeff"))
    return [Line(number, line.rstrip("\r\n")) for number, line in enumerate(lines, start=1)]


def prose_lines(text: str) -> list[Line]:
    """Return the lines of `text` that hold prose; of a line with a comment what is left of it, if anything is."""
    lines = numbered_lines(text)
    return list(_without_comments(_without_code(lines[_front_matter_lines(lines) :])))


def _front_matter_lines(lines: Sequence[Line]) -> int:
    """Return how many lines the front matter takes, whether or not it is YAML."""
    if not lines or lines[0].content.rstrip() != "---":
        return 0
    return next((line.number for line in lines[1:] if line.content.rstrip() in {"---", "..."}), 0)


def _without_code(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines outside fenced code; a fence that is never closed reaches to the end."""
    fence = ""
    for line in lines:
        match = _FENCE.match(line.content)
        if fence:
            is_end = match is not None and match[1].startswith(fence) and not line.content[match.end() :].strip()
            fence = "" if is_end else fence
        elif match is not None:
            fence = match[1]
        else:
            yield line


def _without_comments(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines with their comments cut out, without lines that held nothing else.

    A comment that no end follows in the whole text is none: it would swallow what people wrote.
    """
    known = list(lines)
    last_end = max((line.number for line in known if "-->" in line.content), default=0)
    is_inside = False
    for line in known:
        content, kept, place, was_inside = line.content, [], 0, is_inside
        while place < len(content):
            if is_inside:
                end = content.find("-->", place)
                is_inside, place = end < 0, len(content) if end < 0 else end + 3
                continue
            start = content.find("<!--", place)
            is_inside = start >= 0 and (line.number < last_end or content.find("-->", start) >= 0)
            kept.append(content[place : start if is_inside else len(content)])
            place = start + 4 if is_inside else len(content)
        rest = "".join(kept)
        if rest == content and not was_inside:
            yield line
        elif rest.strip():
            yield Line(line.number, rest.rstrip())
