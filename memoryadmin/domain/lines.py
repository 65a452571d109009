"""Lines of memory text, and the way of a text through a browser form and back.

Called wherever lines are shown, counted, compared or merged. A line ends at a line feed and nowhere else:
`str.splitlines` would also cut at form feeds, U+2028 and a lone CR that stands inside a sentence.

A form shows every line end alike and sends back CR LF, and a leading byte order mark is not shown at all.
`as_typed` and `keep_line_ends` are the two halves of that journey: what the person did not touch comes back
with the bytes it had. Source: ADR 0014.
"""

import re
from collections.abc import Iterator

from memoryadmin.domain.matching import match

_BOM = "\ufeff"

# What a text area takes for a line end, and what it makes of one when it sends the form.
_SHOWN_LINE_END = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`, each with its line feed; joined they are `text` again.

    >>> split_lines("one\\r\\ntwo\\x0c\\rstill two")
    ['one\\r\\n', 'two\\x0c\\rstill two']
    """
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def count_lines(text: str) -> int:
    """Return how many lines `split_lines` would give: 0 for the empty text."""
    return text.count("\n") + (not text.endswith("\n") if text else 0)


def as_typed(text: str) -> str:
    """Return what a text area should be given to show `text`: no leading mark, every line end a line feed."""
    return _SHOWN_LINE_END.sub("\n", text.removeprefix(_BOM))


def keep_line_ends(base: str, typed: str) -> str:
    """Return what a person meant who was shown `base` and sent `typed`, in the bytes of `base`.

    Lines that did not change keep their exact line end (also a lone CR), changed lines that of the line they
    replace, new lines their neighbour's; where there is none to follow, a line feed. A leading mark of `base`
    is put back.

    >>> keep_line_ends("one\\r\\ntwo\\nthree", "one\\r\\n2\\r\\nand more\\r\\nthree")
    'one\\r\\n2\\nand more\\nthree'
    """
    mark, text = (_BOM, base[1:]) if base.startswith(_BOM) else ("", base)
    contents = _SHOWN_LINE_END.split(text)
    typed_contents = _SHOWN_LINE_END.split(typed)
    if contents == typed_contents:
        return base
    ends = [*_SHOWN_LINE_END.findall(text), ""]
    typed_ends = _completed(list(_ends_for(contents, ends, typed_contents)), ends)
    _part_joined_ends(typed_contents, typed_ends)
    return mark + "".join(content + end for content, end in zip(typed_contents, typed_ends, strict=True))


def _ends_for(contents: list[str], ends: list[str], typed: list[str]) -> Iterator[str]:
    """Yield the line end that each typed line takes over from the base; empty where it has none."""
    place = 0
    for change in match(contents, typed).changes:
        yield from ends[place : change.start]
        yield from _replaced_ends(ends[change.start : change.stop], change.new_stop - change.new_start)
        place = change.stop
    yield from ends[place:]


def _replaced_ends(ends: list[str], count: int) -> Iterator[str]:
    """Yield `count` line ends for lines that stand where lines with these ends stood.

    The last keeps the last, as when a line was split or two were joined. A lone CR is a slip inside a
    sentence more often than a habit: it is kept once, never multiplied.
    """
    for index in range(count):
        is_surplus = len(ends) <= index + 1 < count
        own = ends[-1 if index + 1 == count else min(index, len(ends) - 1)] if ends else ""
        yield "" if is_surplus and own == "\r" else own


def _completed(kept: list[str], ends: list[str]) -> list[str]:
    """Return the kept ends, missing ones taken from the line before, else from the first of the base."""
    known = [end for end in ends if end]
    follow = next((end for end in known if end != "\r"), known[0] if known else "\n")
    completed = []
    for end in kept[:-1]:
        completed.append(end or follow)
        follow = end if end not in {"", "\r"} else follow
    return [*completed, ""]


def _part_joined_ends(contents: list[str], ends: list[str]) -> None:
    """Make a lone CR a line feed where an edit left it right before one: they would read as one end."""
    for index in range(len(ends) - 2, -1, -1):
        if ends[index] == "\r" and not contents[index + 1] and ends[index + 1] == "\n":
            ends[index] = "\n"
