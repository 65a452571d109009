"""Bring an old version back: as a new version on top, never by going back. It passes the checks of today.

A deleted file comes back in its own life when its name is free. When the name was taken meanwhile, nothing is lost
and nothing is guessed: the caller names another path, or restores the text into the file that has the name now.
"""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import InvalidFieldError, NotVisibleError
from memoryadmin.domain.limits import require_hard_limit
from memoryadmin.domain.paths import clean_path
from memoryadmin.domain.permissions import Action
from memoryadmin.models import MemoryFile, Version
from memoryadmin.services.files.errors import NameTakenError
from memoryadmin.services.files.ledger import Draft, add_version, decode
from memoryadmin.services.files.reading import visible_file
from memoryadmin.services.files.values import Saved
from memoryadmin.services.files.writing import (
    Locked,
    Note,
    checked_reason,
    content_of,
    live_at,
    lock,
    moved,
    require_appended,
    require_confirmed_secrets,
    require_live,
    require_log_name,
    stays_quarantined,
)


def restore(
    *, actor: Actor, file_id: int, seq: int, base_seq: int, note: Note, now: datetime, path: str = "",
    is_confirmed: bool = False,
) -> Saved:  # fmt: skip
    """Add a version with the content of version `seq`; of a deleted file, revive it, at `path` when one is given.

    Content that is already there is no act.

    :raises NotVisibleError: there is no such file or version, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not edit it.
    :raises InvalidFieldError: the version is a deletion or was redacted, so it has nothing to bring back.
    :raises EditConflictError: the file has a newer version than `base_seq`.
    :raises NameTakenError: the file is deleted and another live file has its path.
    :raises PathRefusedError: the path cannot be used.
    :raises AppendOnlyError: the file is a log and would lose text, or its name, also when it is deleted.
    :raises TooLargeError: the content is over the hard limit and larger than the present one.
    :raises SecretsFoundError: the content holds what looks like a secret that the present one does not.
    :raises ArchivedError: the project or agent is archived.
    """
    visible_file(actor, file_id, Action.EDIT)
    with transaction.atomic():
        locked = lock(actor, file_id)
        source, content = _source(file_id, seq)
        is_revived = locked.file.deleted_at is not None
        if not is_revived and content == content_of(locked.file):
            return locked.saved(has_changed=False)
        if locked.file.seq != base_seq:
            raise moved(actor, locked)
        target = clean_path(path) if is_revived and path else locked.file.path
        if is_revived:
            require_log_name(locked, target)
            _require_free(locked, target)
        return _put_back(actor, locked, source, content, target, note, now, is_confirmed=is_confirmed)


def restore_into(
    *, actor: Actor, file_id: int, source_file_id: int, seq: int, base_seq: int, note: Note, now: datetime,
    is_confirmed: bool = False,
) -> Saved:  # fmt: skip
    """Add to the live file `file_id` a version with the content of another file's version `seq` in the same scope.

    :raises NotVisibleError: a file or the version does not exist, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not edit one of them.
    :raises InvalidFieldError: the files are in different scopes, or the version has nothing to bring back.
    :raises EditConflictError: the file has a newer version than `base_seq`, or was deleted.
    :raises AppendOnlyError: the file is a log and would lose text.
    :raises TooLargeError: the content is over the hard limit and larger than the present one.
    :raises SecretsFoundError: the content holds what looks like a secret that the present one does not.
    :raises ArchivedError: the project or agent is archived.
    """
    other = visible_file(actor, source_file_id, Action.EDIT)
    with transaction.atomic():
        locked = lock(actor, file_id)
        if locked.file.scope_id != other.scope_id:
            raise InvalidFieldError("a version goes only into a file of its own scope", field="source_file_id")
        source, content = _source(source_file_id, seq)
        require_live(actor, locked)
        if content == content_of(locked.file):
            return locked.saved(has_changed=False)
        if locked.file.seq != base_seq:
            raise moved(actor, locked)
        return _put_back(actor, locked, source, content, locked.file.path, note, now, is_confirmed=is_confirmed)


def _source(file_id: int, seq: int) -> tuple[Version, bytes]:
    source = Version.objects.filter(file=file_id, seq=seq).select_related("text__blob").first()
    if source is None:
        raise NotVisibleError(field="seq")
    if source.text.blob is None:
        raise InvalidFieldError("this version has no content to bring back", field="seq")
    return source, bytes(source.text.blob.content)


def _require_free(locked: Locked, path: str) -> None:
    taken = live_at(locked.scope, path)
    if taken is not None:
        raise NameTakenError(file_id=taken.pk)


def _put_back(
    actor: Actor, locked: Locked, source: Version, content: bytes, path: str, note: Note, now: datetime,
    *, is_confirmed: bool,
) -> Saved:  # fmt: skip
    file: MemoryFile = locked.file
    here = content_of(file)
    require_appended(file, content)
    if file.deleted_at is None:
        require_hard_limit(size_bytes=len(content), base_bytes=len(here), limit_bytes=settings.HARD_LIMIT_BYTES)
    text = decode(content) or ""
    has_secrets = require_confirmed_secrets(decode(here) or "", text, is_confirmed=is_confirmed)
    draft = Draft(
        operation=Version.Operation.RESTORED, content=content, path=path, reason=checked_reason(note.reason), at=now,
        via=note.via, source=source, has_confirmed_secrets=has_secrets,
        is_quarantined=stays_quarantined(file, text, is_confirmed=is_confirmed),
    )  # fmt: skip
    add_version(scope=locked.scope, file=file, actor=actor, draft=draft, now=now)
    return locked.saved(has_changed=True)
