"""Which conversation a transcript belongs to: its own, or the one whose folder it lies in."""

import posixpath
from collections import Counter
from collections.abc import Collection

from memoryadmin.domain.imports.slugs import slug_for


def sessions(paths: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return for each transcript its session's id and its path inside the session.

    A file below a folder that is named like another transcript belongs to that one's session: a helper's
    conversation inside the main one. Two transcripts of the same name in different folders are two sessions.
    """
    known = frozenset(paths)
    owners = {path: _owner(path, known) for path in paths}
    names = Counter(posixpath.basename(owner) for owner in set(owners.values()))
    found = {}
    for path, owner in owners.items():
        name = posixpath.basename(owner)
        session = slug_for(name if names[name] == 1 else owner, word="session")
        found[path] = (session, _inner(path, owner))
    return found


def _inner(path: str, owner: str) -> str:
    if path.startswith(f"{owner}/"):
        return path.removeprefix(f"{owner}/")
    # A transcript in Markdown is one by its folder, which therefore stays.
    kept = 1 if path.endswith(".jsonl") else 3
    return "/".join(path.split("/")[-kept:])


def _owner(path: str, paths: frozenset[str]) -> str:
    """Return the path, without its ending, of the transcript whose session this is."""
    folder = posixpath.dirname(path)
    while folder:
        if f"{folder}.jsonl" in paths:
            return folder
        folder = posixpath.dirname(folder)
    return posixpath.splitext(path)[0]
