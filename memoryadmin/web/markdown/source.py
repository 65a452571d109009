"""Memory text made ready for the Markdown parser, which reads lists more strictly than people write them.

What changes is only how it is read: lists nested by two blanks are nested, a list or table right under a
line of text is one, a line that was not wrapped stays a line of its own, `#tag` is no heading, code blocks
are taken out, and a passage whose brackets would take the parser too long has them escaped. Knows nothing
of HTML.
"""

import re
from dataclasses import dataclass, field

INDENT = "    "
MAX_DEPTH = 16  # of lists and quotes inside each other; deeper text is not read by people either
# Lines of wrapped prose are about this long; in a paragraph with any other, each line was meant as a line.
WRAPPED_CHARS = range(55, 126)
# To look for a link costs the distance from each `[` to its `]`; a passage over this is shown unlinked.
MAX_BRACKET_COST = 1_000_000
MAX_COLUMNS = 100

_MARKER = re.compile(r"( *)([-*+]|\d{1,9}[.)])(?: +(?=\S)| *$)(.*)")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *")
_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*$)|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")
_TAG = re.compile(r" {0,3}#{1,6}[^#\s]")
_DELIMITER_ROW = re.compile(r" *\|? *:?-+:? *(?:\| *:?-+:? *)+\|? *|\| *:?-+:? *\| *")
_QUOTE = re.compile(r"( *)> ?")
_CHAIN = re.compile(r"(?: *(?:>|[-*+](?= )|\d{1,9}[.)](?= )))+")
# Stands for a code block while the rest is parsed: a noncharacter, which no text keeps.
CODE_SIGN = "\ufdd0"
_UNSHOWN = {n: 0x2400 + n for n in range(0x20) if n not in (0x09, 0x0A, 0x0D)} | {
    0x7F: 0x2421,
    ord(CODE_SIGN): 0xFFFD,
}


class TooDeepError(Exception):
    """Lists or quotes are nested further than can be shown."""


class TooWideError(Exception):
    """A table has more columns than can be shown."""


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced block: the words after its fence, and its text."""

    name: str
    text: str


@dataclass(slots=True)
class _Line:
    text: str
    kind: str  # blank, item, text, heading, code, table, quote


@dataclass(slots=True)
class _Reader:
    """Reads lines one after another; `open_items` holds the indentation of every list item still open."""

    depth: int
    codes: list[Code]
    out: list[_Line] = field(default_factory=list)
    open_items: list[int] = field(default_factory=list)
    was_ordered: dict[int, bool] = field(default_factory=dict)  # by level
    block_kind: str = ""  # what the run of lines without a blank began with
    never_closed: dict[str, int] = field(default_factory=dict)  # by sign, the shortest fence without an end

    def last_kind(self) -> str:
        return self.out[-1].kind if self.out else "blank"

    def add(self, text: str, kind: str) -> None:
        if self.last_kind() == "blank":
            self.block_kind = kind
        self.out.append(_Line(text, kind))

    def close_items(self, indent: int) -> None:
        while self.open_items and indent < self.open_items[-1] + 2:
            self.open_items.pop()

    def item(self, found: re.Match[str]) -> None:
        indent, marker, rest = len(found[1]), found[2].replace(")", "."), found[3]
        self.close_items(indent)
        level = len(self.open_items)
        if self.depth + level >= MAX_DEPTH:
            raise TooDeepError
        is_ordered = marker not in "-*+"
        is_other_list = self.last_kind() != "blank" and self.was_ordered.get(level, is_ordered) != is_ordered
        if is_other_list or (self.last_kind() in ("text", "table", "quote") and self.block_kind != "item"):
            self.add("", "blank")
        self.was_ordered = {at: kind for at, kind in self.was_ordered.items() if at < level} | {level: is_ordered}
        self.open_items.append(indent)
        self.add(f"{INDENT * level}{marker} {rest}", "item")

    def text(self, line: str, kind: str) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if self.last_kind() == "blank":
            self.close_items(indent)
        if not self.open_items:
            self.add(line, kind)
        else:
            self.add(INDENT * len(self.open_items) + line.lstrip(" "), kind)


def prepare(text: str) -> tuple[str, list[Code]]:
    """Return `text` (line ends as LF) as the parser should read it, and its code blocks in order.

    :raises TooDeepError: lists or quotes are nested more than MAX_DEPTH deep.
    :raises TooWideError: a table has more than MAX_COLUMNS columns.
    """
    plain = text.translate(_UNSHOWN).expandtabs(4)
    codes: list[Code] = []
    return "\n".join(line.text for line in _read(plain.split("\n"), 0, codes)), codes


def split_front_matter(text: str) -> tuple[str, str]:
    """Return (front matter without its `---` lines, the rest); the first is empty when there is none.

    Whether it is good YAML does not matter: it is shown as it stands.
    """
    lines = text.split("\n")
    if len(lines) < 3 or lines[0].rstrip() != "---" or not lines[1].strip():
        return "", text
    for number, line in enumerate(lines[1:200], start=1):
        if line.rstrip() in ("---", "..."):
            inside = lines[1:number]
            return (
                ("\n".join(inside), "\n".join(lines[number + 1 :])) if any(":" in one for one in inside) else ("", text)
            )
    return "", text


def _read(lines: list[str], depth: int, codes: list[Code]) -> list[_Line]:
    if depth > MAX_DEPTH:
        raise TooDeepError
    reader = _Reader(depth, codes)
    at = 0
    while at < len(lines):
        at = _read_one(reader, lines, at)
    _keep_breaks(reader.out)
    _unlink_costly(reader.out)
    return reader.out


def _read_one(reader: _Reader, lines: list[str], at: int) -> int:
    """Read what begins at `lines[at]` and return where the next thing begins."""
    line = lines[at]
    if not line.strip():
        reader.add("", "blank")
        return at + 1
    if fence := _FENCE.match(line):
        return _read_fence(reader, lines, at, fence)
    if quote := _QUOTE.match(line):
        reader.close_items(len(quote[1]))
        if not reader.open_items:
            return _read_quote(reader, lines, at)
    chain = _CHAIN.match(line)
    if chain and len(chain[0].split()) > MAX_DEPTH and not _RULE.fullmatch(line):
        raise TooDeepError
    if not _RULE.fullmatch(line) and (found := _MARKER.fullmatch(line)) and _may_begin_list(reader, found):
        reader.item(found)
        return at + 1
    if _is_table(lines, at):
        return _read_table(reader, lines, at)
    if _HEADING.match(line):
        reader.open_items.clear()
        reader.add(line, "heading")
    else:
        reader.text(re.sub("#", r"\\#", line, count=1) if _TAG.match(line) else line, "text")
    return at + 1


def _may_begin_list(reader: _Reader, found: re.Match[str]) -> bool:
    """A number in running text is no list unless it is a 1, so that `in\\n1986. It was` stays a sentence."""
    return bool(reader.open_items) or reader.last_kind() != "text" or found[2] in "-*+" or found[2][:-1] == "1"


def _read_fence(reader: _Reader, lines: list[str], at: int, fence: re.Match[str]) -> int:
    indent, mark, name = len(fence[1]), fence[2], fence[3].strip()
    end = _end_of_fence(reader, lines, at + 1, mark)
    if end == len(lines):  # never closed: text like any other
        reader.text(lines[at], "text")
        return at + 1
    if reader.last_kind() == "blank":
        reader.close_items(indent)
    inside = [line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in lines[at + 1 : end]]
    reader.add("", "blank")
    reader.add(f"{INDENT * len(reader.open_items)}{CODE_SIGN}{len(reader.codes)}{CODE_SIGN}", "code")
    reader.add("", "blank")
    reader.codes.append(Code(name, "\n".join(inside)))
    return end + 1


def _end_of_fence(reader: _Reader, lines: list[str], start: int, mark: str) -> int:
    """Return the line that closes `mark`, or the number of lines when none does."""
    if len(mark) >= reader.never_closed.get(mark[0], len(mark) + 1):
        return len(lines)
    closing = re.compile(rf" *{re.escape(mark)}{re.escape(mark[0])}* *")
    end = next((at for at in range(start, len(lines)) if closing.fullmatch(lines[at])), len(lines))
    if end == len(lines):
        reader.never_closed[mark[0]] = len(mark)
    return end


def _read_quote(reader: _Reader, lines: list[str], at: int) -> int:
    end = at
    while end < len(lines) and _QUOTE.match(lines[end]):
        end += 1
    inner = _read([_QUOTE.sub("", line, count=1) for line in lines[at:end]], reader.depth + 1, reader.codes)
    for line in inner:
        reader.add(f"> {line.text}", "quote")
    if end < len(lines) and lines[end].strip():
        reader.add("", "blank")
    return end


def _is_table(lines: list[str], at: int) -> bool:
    return "|" in lines[at] and at + 1 < len(lines) and _DELIMITER_ROW.fullmatch(lines[at + 1]) is not None


def _read_table(reader: _Reader, lines: list[str], at: int) -> int:
    if lines[at + 1].count("|") > MAX_COLUMNS:
        raise TooWideError
    if reader.last_kind() != "blank":
        reader.add("", "blank")
    end = at
    while end < len(lines) and "|" in lines[end]:
        reader.text(lines[end], "table")
        end += 1
    if end < len(lines) and lines[end].strip():
        reader.add("", "blank")
    return end


def _keep_breaks(out: list[_Line]) -> None:
    """End lines that were meant as lines with the two blanks that mean a break."""
    start = 0
    while start < len(out):
        end = start + 1
        if out[start].kind in ("text", "item"):
            while end < len(out) and out[end].kind == "text":
                end += 1
            if any(len(line.text.strip()) not in WRAPPED_CHARS for line in out[start : end - 1]):
                for line, following in zip(out[start:], out[start + 1 : end], strict=False):
                    if following.text.strip().strip("=-"):  # the line under a heading of the older form is none
                        line.text = line.text.rstrip() + "  "
        start = end


def _unlink_costly(out: list[_Line]) -> None:
    start = 0
    while start < len(out):
        end = start
        while end < len(out) and out[end].kind not in ("blank", "code"):
            end += 1
        if _bracket_cost("\n".join(line.text for line in out[start:end])) > MAX_BRACKET_COST:
            for line in out[start:end]:
                line.text = line.text.replace("[", "\\[")
        start = end + 1


def _bracket_cost(passage: str) -> int:
    """Return the sum of the distances from each `[` to its `]`, or to the end where it has none."""
    opened: list[int] = []
    cost = 0
    for found in re.finditer(r"[\[\]]", passage):
        if found[0] == "[":
            opened.append(found.start())
        elif opened:
            cost += found.start() - opened.pop()
    return cost + sum(len(passage) - start for start in opened)
