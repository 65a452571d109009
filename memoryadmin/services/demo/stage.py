"""The company on its way into the database: who has which id by now, which scope a path means, who acts.

Called by `loading` only. Prefixes come from `domain.scopes.prefix`; the demo's folder has sign-in names where
the bucket has person ids, and nothing else differs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memoryadmin.domain.actors import Actor, Runtime, System
from memoryadmin.domain.scopes import Scope, ScopeType, prefix
from memoryadmin.models import Person
from memoryadmin.services import people, scopes
from memoryadmin.services.demo.company import Company, DemoBrokenError, Employee, Undertaking

DEMO = System("demo")
_MINUTE = timedelta(minutes=1)


@dataclass
class Stage:
    """Fills up as people are hired and projects begin; `ids` maps sign-in names to person ids."""

    company: Company
    ids: dict[str, str] = field(default_factory=dict)
    _people: dict[str, Actor] = field(default_factory=dict)
    _places: dict[str, Scope] = field(default_factory=dict)

    def hire(self, person: Employee, *, now: datetime) -> None:
        """Create one person, a minute after the one before; the first is the admin who creates the others."""
        fields = people.PersonFields(
            name=person.name, login=person.login, email=f"{person.login}@merevik.example",
            is_admin=person.is_admin, is_auditor=person.is_auditor,
            password="" if self.ids else self.company.password,
        )  # fmt: skip
        admin = self._admin() if self.ids else DEMO
        found = people.create(actor=admin, fields=fields, now=now + len(self.ids) * _MINUTE)
        if self.ids:
            # A password is hashed slowly on purpose. This one is everybody's and gets printed: once will do.
            admins = Person.objects.get(pk=self.ids[self.company.people[0].login])
            Person.objects.filter(pk=found).update(password=admins.password)
        self.ids[person.login] = found

    def begin(self, project: Undertaking, *, now: datetime) -> None:
        """Create one project with its members, then, by its owner, its agents."""
        scopes.create_project(
            actor=self._admin(), project_id=project.id, name=project.name, description=project.description,
            now=now,
        )  # fmt: skip
        for login, role in project.members.items():
            scopes.set_member(
                actor=self._admin(), project_id=project.id, person_id=self.ids[login], role=role,
                now=now + _MINUTE,
            )  # fmt: skip
        self._people.clear()
        for agent in project.agents:
            scopes.create_agent(
                actor=self._person(project.owner), project_id=project.id, slug=agent.id, name=agent.name,
                description=agent.description, now=now + 4 * _MINUTE,
            )  # fmt: skip

    def place(self, path: str) -> tuple[Scope, str]:
        """Return the scope that `path` of a story lies in, and the path inside it.

        :raises DemoBrokenError: it lies in none.
        """
        if not self._places:
            self._places = dict(self._prefixes())
        for start, scope in self._places.items():
            if path.startswith(start):
                return scope, path.removeprefix(start)
        raise DemoBrokenError(f"{path}: lies in no scope of the company")

    def _prefixes(self) -> Iterator[tuple[str, Scope]]:
        yield self._named(Scope(ScopeType.ORGANIZATION))
        for login, person in self.ids.items():
            yield self._named(Scope(ScopeType.PERSON, person=person), login)
        for project in self.company.projects:
            yield self._named(Scope(ScopeType.PROJECT, project=project.id))
            for login, person in self.ids.items():
                yield self._named(Scope(ScopeType.USER, project=project.id, person=person), login)
            for agent in project.agents:
                yield self._named(Scope(ScopeType.AGENT, project=project.id, agent=agent.id))
                for login, person in self.ids.items():
                    scope = Scope(ScopeType.AGENT_USER, project=project.id, agent=agent.id, person=person)
                    yield self._named(scope, login)

    @staticmethod
    def _named(scope: Scope, login: str = "") -> tuple[str, Scope]:
        start = prefix(scope)
        return start.replace(scope.person, login) if scope.person else start, scope

    def actor(self, by: str, scope: Scope) -> Actor:
        """Return who `by` is: a sign-in name, `agent:<id>` of the project of `scope`, or `system:<part>`.

        :raises DemoBrokenError: nobody is called that.
        """
        match by.partition(":"):
            case (login, "", "") if login in self.ids:
                return self._person(login)
            case ("agent", ":", agent):
                return Runtime(agent, project=scope.project, agent=agent)
            case ("system", ":", part):
                return System(part)
        raise DemoBrokenError(f"{by!r} is nobody in the company")

    def _admin(self) -> Actor:
        return self._person(self.company.people[0].login)

    def _person(self, login: str) -> Actor:
        if login not in self._people:
            found = people.actor_for(person_id=self.ids[login])
            if found is None:
                raise DemoBrokenError(f"{login!r} is nobody in the company")
            self._people[login] = found
        return self._people[login]
