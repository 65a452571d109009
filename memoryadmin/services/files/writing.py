"""Create, save, append, rename and delete a file. Every act asks the table, checks, and adds one version or none.

A write names the version it was made from (`base_seq`). When the head has moved, nothing is written and
`EditConflictError` carries both texts and their merge: a save never merges by itself. Writing what is already there
is no act: it makes no version and no record, whatever the base, so a double click acts once.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import InvalidFieldError, NotTextError
from memoryadmin.domain.files import kind_named, kind_of
from memoryadmin.domain.limits import Size, limit_state, require_hard_limit
from memoryadmin.domain.lines import keep_line_ends
from memoryadmin.domain.merging import merge
from memoryadmin.domain.paths import clean_path
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scanning import Finding, find_secrets, new_findings
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import MemoryFile, ScopeRow, Version
from memoryadmin.services import scopes
from memoryadmin.services.files.errors import (
    AppendOnlyError,
    Contents,
    EditConflictError,
    NameTakenError,
    OpaqueFileError,
    SecretsFoundError,
)
from memoryadmin.services.files.ledger import Draft, add_version, begin_file, decode
from memoryadmin.services.files.reading import last_with_content, present, version, visible_file
from memoryadmin.services.files.values import Saved

REASON_LIMIT_CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What goes with every write: why (may be empty), and through which door it came (`page`, `command`, …)."""

    reason: str = ""
    via: str = "page"


@dataclass(frozen=True, slots=True)
class Locked:
    """A file and its scope, both locked until the transaction ends."""

    scope: ScopeRow
    file: MemoryFile

    def saved(self, *, has_changed: bool) -> Saved:
        """Return what the caller of the act is told."""
        file = self.file
        size = Size(chars=file.size_chars, bytes=file.size_bytes, lines=file.size_lines)
        return Saved(file.pk, file.seq, has_changed, limit_state(kind_named(file.kind), size))


def content_of(file: MemoryFile) -> bytes:
    """Return the bytes of the file's head; empty for a deletion."""
    blob = file.head.text.blob if file.head else None
    return bytes(blob.content) if blob else b""


def last_content(file: MemoryFile) -> bytes:
    """Return the bytes of the file's head; of a deleted file, of the version before its deletion."""
    if file.deleted_at is None:
        return content_of(file)
    blob = last_with_content(file).text.blob
    return bytes(blob.content) if blob else b""


def lock(actor: Actor, file_id: int, action: Action = Action.EDIT) -> Locked:
    """Lock the file's scope, then the file, for `action` by `actor`; needs a transaction.

    :raises NotVisibleError: there is no such file, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not do this to it.
    :raises ArchivedError: its project or agent is archived.
    """
    row = visible_file(actor, file_id, action)
    scope = scopes.locked_row(row.scope_id)
    scopes.require_writable(scope.scope)
    file = MemoryFile.objects.select_for_update(of=("self",)).select_related("head__text__blob").get(pk=file_id)
    return Locked(scope, file)


def checked_reason(reason: str) -> str:
    """Return `reason` without blanks around it.

    :raises InvalidFieldError: it is too long, holds NUL, or what looks like a secret: lists show it unmasked.
    """
    if len(reason) > REASON_LIMIT_CHARS or "\0" in reason:
        raise InvalidFieldError("the reason is too long", field="reason")
    if find_secrets(reason):
        raise InvalidFieldError("the reason holds what looks like a secret", field="reason")
    return reason.strip()


def checked_content(text: str, *, base_bytes: int = 0) -> bytes:
    """Return `text` as the bytes to store.

    :raises NotTextError: it holds NUL or a lone surrogate.
    :raises TooLargeError: it is over the hard limit and larger than its base.
    """
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as lone:
        raise NotTextError("the text cannot be written as UTF-8", field="text") from lone
    if "\0" in text:
        raise NotTextError("the text holds a NUL character", field="text")
    require_hard_limit(size_bytes=len(content), base_bytes=base_bytes, limit_bytes=settings.HARD_LIMIT_BYTES)
    return content


def require_confirmed_secrets(base: str, text: str, *, is_confirmed: bool) -> bool:
    """Return whether `text` holds a secret that `base` did not, which the writer has said that it should.

    :raises SecretsFoundError: it does, and nobody said so; the findings are masked.
    """
    findings = new_findings(base, text)
    require_confirmed(findings, is_confirmed=is_confirmed)
    return bool(findings)


def require_confirmed(findings: tuple[Finding, ...], *, is_confirmed: bool) -> None:
    """Return nothing when there are no findings, or the writer has said that they should be written.

    :raises SecretsFoundError: there are, and nobody said so.
    """
    if findings and not is_confirmed:
        raise SecretsFoundError(findings)


def stays_quarantined(file: MemoryFile, text: str, *, is_confirmed: bool) -> bool:
    """Return whether a file in quarantine stays there with `text`.

    It is free again once a person took the secret out, or has said that it is none.
    """
    return file.is_quarantined and not is_confirmed and bool(find_secrets(text))


def create(
    *, actor: Actor, scope_id: int, path: str, text: str, note: Note, now: datetime, is_confirmed: bool = False
) -> Saved:
    """Create a file: a new life, also where a deleted file had the name. The same text under the same name is no act.

    :raises NotVisibleError: there is no such scope, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not add to it.
    :raises PathRefusedError: the path cannot be used.
    :raises NameTakenError: a live file has the path.
    :raises NotTextError: the text holds NUL or a lone surrogate.
    :raises TooLargeError: the text is over the hard limit.
    :raises SecretsFoundError: the text holds what looks like a secret.
    :raises ArchivedError: the project or agent is archived.
    """
    scopes.visible_row(actor, scope_id, Action.ADD)
    clean_path(path)
    content, reason = checked_content(text), checked_reason(note.reason)
    has_secrets = require_confirmed_secrets("", text, is_confirmed=is_confirmed)
    with transaction.atomic():
        scope = scopes.locked_row(scope_id)
        scopes.require_writable(scope.scope)
        taken = live_at(scope, path)
        if taken is not None:
            if content_of(taken) == content:
                return Locked(scope, taken).saved(has_changed=False)
            raise NameTakenError(file_id=taken.pk)
        file = begin_file(scope=scope, path=path, at=now)
        draft = Draft(
            operation=Version.Operation.CREATED, content=content, path=path, reason=reason, at=now, via=note.via,
            has_confirmed_secrets=has_secrets,
        )  # fmt: skip
        add_version(scope=scope, file=file, actor=actor, draft=draft, now=now)
        return Locked(scope, file).saved(has_changed=True)


def live_at(scope: ScopeRow, path: str) -> MemoryFile | None:
    """Return the live file at `path`, its head's content loaded; None when there is none."""
    rows = MemoryFile.objects.filter(scope=scope, path=path, deleted_at__isnull=True)
    return rows.select_related("head__text__blob").first()


def save(
    *, actor: Actor, file_id: int, text: str, base_seq: int, note: Note, now: datetime,
    is_typed: bool = False, is_confirmed: bool = False,
) -> Saved:  # fmt: skip
    """Save `text` as the file's next version, made from version `base_seq`; equal bytes make none.

    `is_typed` says that the text comes from a browser's form: lines it did not change keep the base's bytes.
    `is_confirmed` says that the writer has seen what looks like a secret and wants it written.

    :raises NotVisibleError: there is no such file or base version, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not edit it.
    :raises EditConflictError: the file has a newer version, or was deleted; carries both texts and the merge.
    :raises OpaqueFileError: the file is not text.
    :raises AppendOnlyError: the file is a log and the text does not begin with the present one.
    :raises NotTextError: the text holds NUL or a lone surrogate.
    :raises TooLargeError: the text is over the hard limit and larger than its base.
    :raises SecretsFoundError: the text holds what looks like a secret that its base did not.
    :raises ArchivedError: the project or agent is archived.
    """
    seen = visible_file(actor, file_id, Action.EDIT)
    base = _base_text(file_id, base_seq)
    mine = keep_line_ends(base, text) if is_typed else text
    # What takes as long as the text is long is done before the lock: nobody else can write meanwhile.
    content, reason = checked_content(mine, base_bytes=seen.size_bytes), checked_reason(note.reason)
    findings = new_findings(base, mine)
    with transaction.atomic():
        locked = lock(actor, file_id)
        here = content_of(locked.file)
        if locked.file.deleted_at is None and content == here:
            return locked.saved(has_changed=False)
        if locked.file.deleted_at is None and decode(here) is None:
            raise OpaqueFileError("the file is not text", field="text")
        if locked.file.seq != base_seq or locked.file.deleted_at is not None:
            raise _conflict(actor, locked, base, mine)
        require_appended(locked.file, content)
        require_confirmed(findings, is_confirmed=is_confirmed)
        draft = Draft(
            operation=Version.Operation.EDITED, content=content, path=locked.file.path, reason=reason, at=now,
            via=note.via, has_confirmed_secrets=bool(findings),
            is_quarantined=stays_quarantined(locked.file, mine, is_confirmed=is_confirmed),
        )  # fmt: skip
        add_version(scope=locked.scope, file=locked.file, actor=actor, draft=draft, now=now)
        return locked.saved(has_changed=True)


def _base_text(file_id: int, base_seq: int) -> str:
    base = version(file_id, base_seq)
    if base.content is None:
        return ""
    if base.text is None:
        raise OpaqueFileError("the file is not text", field="text")
    return base.text


def _conflict(actor: Actor, locked: Locked, base: str, mine: str) -> EditConflictError:
    file = MemoryFile.objects.select_related("scope", "head__text__reason").get(pk=locked.file.pk)
    current = present(actor, file)
    theirs = None if current.card.is_deleted else decode(content_of(locked.file))
    merged = merge(base, mine, theirs) if theirs is not None else None
    return EditConflictError(current=current, contents=Contents(base, mine, theirs, merged))


def require_appended(file: MemoryFile, content: bytes) -> None:
    """Return nothing when the file is no log, or `content` only adds to it; of a deleted one, to what it said last.

    :raises AppendOnlyError: a log would lose or change text.
    """
    if kind_named(file.kind).is_append_only and not content.startswith(last_content(file)):
        raise AppendOnlyError("a log is only added to", field="text")


def require_log_name(locked: Locked, path: str) -> None:
    """Return nothing when the file is no log, or would be one at `path` too.

    :raises AppendOnlyError: a log would stop being one, and could then be rewritten.
    """
    is_log = kind_named(locked.file.kind).is_append_only
    if is_log and not kind_of(path, ScopeType(locked.scope.type)).is_append_only:
        raise AppendOnlyError("a log keeps a log's name", field="path")


def append(*, actor: Actor, file_id: int, text: str, note: Note, now: datetime) -> Saved:
    """Add `text` at the end of the file as it is now, on a line of its own; needs no base, loses nothing.

    :raises NotVisibleError: there is no such file, it is deleted, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not add to it.
    :raises OpaqueFileError: the file is not text.
    :raises NotTextError: the text holds NUL or a lone surrogate.
    :raises TooLargeError: the file would be over the hard limit.
    :raises SecretsFoundError: the text holds what looks like a secret.
    :raises InvalidFieldError: the text is empty.
    :raises ArchivedError: the project or agent is archived.
    """
    visible_file(actor, file_id, Action.ADD)
    if not text:
        raise InvalidFieldError("nothing to add", field="text")
    require_confirmed_secrets("", text, is_confirmed=False)
    with transaction.atomic():
        locked = lock(actor, file_id, Action.ADD)
        require_live(actor, locked)
        here = decode(content_of(locked.file))
        if here is None:
            raise OpaqueFileError("the file is not text", field="text")
        gap = "\n" if here and not here.endswith("\n") else ""
        content = checked_content(here + gap + text)
        draft = Draft(
            operation=Version.Operation.APPENDED, content=content, path=locked.file.path,
            reason=checked_reason(note.reason), at=now, via=note.via, is_quarantined=locked.file.is_quarantined,
        )  # fmt: skip
        add_version(scope=locked.scope, file=locked.file, actor=actor, draft=draft, now=now)
        return locked.saved(has_changed=True)


def require_live(actor: Actor, locked: Locked) -> None:
    """Return nothing when the file is not deleted.

    :raises EditConflictError: it is.
    """
    if locked.file.deleted_at is not None:
        raise moved(actor, locked)


def moved(actor: Actor, locked: Locked) -> EditConflictError:
    """Return the error of an act without text whose base is no longer the head."""
    file = MemoryFile.objects.select_related("scope", "head__text__reason").get(pk=locked.file.pk)
    return EditConflictError(current=present(actor, file))


def rename(*, actor: Actor, file_id: int, path: str, base_seq: int, note: Note, now: datetime) -> Saved:
    """Give the file another path in its scope; its history stays with it. The same path is no act.

    :raises NotVisibleError: there is no such file, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not edit it.
    :raises EditConflictError: the file has a newer version, or was deleted.
    :raises PathRefusedError: the path cannot be used.
    :raises NameTakenError: another live file has the path.
    :raises AppendOnlyError: a log would stop being one.
    :raises ArchivedError: the project or agent is archived.
    """
    visible_file(actor, file_id, Action.EDIT)
    clean_path(path)
    with transaction.atomic():
        locked = lock(actor, file_id)
        file = locked.file
        if file.deleted_at is None and file.path == path:
            return locked.saved(has_changed=False)
        if file.seq != base_seq or file.deleted_at is not None:
            raise moved(actor, locked)
        taken = live_at(locked.scope, path)
        if taken is not None:
            raise NameTakenError(file_id=taken.pk)
        require_log_name(locked, path)
        draft = Draft(
            operation=Version.Operation.RENAMED, content=content_of(file), path=path,
            reason=checked_reason(note.reason), at=now, via=note.via, is_quarantined=file.is_quarantined,
        )  # fmt: skip
        add_version(scope=locked.scope, file=file, actor=actor, draft=draft, now=now)
        return locked.saved(has_changed=True)


def delete(*, actor: Actor, file_id: int, base_seq: int, note: Note, now: datetime) -> Saved:
    """Delete the file: it leaves the lists and the agents' copy, its versions stay. Deleting again is no act.

    :raises NotVisibleError: there is no such file, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not edit it.
    :raises EditConflictError: the file has a newer version.
    :raises ArchivedError: the project or agent is archived.
    """
    visible_file(actor, file_id, Action.EDIT)
    with transaction.atomic():
        locked = lock(actor, file_id)
        if locked.file.deleted_at is not None:
            return locked.saved(has_changed=False)
        if locked.file.seq != base_seq:
            raise moved(actor, locked)
        draft = Draft(
            operation=Version.Operation.DELETED, content=None, path=locked.file.path,
            reason=checked_reason(note.reason), at=now, via=note.via,
        )  # fmt: skip
        add_version(scope=locked.scope, file=locked.file, actor=actor, draft=draft, now=now)
        return locked.saved(has_changed=True)
