"""What can stand in the way of a write, each with what the person needs to decide."""

from dataclasses import dataclass

from memoryadmin.domain.errors import AlreadyExistsError, MemoryAdminError
from memoryadmin.domain.merging import Conflict, Merged
from memoryadmin.domain.scanning import Finding
from memoryadmin.services.files.values import ReadFile


@dataclass(frozen=True, slots=True)
class Contents:
    """Both texts of a conflict and what came of merging them; `theirs` is None when the file was deleted."""

    base: str
    mine: str
    theirs: str | None
    merge: Merged | Conflict | None


class EditConflictError(MemoryAdminError):
    """The file moved since the writer looked: nothing was written, and nothing is lost.

    `current` is the file as it is now; `contents` is None for acts that carry no text (rename, delete, restore).
    """

    code = "edit_conflict"

    def __init__(self, *, current: ReadFile, contents: Contents | None = None) -> None:
        super().__init__("the file changed meanwhile", field="base_seq")
        self.current = current
        self.contents = contents


class SecretsFoundError(MemoryAdminError):
    """The text holds what looks like a secret that its base did not; a person may confirm and write it still."""

    code = "secrets_found"

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("the text holds what looks like a secret", field="text")
        self.findings = findings


class AppendOnlyError(MemoryAdminError):
    """Logs are only added to: the new text must begin with the present one."""

    code = "append_only"


class OpaqueFileError(MemoryAdminError):
    """The file is not text: it can be kept, downloaded, renamed and deleted, not edited or appended to."""

    code = "opaque_file"


class NameTakenError(AlreadyExistsError):
    """Another live file has this path; `file_id` is that file's id."""

    code = "name_taken"

    def __init__(self, *, file_id: int) -> None:
        super().__init__("another file has this name", field="path")
        self.file_id = file_id
