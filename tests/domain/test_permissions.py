import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.actors import Person, ProjectRole, Runtime, System
from memoryadmin.domain.errors import NotAllowedError, NotVisibleError
from memoryadmin.domain.permissions import Action, allows, require, visible_to
from memoryadmin.domain.scopes import Scope, ScopeType

PEOPLE = ["u_" + letter * 20 for letter in "abc"]
PROJECTS = ["one", "two"]
AGENTS = ["x", "y"]


def all_scopes():
    yield Scope(ScopeType.ORGANIZATION)
    for person in PEOPLE:
        yield Scope(ScopeType.PERSON, person=person)
    for project in PROJECTS:
        yield Scope(ScopeType.PROJECT, project=project)
        for agent in AGENTS:
            yield Scope(ScopeType.AGENT, project=project, agent=agent)
        for person in PEOPLE:
            yield Scope(ScopeType.USER, project=project, person=person)
            yield Scope(ScopeType.SESSION, project=project, session="s", session_person=person)
            for agent in AGENTS:
                yield Scope(ScopeType.AGENT_USER, project=project, agent=agent, person=person)


persons = st.builds(
    Person, id=st.sampled_from(PEOPLE), is_admin=st.booleans(), is_auditor=st.booleans(),
    projects=st.dictionaries(st.sampled_from(PROJECTS), st.sampled_from(list(ProjectRole))),
)  # fmt: skip
runtimes = st.builds(Runtime, id=st.just("t"), project=st.sampled_from(PROJECTS), agent=st.sampled_from(AGENTS))
actors = persons | runtimes | st.just(System("import"))


def is_named(alternative, scope):
    return (
        alternative.type is scope.type
        and (alternative.projects is None or scope.project in alternative.projects)
        and (alternative.agent is None or scope.agent == alternative.agent)
        and (alternative.owner is None or scope.owner == alternative.owner)
    )


class TestTheTable:
    @given(actors, st.sampled_from(list(Action)))
    def test_answers_alike_for_one_object_and_for_a_list(self, actor, action):
        alternatives = visible_to(action, actor)
        for scope in all_scopes():
            assert any(is_named(one, scope) for one in alternatives) == allows(action, actor, scope), scope

    @given(persons)
    def test_personal_content_is_its_persons_alone(self, person):
        for scope in all_scopes():
            if scope.is_personal and scope.owner != person.id:
                assert not allows(Action.READ, person, scope)
                assert not allows(Action.EDIT, person, scope)

    @given(actors)
    def test_whoever_may_edit_may_read_and_whoever_may_read_may_list(self, actor):
        for scope in all_scopes():
            assert not allows(Action.EDIT, actor, scope) or allows(Action.ADD, actor, scope)
            assert not allows(Action.ADD, actor, scope) or allows(Action.READ, actor, scope)
            assert not allows(Action.READ, actor, scope) or allows(Action.LIST, actor, scope)

    @given(actors)
    def test_nobody_edits_a_session(self, actor):
        assert not allows(Action.EDIT, actor, Scope(ScopeType.SESSION, project="one", session="s"))

    @given(runtimes)
    def test_PE_05_a_runtime_reads_its_own_agent_alone(self, runtime):
        for scope in all_scopes():
            if scope.type is ScopeType.AGENT:
                own = (scope.project, scope.agent) == (runtime.project, runtime.agent)
                assert allows(Action.READ, runtime, scope) == own

    @given(st.builds(Person, id=st.sampled_from(PEOPLE), is_auditor=st.just(value=True)))
    def test_an_auditor_writes_nothing(self, auditor):
        own = {Scope(ScopeType.PERSON, person=auditor.id)}
        for scope in all_scopes():
            if scope.owner != auditor.id and scope not in own:
                assert not allows(Action.EDIT, auditor, scope)
                assert not allows(Action.MANAGE, auditor, scope)


class TestRequire:
    def test_hides_from_a_stranger_that_there_is_anything(self):
        with pytest.raises(NotVisibleError):
            require(Action.EDIT, Person(PEOPLE[0]), Scope(ScopeType.PROJECT, project="one"))

    def test_tells_a_member_that_the_agents_files_are_the_owners_to_edit(self):
        member = Person(PEOPLE[0], projects={"one": ProjectRole.MEMBER})
        with pytest.raises(NotAllowedError):
            require(Action.EDIT, member, Scope(ScopeType.AGENT, project="one", agent="x"))

    def test_tells_an_admin_that_personal_content_is_closed(self):
        with pytest.raises(NotAllowedError):
            require(Action.READ, Person(PEOPLE[0], is_admin=True), Scope(ScopeType.PERSON, person=PEOPLE[1]))

    def test_lets_an_owner_through(self):
        owner = Person(PEOPLE[0], projects={"one": ProjectRole.OWNER})
        assert require(Action.EDIT, owner, Scope(ScopeType.AGENT, project="one", agent="x")) is None
