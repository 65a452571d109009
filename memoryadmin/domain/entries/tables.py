"""Tables in Markdown, as far as their rows hold facts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memoryadmin.domain.entries.prose import Line

_SEPARATOR = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_CELL_END = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Table:
    """The rows under the header, each with its cells named by the header, and how many lines the table takes."""

    rows: tuple[tuple[Line, tuple[tuple[str, str], ...]], ...]
    length: int


def table_at(lines: Sequence[Line], index: int) -> Table | None:
    """Return the table that begins with the line at `index`, or None."""
    if index + 1 >= len(lines) or "|" not in lines[index].content:
        return None
    if lines[index + 1].number != lines[index].number + 1 or not _SEPARATOR.fullmatch(lines[index + 1].content):
        return None
    header = _cells(lines[index].content)
    rows: list[tuple[Line, tuple[tuple[str, str], ...]]] = []
    for line in lines[index + 2 :]:
        if "|" not in line.content or line.number != lines[index].number + 2 + len(rows):
            break
        rows.append((line, _named(header, _cells(line.content))))
    return Table(tuple(row for row in rows if any(value for _, value in row[1])), 2 + len(rows))


def _cells(content: str) -> list[str]:
    cells = [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(content.strip())]
    if cells and not cells[0]:
        cells = cells[1:]
    return cells[:-1] if cells and not cells[-1] else cells


def _named(header: Sequence[str], cells: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the cells with the names of their columns; what stands beyond the header has no name."""
    names = [*header, *[""] * max(0, len(cells) - len(header))]
    return tuple(zip(names, cells, strict=False))
