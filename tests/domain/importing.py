"""Small builders for import tests: a folder is a dict from path to text."""

import hashlib

from memoryadmin.domain.imports import ImportTarget, SourceFile, propose

PERSON = "u_" + "a" * 20


def a_file(path, text="text"):
    content = text.encode()
    return SourceFile(path, len(content), hashlib.sha256(content).hexdigest())


def a_link(path, link_target):
    return SourceFile(path, is_symlink=True, link_target=link_target)


def a_folder(*paths):
    """Return files with these paths, no two alike."""
    return [a_file(path, f"text of {path}") for path in paths]


def proposed(sources, agent="planner", person=PERSON):
    return propose(sources, ImportTarget("dispatch", agent, person))


def places(proposal):
    """Return for each source path where it goes: `scope type:agent or session:path`, or the refusal's code."""
    return {one.source_path: place_of(one) for one in proposal.placements}


def place_of(placement):
    if placement.refused is not None:
        return f"refused:{placement.refused.code}"
    scope = placement.scope
    return ":".join(part for part in (scope.type, scope.agent or scope.session, placement.path) if part)


def notes_of(proposal, path):
    """Return the notes on one source as pairs of code and parameters."""
    (placement,) = (one for one in proposal.placements if one.source_path == path)
    return [(str(note.code), note.named()) for note in placement.notes]


def refusal_of(proposal, path):
    (placement,) = (one for one in proposal.placements if one.source_path == path)
    assert placement.scope is None
    return str(placement.refused.code), placement.refused.named()
