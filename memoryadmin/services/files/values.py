"""What the services of files give back: plain values, so that no template can run a query."""

from dataclasses import dataclass
from datetime import datetime

from memoryadmin.domain.diffs import Diff
from memoryadmin.domain.files import FileKind
from memoryadmin.domain.limits import LimitState, Size
from memoryadmin.domain.scopes import Scope


@dataclass(frozen=True, slots=True)
class Author:
    """Who made a version: kind and id as recorded, and the name of today (empty for whoever is no person)."""

    kind: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class FileCard:
    """A file as lists show it: no text."""

    id: int
    scope_id: int
    scope: Scope
    path: str
    kind: FileKind
    seq: int
    size: Size
    limit: LimitState
    is_opaque: bool
    is_quarantined: bool
    updated_at: datetime
    deleted_at: datetime | None
    author: Author

    @property
    def is_deleted(self) -> bool:
        """Whether this life of the name has ended."""
        return self.deleted_at is not None

    @property
    def last_seq(self) -> int:
        """The newest version that has content: of a deleted file the one before its deletion."""
        return self.seq - 1 if self.is_deleted else self.seq

    @property
    def is_near(self) -> bool:
        """Whether it is near a limit of its kind, and not over any."""
        return self.limit is LimitState.NEAR

    @property
    def is_over(self) -> bool:
        """Whether it is over a limit of its kind, so that agents are sent only a part."""
        return self.limit is LimitState.OVER


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file with its present content. `text` is None when the bytes are not text; a deleted file shows its last text.

    `seq` is the number of the present version: what a write must name as its base.
    """

    card: FileCard
    content: bytes
    text: str | None
    content_sha256: str
    version_id: int
    operation: str
    reason: str
    can_edit: bool
    is_archived: bool

    @property
    def id(self) -> int:
        """The file's id."""
        return self.card.id

    @property
    def path(self) -> str:
        """The file's present path."""
        return self.card.path

    @property
    def seq(self) -> int:
        """The number of the present version."""
        return self.card.seq


@dataclass(frozen=True, slots=True)
class VersionCard:
    """A version as history shows it. `source_seq` is what a restore brought back, `chars_change` against its parent.

    `is_quarantined`: written while in quarantine and never released, so what looks like a secret stays masked.
    """

    id: int
    file_id: int
    seq: int
    operation: str
    author: Author
    at: datetime
    via: str
    size: Size
    chars_change: int
    path: str
    source_seq: int | None
    source_file_id: int | None
    reason: str
    has_content: bool
    is_quarantined: bool


@dataclass(frozen=True, slots=True)
class ReadVersion:
    """One version with its content; both are None for a deletion or a redacted version."""

    card: VersionCard
    content: bytes | None
    text: str | None


@dataclass(frozen=True, slots=True)
class OtherLife:
    """Another file that has, or had, the same path in the same scope."""

    file_id: int
    path: str
    created_at: datetime
    deleted_at: datetime | None
    versions: int


@dataclass(frozen=True, slots=True)
class History:
    """A page of versions, newest first; `next_before` is the seq to go on from, None at the end.

    `author_kinds` are the kinds of author in the whole history, in alphabetical order.
    """

    file: FileCard
    versions: tuple[VersionCard, ...]
    next_before: int | None
    other_lives: tuple[OtherLife, ...]
    author_kinds: tuple[str, ...]
    can_edit: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions of one file; `diff` is None when one of them is not text."""

    file: FileCard
    old: ReadVersion
    new: ReadVersion
    diff: Diff | None
    can_edit: bool


@dataclass(frozen=True, slots=True)
class Saved:
    """What a write did: `seq` is the present version, `has_changed` is False when nothing had to be written."""

    file_id: int
    seq: int
    has_changed: bool
    limit: LimitState
