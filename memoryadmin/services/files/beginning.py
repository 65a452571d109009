"""The first file of a scope: the scope's row and the file are made together or not at all.

Called by the pages of projects, agents and people, whose scopes hold nothing until somebody writes. Opening such a
page makes nothing: absent is normal.
"""

from datetime import datetime

from django.db import transaction

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import Scope
from memoryadmin.services import scopes
from memoryadmin.services.files.values import Saved
from memoryadmin.services.files.writing import Note, create


def create_first(
    *, actor: Actor, scope: Scope, path: str, text: str, note: Note, now: datetime, is_confirmed: bool = False
) -> Saved:
    """Create a file in `scope`, making the scope's row when this is its first file; otherwise as `create`.

    :raises NotVisibleError: `actor` may not know of the scope or its project, or something it names does not exist.
    :raises NotAllowedError: `actor` may not add to it.
    :raises PathRefusedError: the path cannot be used.
    :raises NameTakenError: a live file has the path.
    :raises NotTextError: the text holds NUL or a lone surrogate.
    :raises TooLargeError: the text is over the hard limit.
    :raises SecretsFoundError: the text holds what looks like a secret.
    :raises ArchivedError: the project or agent is archived.
    """
    permissions.require(Action.ADD, actor, scope)
    scopes.card_of(actor=actor, scope=scope)
    with transaction.atomic():
        scope_id = scopes.ensure(actor=actor, scope=scope)
        return create(
            actor=actor, scope_id=scope_id, path=path, text=text, note=note, now=now, is_confirmed=is_confirmed
        )
