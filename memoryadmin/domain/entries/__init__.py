"""The single facts inside a memory file: what they say, where they stand, and the marks they carry.

Called by the pages that show a file as a table and, later, by consolidation. `parse_entries` reads; nothing here
writes, and no text is ever put together again from entries. What a tool keeps inside a person's file, between its own
comments, is machine state: `managed_blocks` shows it, `parse_entries` does not.

The forms are those seen in real files.
"""

from memoryadmin.domain.entries.managed import ManagedBlock, managed_blocks
from memoryadmin.domain.entries.parsing import parse_entries
from memoryadmin.domain.entries.transcripts import Transcript, Turn, read_transcript
from memoryadmin.domain.entries.values import Entry, EntryForm, Tier

__all__ = [
    "Entry",
    "EntryForm",
    "ManagedBlock",
    "Tier",
    "Transcript",
    "Turn",
    "managed_blocks",
    "parse_entries",
    "read_transcript",
]
