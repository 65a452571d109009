"""What an entry is, whatever the form it was written in."""

import datetime
from dataclasses import dataclass
from enum import StrEnum


class EntryForm(StrEnum):
    """The ways in which people and tools write one fact down."""

    TAGGED = "tagged"  # - [trust:1.0|src:direct|used:2026-03-15|hits:7] fact
    TYPED = "typed"  # - Decision: fact [2026-02-28] [scope]
    DATED = "dated"  # - [2026-04-18] title / - 2026-04-28: fact
    SCORED = "scored"  # - **[0.26]** `episodic` (time source) — fact
    TASK = "task"  # - [x] what to do
    OBSERVATION = "observation"  # - [category] fact #tag (context); also an observation of a graph's entity
    RELATION = "relation"  # - verb [[Other note]]; also a relation of a graph
    INDEX = "index"  # - [title](file.md) — hook
    KEYED = "keyed"  # - **Key:** value
    BULLET = "bullet"  # - fact
    STEP = "step"  # 1. what to do
    ROW = "row"  # | date | fact |
    SECTION = "section"  # a heading with a date, prose under it
    PASSAGE = "passage"  # text between lines that hold only §
    FILE_IMPORT = "file_import"  # @file.md
    CANDIDATE = "candidate"  # - Candidate: … inside a managed block: machine state
    ENTITY = "entity"  # a line of a knowledge graph
    RECORD = "record"  # an item of an exported list of memories
    BLOCK = "block"  # a labelled block of an agent file


class Tier(StrEnum):
    """How long a fact is meant to live, from the heading it stands under."""

    CONSTITUTIONAL = "constitutional"
    STRATEGIC = "strategic"
    OPERATIONAL = "operational"


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact: `text` without its marks, on the lines `line` to `end_line`, counted from 1, both included.

    `key` is what the entry is about or belongs to: a bold key, a type, a category, a title, a label, a verb. `section`
    is the nearest heading. `date` is the entry's own, or that of its heading or its file's name. `target` is the file
    or note it points to. `marks` are all other named values, in their order, as written.
    """

    text: str
    form: EntryForm
    line: int = 0
    end_line: int = 0
    key: str = ""
    section: str = ""
    tier: Tier | None = None
    trust: float | None = None
    source: str = ""
    used_on: datetime.date | None = None
    hits: int | None = None
    date: datetime.date | None = None
    target: str = ""
    is_done: bool | None = None
    marks: tuple[tuple[str, str], ...] = ()

    def mark(self, name: str) -> str:
        """Return the value of the first mark called `name`, or the empty string."""
        return next((value for known, value in self.marks if known == name), "")
