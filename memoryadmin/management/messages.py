"""The catalogs of translated messages: collected from the sources, kept up, compiled.

Run as a module by `manage.py messages`; the tests ask it whether the committed catalogs are what the sources say.
Babel reads Python and Django's own lexer reads the templates, so nobody needs a program beside this environment.
Marked words are collected, and the reasons with which domain and services refuse: those are plain English there and
become the reader's language where a page shows them.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from memoryadmin.management.bootstrap import ROOT

LOCALES = ROOT / "memoryadmin" / "locale"
# Errors whose own message a page shows when it has no words for their code; see memoryadmin/web/errors.py.
REFUSALS = ("AlreadyExistsError", "InvalidFieldError")
_REFUSING = ("memoryadmin/domain/", "memoryadmin/services/")
_AT_THE_COMMAND_LINE = "memoryadmin/services/demo/"
_KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
_WIDTH = 110


def catalogs() -> list[Path]:
    """Return the committed catalogs, one for each language but English, in which the sources are written."""
    return sorted(LOCALES.glob("*/LC_MESSAGES/django.po"))


def collected() -> Catalog:
    """Return every message of the sources, untranslated, in the order of the files."""
    found = Catalog(fuzzy=False)
    for path in _sources():
        name = path.relative_to(ROOT).as_posix()
        for number, message, comments, context in _messages(path, name):
            if message != " ":  # what joins several reasons
                found.add(message, None, [(name, number)], auto_comments=comments, context=context)
    return found


def _sources() -> Iterator[Path]:
    yield from sorted((ROOT / "memoryadmin").rglob("*.py"))
    yield from sorted((ROOT / "templates").rglob("*.html"))


def _messages(path: Path, name: str) -> Iterator[tuple[int, str | tuple[str, ...], list[str], str | None]]:
    text, keywords = path.read_text(encoding="utf-8"), dict(_KEYWORDS)
    if path.suffix == ".html":
        # Inside brackets Python's tokenizer takes any indentation; the bracket has no line of its own.
        text = f"({templatize(text)})"
    elif name.startswith(_REFUSING) and not name.startswith(_AT_THE_COMMAND_LINE):
        keywords |= dict.fromkeys(REFUSALS)
    source = io.BytesIO(text.encode())
    yield from extract("python", source, keywords=keywords, comment_tags=("Translators:",), strip_comment_tags=True)


def read(path: Path) -> Catalog:
    """Return a catalog as it is committed."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def kept_up(catalog: Catalog, found: Catalog) -> Catalog:
    """Return `catalog` with exactly the messages of `found`; a new one is untranslated, never guessed."""
    # The moment of collecting would be the only change of most runs.
    found.creation_date = catalog.creation_date
    catalog.update(found, no_fuzzy_matching=True, update_header_comment=False)
    return catalog


def untranslated(catalog: Catalog) -> list[Message]:
    """Return the messages without all of their words: one form, or one for each plural of the language."""
    return [message for message in catalog if message.id and not all(_forms(message))]


def _forms(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if isinstance(message.string, list | tuple) else (message.string or "",)


def written(catalog: Catalog) -> bytes:
    """Return the source of a catalog as it is committed: with the files of each message, without line numbers."""
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=_WIDTH, include_lineno=False, ignore_obsolete=True)
    return buffer.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """Return the form of a catalog that a running installation reads."""
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def main() -> int:
    """Bring every catalog up to the sources, compile it, and say what is left to translate."""
    for path in catalogs():
        catalog = kept_up(read(path), collected())
        path.write_bytes(written(catalog))
        path.with_suffix(".mo").write_bytes(compiled(catalog))
        missing = len(untranslated(catalog))
        sys.stdout.write(f"{catalog.locale}: {len(catalog)} messages, {missing} to translate\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
