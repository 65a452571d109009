"""Read one file, one version, a history, a comparison; list the files of a scope. Asks the permission table first."""

import hashlib
from collections.abc import Iterable

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.diffs import compare as compare_texts
from memoryadmin.domain.errors import NotVisibleError
from memoryadmin.domain.files import kind_named
from memoryadmin.domain.limits import Size, limit_state
from memoryadmin.domain.permissions import Action
from memoryadmin.models import MemoryFile, Version
from memoryadmin.services import people, scopes
from memoryadmin.services.files.ledger import decode
from memoryadmin.services.files.values import (
    Author,
    Comparison,
    FileCard,
    History,
    OtherLife,
    ReadFile,
    ReadVersion,
    VersionCard,
)

PAGE = 50


def card(row: MemoryFile, names: dict[str, str]) -> FileCard:
    """Return the card of a file row whose scope and head are loaded."""
    kind, size = kind_named(row.kind), Size(chars=row.size_chars, bytes=row.size_bytes, lines=row.size_lines)
    head = row.head
    return FileCard(
        id=row.pk, scope_id=row.scope_id, scope=row.scope.scope, path=row.path, kind=kind, seq=row.seq, size=size,
        limit=limit_state(kind, size), is_opaque=row.is_opaque, is_quarantined=row.is_quarantined,
        updated_at=row.updated_at, deleted_at=row.deleted_at,
        author=Author(head.actor_kind, head.actor_id, names.get(head.actor_id, "")) if head else Author("", "", ""),
    )  # fmt: skip


def cards(rows: Iterable[MemoryFile]) -> list[FileCard]:
    """Return cards for rows whose scope and head are loaded; one more query, for names."""
    rows = list(rows)
    names = people.names({row.head.actor_id for row in rows if row.head})
    return [card(row, names) for row in rows]


def visible_file(actor: Actor, file_id: int, action: Action = Action.READ) -> MemoryFile:
    """Return the row of a file, deleted ones included, in whose scope `actor` may do `action`.

    :raises NotVisibleError: there is no such file, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may know of it but not do this.
    """
    row = MemoryFile.objects.select_related("scope", "head").filter(pk=file_id).first()
    if row is None or row.head is None:
        raise NotVisibleError
    permissions.require(action, actor, row.scope.scope)
    return row


def read(*, actor: Actor, file_id: int) -> ReadFile:
    """Return a file with its present content; of a deleted file, the content it had last.

    :raises NotVisibleError: there is no such file, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may know that it exists but not read it.
    """
    return present(actor, visible_file(actor, file_id))


def present(actor: Actor, row: MemoryFile) -> ReadFile:
    """Return the value of a file row that `actor` may read."""
    shown = last_with_content(row)
    content = bytes(shown.text.blob.content) if shown.text.blob else b""
    head = row.head
    reason = head.text.reason if head else None
    is_archived = _is_archived(row)
    return ReadFile(
        card=cards([row])[0], content=content, text=decode(content), version_id=shown.pk,
        content_sha256=hashlib.sha256(content).hexdigest(), operation=head.operation if head else "",
        reason=bytes(reason.content).decode() if reason else "",
        can_edit=permissions.allows(Action.EDIT, actor, row.scope.scope) and not is_archived,
        is_archived=is_archived,
    )  # fmt: skip


def _is_archived(row: MemoryFile) -> bool:
    try:
        scopes.require_writable(row.scope.scope)
    except scopes.ArchivedError:
        return True
    return False


def last_with_content(row: MemoryFile) -> Version:
    """Return the head, or for a deleted file the version before the deletion, with its text loaded.

    :raises NotVisibleError: the file has no such version.
    """
    versions = Version.objects.filter(file=row).select_related("text__blob", "text__reason")
    if row.deleted_at is not None:
        versions = versions.exclude(operation=Version.Operation.DELETED)
    found = versions.order_by("-seq").first()
    if not isinstance(found, Version):
        raise NotVisibleError
    return found


def version_cards(rows: list[Version]) -> list[VersionCard]:
    """Return cards of versions whose text, reason, change, parent and source are loaded; one query for names."""
    names = people.names({row.actor_id for row in rows})
    return [
        VersionCard(
            id=row.pk, file_id=row.file_id, seq=row.seq, operation=row.operation,
            author=Author(row.actor_kind, row.actor_id, names.get(row.actor_id, "")), at=row.at, via=row.change.via,
            size=Size(chars=row.size_chars, bytes=row.size_bytes, lines=row.size_lines),
            chars_change=row.size_chars - (row.parent.size_chars if row.parent else 0), path=row.text.path,
            source_seq=row.source.seq if row.source else None,
            source_file_id=row.source.file_id if row.source else None,
            reason=bytes(row.text.reason.content).decode() if row.text.reason else "",
            has_content=row.text.blob_id is not None, is_quarantined=row.text.is_quarantined,
        )
        for row in rows
    ]  # fmt: skip


_LOADED = ("text__reason", "change", "parent", "source")


def read_version(*, actor: Actor, file_id: int, seq: int) -> ReadVersion:
    """Return one version of a file with its content.

    :raises NotVisibleError: there is no such file or version, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may know that the file exists but not read it.
    """
    visible_file(actor, file_id)
    return version(file_id, seq)


def version(file_id: int, seq: int) -> ReadVersion:
    """Return one version for a caller who has asked the permission table.

    :raises NotVisibleError: there is no such version.
    """
    rows = list(Version.objects.filter(file=file_id, seq=seq).select_related(*_LOADED, "text__blob"))
    if not rows:
        raise NotVisibleError(field="seq")
    row = rows[0]
    content = bytes(row.text.blob.content) if row.text.blob else None
    return ReadVersion(version_cards(rows)[0], content, decode(content) if content is not None else None)


def history(
    *, actor: Actor, file_id: int, before: int | None = None, author_kind: str = "", limit: int = PAGE
) -> History:
    """Return a page of the file's versions, newest first, from below seq `before`; a constant number of queries.

    `author_kind` keeps the versions of that kind of author; a kind that nobody has keeps none.

    :raises NotVisibleError: there is no such file, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may know that it exists but not read it.
    """
    file = visible_file(actor, file_id)
    rows = Version.objects.filter(file=file_id).select_related(*_LOADED)
    kinds = Version.objects.filter(file=file_id).order_by("actor_kind").values_list("actor_kind", flat=True).distinct()
    if author_kind:
        rows = rows.filter(actor_kind=author_kind)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    found = list(rows.order_by("-seq")[: limit + 1])
    page = found[:limit]
    return History(
        file=cards([file])[0], versions=tuple(version_cards(page)),
        next_before=page[-1].seq if len(found) > limit else None, other_lives=_other_lives(file),
        author_kinds=tuple(kinds),
        can_edit=permissions.allows(Action.EDIT, actor, file.scope.scope) and not _is_archived(file),
    )  # fmt: skip


def _other_lives(file: MemoryFile, limit: int = PAGE) -> tuple[OtherLife, ...]:
    rows = MemoryFile.objects.filter(scope=file.scope_id, path=file.path).exclude(pk=file.pk)
    return tuple(
        OtherLife(row.pk, row.path, row.created_at, row.deleted_at, row.seq)
        for row in rows.order_by("-created_at", "-pk")[:limit]
    )


def compare(*, actor: Actor, file_id: int, old_seq: int, new_seq: int) -> Comparison:
    """Return two versions of a file and their line diff; a deletion compares as the empty text.

    :raises NotVisibleError: there is no such file or version, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may know that the file exists but not read it.
    """
    file = visible_file(actor, file_id)
    old, new = version(file_id, old_seq), version(file_id, new_seq)
    texts = [one.text if one.content is not None else "" for one in (old, new)]
    diff = compare_texts(texts[0], texts[1]) if texts[0] is not None and texts[1] is not None else None
    can_edit = permissions.allows(Action.EDIT, actor, file.scope.scope) and not _is_archived(file)
    return Comparison(file=cards([file])[0], old=old, new=new, diff=diff, can_edit=can_edit)
