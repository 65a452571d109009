"""The first admin of an empty installation: whoever holds the link that `up` printed, once.

The link's key is signed with the installation's secret and dies with its day, with the next secret, and with the
first person: nothing is stored for it. Called by `up`, which prints it, and by the page behind it.
"""

from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction

from memoryadmin.domain.actors import System
from memoryadmin.domain.errors import InvalidFieldError, NotVisibleError
from memoryadmin.services import people

_SALT = "memoryadmin.first-admin"
LIFE = timedelta(days=1)


def first_admin_key() -> str:
    """Return a key with which, within a day, one person may become the first admin.

    :raises NotVisibleError: the installation has people already.
    """
    if people.has_anybody():
        raise NotVisibleError
    return signing.TimestampSigner(salt=_SALT).sign("first-admin")


def require_key(*, key: str) -> None:
    """Return nothing when `key` still opens the way.

    :raises NotVisibleError: it was never given out, is too old, or somebody has used it.
    """
    try:
        signing.TimestampSigner(salt=_SALT).unsign(key, max_age=LIFE)
    except signing.BadSignature as refused:
        raise NotVisibleError from refused
    if people.has_anybody():
        raise NotVisibleError


def create_first_admin(*, key: str, name: str, login: str, password: str, now: datetime) -> str:
    """Create the first admin and return their id; the key is used up with that.

    :raises NotVisibleError: the key does not open the way, or no longer.
    :raises InvalidFieldError: a field is blank or the password too weak; names the field.
    """
    require_key(key=key)
    for field, value in (("login", login), ("password", password)):
        if not value.strip():
            raise InvalidFieldError("an admin has to be able to sign in", field=field)
    fields = people.PersonFields(name=name, login=login, password=password, is_admin=True)
    with transaction.atomic():
        # Two people with the same link: the second finds somebody there.
        require_key(key=key)
        return people.create(actor=System("setup"), fields=fields, now=now)
