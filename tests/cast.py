"""The people of every test: alice owns the project, bob shares it, carol sees nothing, dana is admin, erik audits."""

from dataclasses import dataclass
from datetime import UTC, datetime

from memoryadmin.domain.actors import Person, ProjectRole, System
from memoryadmin.services import people, scopes

NOW = datetime(2026, 7, 20, 12, 0, tzinfo=UTC)
OPERATOR = System("tests")
PASSWORD = "quiet harbour 9"


@dataclass(frozen=True)
class Cast:
    """Ids of the people; `actor(id)` gives the actor as of now."""

    alice: str
    bob: str
    carol: str
    dana: str
    erik: str
    project: str = "harbour"
    agent: str = "pilot"
    foreign_project: str = "lighthouse"

    def actor(self, person_id: str) -> Person:
        actor = people.actor_for(person_id=person_id)
        assert actor is not None
        return actor


def assemble() -> Cast:
    """Create the people, a project `harbour` with an agent `pilot`, and carol's own project `lighthouse`."""
    made = {}
    for login in ("alice", "bob", "carol", "dana", "erik"):
        fields = people.PersonFields(
            name=login.title(), login=login, is_admin=login == "dana", is_auditor=login == "erik"
        )
        made[login] = people.create(actor=OPERATOR, fields=fields, now=NOW)
    cast = Cast(**made)
    scopes.create_project(actor=OPERATOR, project_id=cast.project, name="Harbour", now=NOW)
    scopes.create_project(actor=OPERATOR, project_id=cast.foreign_project, name="Lighthouse", now=NOW)
    scopes.create_agent(actor=OPERATOR, project_id=cast.project, slug=cast.agent, name="Pilot", now=NOW)
    members = (
        (cast.project, cast.alice, ProjectRole.OWNER), (cast.project, cast.bob, ProjectRole.MEMBER),
        (cast.foreign_project, cast.carol, ProjectRole.OWNER),
    )  # fmt: skip
    for project, person, role in members:
        scopes.set_member(actor=OPERATOR, project_id=project, person_id=person, role=role, now=NOW)
    return cast
