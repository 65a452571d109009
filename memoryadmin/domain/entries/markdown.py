"""Walks through a Markdown text and gathers its entries.

What is indented under an entry belongs to it, except a bullet of a form of its own (a task under a task); so does a
line that follows without a blank. Prose makes an entry only under a heading that carries a date.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from memoryadmin.domain.entries.bullets import read_bullet
from memoryadmin.domain.entries.days import first_day
from memoryadmin.domain.entries.managed import managed_blocks
from memoryadmin.domain.entries.prose import Line, numbered_lines, prose_lines
from memoryadmin.domain.entries.tables import table_at
from memoryadmin.domain.entries.values import Entry, EntryForm, Tier

_HEADING = re.compile(r" {0,3}(?P<level>#{1,6})(?:\s+(?P<title>.*?))?(?:\s+#+)?\s*")
_BULLET = re.compile(r"\s*[-*+]\s+(?P<content>\S.*)")
_STEP = re.compile(r"\s*[0-9]{1,4}[.)]\s+(?P<content>\S.*)")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}")
_IMPORT = re.compile(r"\s{0,3}@(?P<target>[^\s@]+\.mdc?)\s*")
_DETAIL = re.compile(r"\s*(?:Contexto|Context|Контекст|Fonte|Source|Источник):\s*(?P<pairs>[^=|]+=.*)")
_TIERS = (
    (Tier.CONSTITUTIONAL, re.compile(r"constitutional|конституци", re.IGNORECASE)),
    (Tier.STRATEGIC, re.compile(r"strategic|стратеги", re.IGNORECASE)),
    (Tier.OPERATIONAL, re.compile(r"operational|операцион|оператив", re.IGNORECASE)),
)
_PLAIN = frozenset({EntryForm.BULLET, EntryForm.STEP})


@dataclass(slots=True)
class _Open:
    """An entry that may still grow."""

    entry: Entry
    indent: int
    end_line: int
    more: list[str] = field(default_factory=list)
    marks: list[tuple[str, str]] = field(default_factory=list)
    is_loose: bool = False


@dataclass(slots=True)
class _Heading:
    """The headings a line stands under, as far as entries care."""

    title: str = ""
    day: date | None = None
    tiers: dict[int, Tier] = field(default_factory=dict)

    def enter(self, level: int, title: str, day: date | None) -> None:
        """Stand under a heading: of a deeper one the tier stays that of those above."""
        self.title, self.day = title, first_day(title) or day
        self.tiers = {known: tier for known, tier in self.tiers.items() if known < level}
        tier = next((tier for tier, words in _TIERS if words.search(title)), None)
        if tier is not None:
            self.tiers[level] = tier

    @property
    def tier(self) -> Tier | None:
        """The tier of the innermost heading that names one."""
        return self.tiers[max(self.tiers)] if self.tiers else None


def markdown_entries(text: str, day: date | None) -> tuple[Entry, ...]:
    """Return the entries of a Markdown text in the order of their lines; `day` is the day the file is about."""
    if any(line.content.strip() == "§" for line in numbered_lines(text)):
        return tuple(_passages(text, day))
    managed = {number for block in managed_blocks(text) for number in range(block.line, block.end_line + 1)}
    lines = [line for line in prose_lines(text) if line.number not in managed]
    walk = _Walk(day)
    index = 0
    while index < len(lines):
        table = table_at(lines, index)
        if table is None:
            walk.take(lines[index])
            index += 1
        else:
            walk.take_rows(table.rows)
            index += table.length
    return walk.finished()


def _passages(text: str, day: date | None) -> list[Entry]:
    """Return the passages between lines that hold only a section sign."""
    found: list[Entry] = []
    gathered: list[Line] = []
    for line in [*numbered_lines(text), Line(0, "§")]:
        if line.content.strip() != "§":
            gathered.append(line)
            continue
        shown = [one.number for one in gathered if not one.is_blank]
        if shown:
            content = "\n".join(one.content for one in gathered if shown[0] <= one.number <= shown[-1])
            found.append(Entry(content, EntryForm.PASSAGE, shown[0], shown[-1], date=first_day(content) or day))
        gathered = []
    return found


class _Walk:
    """One way through the lines, from the top."""

    def __init__(self, day: date | None) -> None:
        self._day = day
        self._heading = _Heading(day=day)
        self._open: _Open | None = None
        self._prose: list[Line] = []
        self._section_line = 0
        self._entries: list[Entry] = []

    def take(self, line: Line) -> None:
        """Take the next line in."""
        if line.is_blank:
            if self._open is not None:
                self._open.is_loose = True
            return
        heading = _HEADING.fullmatch(line.content)
        if heading is not None:
            self._enter(line, len(heading["level"]), heading["title"] or "")
        elif _RULE.fullmatch(line.content):
            self._close()
        elif not self._take_item(line) and not self._take_more(line):
            self._take_prose(line)

    def take_rows(self, rows: Sequence[tuple[Line, tuple[tuple[str, str], ...]]]) -> None:
        """Take a table in: each row is an entry, its cells are the marks."""
        self._close()
        for line, cells in rows:
            text = " | ".join(value for _, value in cells if value)
            day = next((found for _, value in cells if (found := first_day(value))), None)
            self._add(Entry(text, EntryForm.ROW, line.number, line.number, date=day, marks=cells))

    def finished(self) -> tuple[Entry, ...]:
        """Return all entries, in the order of their lines."""
        self._close()
        self._close_section()
        return tuple(sorted(self._entries, key=lambda entry: entry.line))

    def _enter(self, line: Line, level: int, title: str) -> None:
        self._close()
        self._close_section()
        self._heading.enter(level, title, self._day)
        self._section_line = line.number if first_day(title) else 0

    def _take_item(self, line: Line) -> bool:
        """Begin an entry with a bullet, a step or an import; say whether the line is one."""
        entry = _item(line)
        if entry is None:
            return False
        is_inner = self._open is not None and line.indent > self._open.indent
        if is_inner and entry.form in _PLAIN:
            return False
        self._close()
        if entry.text:
            self._open = _Open(replace(entry, line=line.number), line.indent, line.number)
        return True

    def _take_more(self, line: Line) -> bool:
        """Let the open entry grow by a line that belongs to it; say whether it does."""
        if self._open is None:
            return False
        if line.indent <= self._open.indent and self._open.is_loose:
            self._close()
            return False
        detail = _DETAIL.fullmatch(line.content)
        if detail is not None:
            pairs = (pair.partition("=") for pair in detail["pairs"].split("|"))
            self._open.marks += [(name.strip(), value.strip()) for name, _, value in pairs]
        else:
            self._open.more.append(line.content.strip())
        self._open.end_line = line.number
        return True

    def _take_prose(self, line: Line) -> None:
        if self._section_line:
            self._prose.append(line)

    def _close(self) -> None:
        if self._open is not None:
            opened, self._open = self._open, None
            self._add(
                replace(
                    opened.entry,
                    text="\n".join([opened.entry.text, *opened.more]),
                    end_line=opened.end_line,
                    marks=(*opened.entry.marks, *opened.marks),
                )
            )

    def _close_section(self) -> None:
        if self._prose:
            text = "\n".join(line.content.strip() for line in self._prose)
            last = self._prose[-1].number
            self._add(Entry(text, EntryForm.SECTION, self._section_line, last, key=self._heading.title))
        self._prose = []

    def _add(self, entry: Entry) -> None:
        heading = self._heading
        day = entry.date or heading.day
        self._entries.append(replace(entry, section=heading.title, tier=heading.tier, date=day))


def _item(line: Line) -> Entry | None:
    """Return what a line begins, or None when it begins nothing; a template begins an entry without a text."""
    file_import = _IMPORT.fullmatch(line.content)
    if file_import is not None:
        return Entry(file_import["target"], EntryForm.FILE_IMPORT, target=file_import["target"])
    bullet = _BULLET.fullmatch(line.content)
    if bullet is not None:
        return read_bullet(bullet["content"].rstrip()) or Entry("", EntryForm.TYPED)
    step = _STEP.fullmatch(line.content)
    if step is not None:
        content = step["content"].rstrip()
        return Entry(content, EntryForm.STEP, date=first_day(content))
    return None
