"""Memory text as the file pages show it: laid out up to where agents read, or line by line exactly as stored.

Decides what is masked and what is marked; says where characters stand that nobody sees. Safe HTML comes from
`memoryadmin.web.markdown` and from escaping formatters only.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from memoryadmin.domain.files import CutEnd, Load
from memoryadmin.domain.limits import cut
from memoryadmin.domain.lines import split_lines
from memoryadmin.domain.paths import refusal
from memoryadmin.domain.scanning import find_hidden, find_secrets, mask
from memoryadmin.services.files import FileCard, VersionCard
from memoryadmin.web.markdown import Rendered, render
from memoryadmin.web.tags import hidden_marks

_SHOWN_PLACES = 8
_LINE_END = re.compile(r"\r\n|\r|\n")


def shown_text(file: FileCard, text: str, version: VersionCard | None = None) -> str:
    """Return `text` as a page may show it: of a quarantined file or version, without what looks like a secret."""
    return mask(text, find_secrets(text)) if is_masked(file, version) else text


def is_masked(file: FileCard, *versions: VersionCard | None) -> bool:
    """Return whether the file, or one of its versions, is in quarantine."""
    return file.is_quarantined or any(version is not None and version.is_quarantined for version in versions)


@dataclass(frozen=True, slots=True)
class HiddenNote:
    """How many characters nobody sees, of which kinds, and in which lines; `more_lines` are not listed."""

    count: int
    kinds: tuple[str, ...]
    lines: tuple[tuple[int, int], ...]
    more_lines: int


def hidden_note(text: str) -> HiddenNote | None:
    """Return where `text` holds characters that nobody sees; None when it holds none."""
    findings = find_hidden(text)
    if not findings:
        return None
    by_line = Counter[int]()
    for found in findings:
        by_line[found.line] += found.end - found.start
    places = sorted(by_line.items())
    kinds = tuple(dict.fromkeys(found.kind for found in findings))
    return HiddenNote(by_line.total(), kinds, tuple(places[:_SHOWN_PLACES]), max(0, len(places) - _SHOWN_PLACES))


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text laid out: what agents are sent, and the rest when it is too long for its kind; `kept_chars` is the cut."""

    seen: Rendered
    unseen: Rendered | None
    kept_chars: int
    total_chars: int

    @property
    def notice(self) -> str:
        """Why the text is not laid out, or empty."""
        return self.seen.notice or (self.unseen.notice if self.unseen else "")


def is_sent(file: FileCard) -> bool:
    """Return whether agents are ever sent the file, so that its limit means something."""
    is_kept_back = file.is_deleted or file.is_quarantined or file.is_opaque
    return not is_kept_back and file.kind.load is not Load.NEVER


def laid_out(file: FileCard, text: str) -> LaidOut:
    """Return `text` as HTML, parted where the copy that agents are sent ends."""
    limit, link_of = file.kind.soft_limit_chars, _links_from(file)
    if limit and is_sent(file) and file.kind.cut_end is CutEnd.END and len(text) > limit:
        kept = cut(text, limit_chars=limit, cut_end=CutEnd.END, name=file.path)
        seen, unseen = render(text[: kept.stop], link_of=link_of), render(text[kept.stop :], link_of=link_of)
        return LaidOut(seen, unseen, kept.kept_chars, kept.total_chars)
    return LaidOut(render(text, link_of=link_of), None, len(text), len(text))


def _links_from(file: FileCard) -> Callable[[str], str]:
    """Return what turns a relative address in the file's text into the page of the file it names."""
    folder = posixpath.dirname(file.path)

    def page_of(address: str) -> str:
        path = posixpath.normpath(posixpath.join(folder, unquote(urlsplit(address).path)))
        return "" if refusal(path) else reverse("scopes:at", args=[file.scope_id, path])

    return page_of


def source_html(text: str) -> SafeString:
    """Return the lines of `text` exactly, numbered; a CR shows where not every line has one before its end."""
    lines = split_lines(text)
    is_mixed = line_ends(text) == "mixed"
    return format_html_join("", _LINE, ((n, _source_line(line, is_mixed)) for n, line in enumerate(lines, 1)))


_LINE = (
    '<div class="source__line" id="L{0}"><span class="source__number"><a href="#L{0}">{0}</a></span>'
    '<span class="source__text" dir="auto">{1}</span></div>'
)
_CR = SafeString('<span class="hidden-mark">CR</span>')


def _source_line(line: str, is_mixed: bool) -> SafeString:  # noqa: FBT001
    body = line.removesuffix("\n")
    if not is_mixed:
        body = body.removesuffix("\r")
    if "\r" not in body:
        return hidden_marks(body)
    return format_html_join(_CR, "{}", ((hidden_marks(piece),) for piece in body.split("\r")))


def line_ends(text: str) -> str:
    """Return how the lines of `text` end: `lf`, `crlf`, `cr`, `mixed`, or `none` when there is a single line."""
    found = set(_LINE_END.findall(text))
    if len(found) > 1:
        return "mixed"
    return {"\n": "lf", "\r\n": "crlf", "\r": "cr"}.get(found.pop(), "mixed") if found else "none"
