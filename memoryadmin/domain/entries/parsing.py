"""Which reader a file gets, by its name."""

from memoryadmin.domain.entries.markdown import markdown_entries
from memoryadmin.domain.entries.records import block_entries, graph_entries, list_entries
from memoryadmin.domain.entries.values import Entry
from memoryadmin.domain.files import date_in_name, kind_of
from memoryadmin.domain.scopes import ScopeType

_READERS = {".jsonl": graph_entries, ".json": list_entries, ".af": block_entries}


def parse_entries(text: str, path: str = "") -> tuple[Entry, ...]:
    """Return the entries of a memory file in the order of their lines; machine state has none.

    `path` tells the form of the file and the day it is about; without one the text is taken for Markdown.
    """
    if kind_of(path, ScopeType.AGENT).name == "machine_state":
        return ()
    reader = next((reader for suffix, reader in _READERS.items() if path.endswith(suffix)), None)
    if reader is not None:
        return tuple(reader(text))
    return markdown_entries(text, date_in_name(path))
