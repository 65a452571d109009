"""Our own part of the Markdown parser: no raw HTML, headings one step down, links that lead where they say.

Works on the parser's element tree; what it produces is still cleaned afterwards by `rendering`.
"""

import html
import re
import time
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from django.utils.text import slugify
from django.utils.translation import gettext
from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.blockprocessors import BlockProcessor, ReferenceProcessor
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from memoryadmin.web.markdown.source import CODE_SIGN, Code

LinkOf = Callable[[str], str]
_CODE = re.compile(rf"{CODE_SIGN}(\d+){CODE_SIGN}")
_HEADINGS = {f"h{level}": f"h{min(level + 1, 6)}" for level in range(1, 7)}
_LINE_KINDS = frozenset({"p", "li", "h2", "h3", "h4", "h5", "h6", "blockquote", "td", "th"})
_OUTSIDE = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
_IGNORED_AROUND = "".join(map(chr, range(0x21)))


class TooSlowError(Exception):
    """The text takes the parser longer than a page may take."""


class Pages(Extension):
    """What makes the parser ours. `link_of` turns a relative address into a page's, or into ""."""

    def __init__(self) -> None:
        super().__init__()
        self.link_of: LinkOf = lambda _: ""
        self.codes: list[Code] = []
        self.placed = 0
        self.deadline_seconds = 0.0

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the parser's name for it
        md.preprocessors.deregister("html_block")
        md.inlinePatterns.deregister("html")
        md.inlinePatterns.deregister("automail")
        md.parser.blockprocessors.register(_Watch(md.parser, self), "watch", 1000)
        md.parser.blockprocessors.register(_ShownReferences(md.parser), "reference", 15)
        md.treeprocessors.register(_PageTree(md, self), "pages", 15)
        for pattern in md.inlinePatterns:
            _watch(pattern, self)

    def check_time(self) -> None:
        # The time this thread computed, so that a busy machine does not make a text look slow.
        if time.thread_time() > self.deadline_seconds:
            raise TooSlowError


def _watch(pattern: Any, pages: Pages) -> None:
    """Look at the clock whenever an inline pattern is tried; the parser itself never does."""
    compiled, handle = pattern.getCompiledRegExp, pattern.handleMatch

    def tried() -> Any:
        pages.check_time()
        return compiled()

    def handled(found: re.Match[str], text: str) -> Any:
        pages.check_time()
        return handle(found, text)

    pattern.getCompiledRegExp, pattern.handleMatch = tried, handled


class _Watch(BlockProcessor):
    """Claims no block, but is asked about every one, and looks at the clock."""

    def __init__(self, parser: BlockParser, pages: Pages) -> None:
        super().__init__(parser)
        self.pages = pages

    def test(self, parent: Element, block: str) -> bool:  # noqa: ARG002 - the parser's signature
        self.pages.check_time()
        return False

    def run(self, parent: Element, blocks: list[str]) -> bool:  # noqa: ARG002 - the parser's signature
        return False


class _ShownReferences(ReferenceProcessor):
    """Keeps link definitions on the page: an agent reads them, so they must not be a place to hide text."""

    def run(self, parent: Element, blocks: list[str]) -> bool:
        block = blocks[0]
        first = self.RE.search(block)
        if first is None:
            return False
        blocks.pop(0)
        if block[: first.start()].strip():
            blocks[:0] = [block[: first.start()].rstrip("\n"), block[first.start() :]]
            return True
        end = 0
        for found in self.RE.finditer(block):
            if block[end : found.start()].strip():
                break
            self.parser.md.references[found[1].strip().lower()] = (
                found[2].lstrip("<").rstrip(">"),
                found[5] or found[6],
            )
            SubElement(parent, "p").text = AtomicString(found[0].strip())
            end = found.end()
        if block[end:].strip():
            blocks.insert(0, block[end:].lstrip("\n"))
        return True


class _PageTree(Treeprocessor):
    """Fits the finished tree to a page."""

    def __init__(self, md: Markdown, pages: Pages) -> None:
        super().__init__(md)
        self.pages = pages

    def run(self, root: Element) -> None:
        taken: dict[str, int] = {}
        for parent in list(root.iter()):
            for place, child in enumerate(list(parent)):
                if child.tag == "img":
                    parent[place] = _image_as_text(child)
                elif child.tag == "table":
                    parent[place] = _framed(child)
        for element in root.iter():
            self.pages.check_time()
            if element.tag in _HEADINGS:
                element.set("id", _anchor(element, taken))
                element.tag = _HEADINGS[element.tag]
            elif element.tag == "a":
                self._lead(element)
            elif element.tag == "p" and (code := _CODE.fullmatch((element.text or "").strip())):
                self.pages.placed += 1
                _put_code(element, self.pages.codes[int(code[1])])
            if element.tag in _LINE_KINDS:
                element.set("dir", "auto")

    def _lead(self, link: Element) -> None:
        """Make `link` lead somewhere allowed, or turn it into text that shows where it wanted to lead."""
        address = _address(link.get("href", ""))
        title = link.attrib.pop("title", "")
        said = f" ({title})" if title else ""
        if address.startswith("#") and len(address) > 1:
            link.set("href", f"#doc-{slugify(address, allow_unicode=True)}")
        elif not _OUTSIDE.fullmatch(address):
            page = self.pages.link_of(address)
            link.set("href", page)
            if not page:
                link.tag, link.attrib = "span", {}
                said = f" ({address}){said}"
        if said:
            link.tail = AtomicString(said + (link.tail or ""))


def _address(href: str) -> str:
    """Return what a browser would make of `href`: entities read, blanks and controls around it gone."""
    return html.unescape(href).strip(_IGNORED_AROUND)


def _image_as_text(image: Element) -> Element:
    """Return what stands for an image: nothing is fetched by looking at a page, so its address is a link."""
    address = _address(image.get("src", ""))
    words = " ".join(filter(None, (image.get("alt", ""), image.get("title", ""))))
    shown = Element("span", {"class": "doc__image"})
    shown.text = AtomicString(gettext("Image: %(words)s") % {"words": words} + " ")
    place = SubElement(shown, "a", {"href": address}) if _OUTSIDE.fullmatch(address) else SubElement(shown, "span")
    place.text = AtomicString(address)
    shown.tail = image.tail
    return shown


def _put_code(element: Element, code: Code) -> None:
    """Make `element` the block that its sign stood for, with the words after its fence: agents read them."""
    element.tag, element.text = "div", None
    element.set("class", "doc__code")
    if code.name:
        SubElement(element, "p", {"class": "doc__code-name"}).text = AtomicString(code.name)
    SubElement(SubElement(element, "pre"), "code").text = AtomicString(code.text)


def _framed(table: Element) -> Element:
    """Return `table` in a frame that scrolls by itself, also by keyboard, when it is wider than the page."""
    frame = Element("div", {"class": "doc__table", "tabindex": "0", "role": "region", "aria-label": gettext("Table")})
    frame.tail, table.tail = table.tail, None
    frame.append(table)
    return frame


def _anchor(heading: Element, taken: dict[str, int]) -> str:
    """Return an id for `heading` that no other heading has; `taken` holds each id's next number."""
    words = name = f"doc-{slugify(''.join(heading.itertext())[:80], allow_unicode=True)}"
    while name in taken:
        name = f"{words}-{taken[words]}"
        taken[words] += 1
    taken[name] = 1
    return name
