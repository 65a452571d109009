"""Small builders: a scope, a file, more versions of it."""

from datetime import timedelta

from memoryadmin.domain.actors import Actor
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import files, scopes
from tests.cast import NOW, OPERATOR, Cast


def a_scope(cast: Cast, scope_type: ScopeType = ScopeType.PROJECT, person: str = "") -> int:
    """Return the row id of a scope of project `harbour`; `person` defaults to alice where one is needed."""
    ids = {
        ScopeType.ORGANIZATION: {},
        ScopeType.PROJECT: {"project": cast.project},
        ScopeType.AGENT: {"project": cast.project, "agent": cast.agent},
        ScopeType.PERSON: {"person": person or cast.alice},
        ScopeType.USER: {"project": cast.project, "person": person or cast.alice},
        ScopeType.AGENT_USER: {"project": cast.project, "agent": cast.agent, "person": person or cast.alice},
        ScopeType.SESSION: {"project": cast.project, "session": "s-1", "session_person": person or cast.alice},
    }[scope_type]
    return scopes.ensure(actor=OPERATOR, scope=Scope(scope_type, **ids))


def a_file(
    scope_id: int, text: str = "# Notes\n\nhello\n", path: str = "notes.md", actor: Actor = OPERATOR
) -> int:  # fmt: skip
    """Create a file with one version and return its id."""
    note = files.Note(reason="made for a test", via="command")
    return files.create(actor=actor, scope_id=scope_id, path=path, text=text, note=note, now=NOW).file_id


def more_versions(file_id: int, *texts: str, actor: Actor = OPERATOR) -> int:
    """Save each text on top, a minute apart, and return the last version's number."""
    seq = files.read(actor=OPERATOR, file_id=file_id).seq
    for index, text in enumerate(texts, start=1):
        saved = files.save(
            actor=actor, file_id=file_id, text=text, base_seq=seq, note=files.Note(),
            now=NOW + timedelta(minutes=index),
        )  # fmt: skip
        seq = saved.seq
    return seq
