"""What an import is told, and what it proposes. Reasons are codes; interfaces turn them into sentences."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from memoryadmin.domain.files import FileKind
from memoryadmin.domain.scopes import Scope

# What no walk over a folder needs to enter: bookkeeping of other tools, never memory.
SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"})


class NoteCode(StrEnum):
    """What a person should know about a placement; in brackets the names of its parameters."""

    DOUBLE_SLASH = "double_slash"  # the path held // and was shortened
    COMPOSED = "composed"  # the path was brought into NFC
    NO_PERSON = "no_person"  # personal by its name, but no person was named: the agent's
    NO_SESSION_PERSON = "no_session_person"  # a conversation of nobody
    MAYBE_AGENT = "maybe_agent"  # (folder) looks like another agent's folder; taken as this one's
    ARCHIVED_AGENT = "archived_agent"  # (folder) lies among archived agents
    TWO_DATES = "two_dates"  # (first, second) the name holds more than one date
    LONE_YEAR = "lone_year"  # (year, others) the only log of its year
    SAME_BYTES = "same_bytes"  # (first, count) exact duplicates, the first of them
    CASE_CLASH = "case_clash"  # (other) differs from another name in case alone
    EMPTY = "empty"  # no bytes at all
    HISTORY_ONLY = "history_only"  # only earlier versions were found; the last of them is taken


class RefusalCode(StrEnum):
    """Why a source is not taken; in brackets the names of its parameters."""

    SYMLINK_ALIAS = "symlink_alias"  # (target) another name for a file that is taken itself
    SYMLINK_OUTSIDE = "symlink_outside"  # leads out of the folder; never followed
    UNSAFE_NAME = "unsafe_name"  # (reason: a PathReason)
    AGENT_NEEDED = "agent_needed"  # (option) an agent's file, and no agent was named
    SAME_TARGET = "same_target"  # (other) another source has the same place
    VERSION_UNORDERED = "version_unordered"  # an earlier version whose name says neither number nor date
    NOT_ALLOWED = "not_allowed"  # the importing person may not write there
    ARCHIVED = "archived"  # the project or agent is archived
    TOO_LARGE = "too_large"  # (limit, in bytes) larger than any import takes
    LOG_REWRITTEN = "log_rewritten"  # a log is only added to, and this text does not begin with the present one


@dataclass(frozen=True, slots=True)
class Note:
    """A code with its parameters, in the order the code's comment names them."""

    code: NoteCode | RefusalCode
    params: tuple[tuple[str, str], ...] = ()

    def named(self) -> dict[str, str]:
        """Return the parameters by name, for a sentence's placeholders."""
        return dict(self.params)


def note(code: NoteCode | RefusalCode, **params: str) -> Note:
    """Return the note with these parameters."""
    return Note(code, tuple(params.items()))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of the folder: its path from the folder's root, `/`-separated, as found.

    A symbolic link has no size and no digest of its own; `link_target` is what it says, unresolved.
    """

    path: str
    size_bytes: int = 0
    sha256: str = ""
    is_symlink: bool = False
    link_target: str = ""


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """Where to: a project, and when they are known the agent whose folder it is and the person it knows."""

    project: str
    agent: str | None = None
    person: str | None = None


@dataclass(frozen=True, slots=True)
class SourceVersion:
    """An earlier version of a file: where its bytes are, its number in the chain and its day where they are known."""

    source: SourceFile
    number: int | None
    day: date | None


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one source goes: `path` inside `scope`, after `versions`, oldest first; or `refused`.

    A refused placement has no scope; its path is the one it would have had, as far as that is known.
    """

    source: SourceFile
    scope: Scope | None
    path: str
    kind: FileKind | None
    notes: tuple[Note, ...] = ()
    refused: Note | None = None
    versions: tuple[SourceVersion, ...] = ()

    @property
    def source_path(self) -> str:
        """The source's path from the folder's root, as found."""
        return self.source.path


@dataclass(frozen=True, slots=True)
class NewAgent:
    """An agent that the folder speaks of: its id, the name of its folder (empty for the root agent), the folder."""

    slug: str
    name: str
    folder: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The placements in the order of their source paths, and the agents they need."""

    placements: tuple[Placement, ...]
    agents: tuple[NewAgent, ...]

    @property
    def taken(self) -> tuple[Placement, ...]:
        """The placements that are not refused."""
        return tuple(placement for placement in self.placements if placement.refused is None)

    @property
    def refused(self) -> tuple[Placement, ...]:
        """The placements that are refused."""
        return tuple(placement for placement in self.placements if placement.refused is not None)
