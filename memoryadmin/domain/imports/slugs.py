"""Ids for things that have only a name: the same name gives the same id, another name another one."""

import hashlib
import re
import unicodedata

from memoryadmin.domain.scopes import is_slug

_KEPT_CHARS = 52  # an id has 63; the rest is for the sign and the digest


def slug_for(name: str, *, word: str = "agent") -> str:
    """Return `name` itself when it can be an id, else what is left of it with a short digest of the whole.

    Two names share an id only when one of them is the other's id. `word` stands for a name of which nothing
    is left: letters of other scripts are not transliterated, because no way of doing it keeps names apart.

    >>> slug_for("customer_support"), slug_for("Forge"), slug_for("遺書")
    ('customer_support', 'forge-x8899ecd1', 'agent-xf44d64a3')
    """
    if is_slug(name):
        return name
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9_.]+", "-", letters)[:_KEPT_CHARS].strip("-._")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{base or word}-x{digest}"
