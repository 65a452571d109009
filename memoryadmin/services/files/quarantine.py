"""Let a quarantined file go: a person has looked and says that what looks like a secret is none, or may stay."""

from datetime import datetime

from django.db import transaction

from memoryadmin.domain.actors import Actor
from memoryadmin.domain.permissions import Action
from memoryadmin.models import VersionText
from memoryadmin.services import audit, jobs
from memoryadmin.services.files.ledger import PROJECT_JOB
from memoryadmin.services.files.reading import last_with_content, visible_file
from memoryadmin.services.files.values import Saved
from memoryadmin.services.files.writing import lock, moved


def release(*, actor: Actor, file_id: int, base_seq: int, now: datetime) -> Saved:
    """End a file's quarantine as it is: no new version, one record. Does nothing when there is none.

    Versions with other content that were written in quarantine stay masked in history.

    :raises NotVisibleError: there is no such file, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may not edit it.
    :raises EditConflictError: the file has a newer version than the one looked at.
    :raises ArchivedError: the project or agent is archived.
    """
    visible_file(actor, file_id, Action.EDIT)
    with transaction.atomic():
        locked = lock(actor, file_id)
        file, scope = locked.file, locked.scope
        if not file.is_quarantined:
            return locked.saved(has_changed=False)
        if file.seq != base_seq:
            raise moved(actor, locked)
        shown = last_with_content(file)
        VersionText.objects.filter(version__file=file, blob=shown.text.blob).update(is_quarantined=False)
        file.is_quarantined = False
        file.save(update_fields=["is_quarantined"])
        scope.rev += 1
        scope.save(update_fields=["rev"])
        jobs.enqueue(kind=PROJECT_JOB, key=f"{PROJECT_JOB}:{file.pk}", subject_id=file.pk, now=now)
        event = audit.Event(
            action="file.released", object_type="file", object_id=str(file.pk), scope_id=scope.pk,
            before_version_id=file.head_id, project_id=scope.project, person_id=scope.person,
        )  # fmt: skip
        audit.record(actor=actor, event=event, now=now)
        return locked.saved(has_changed=True)
