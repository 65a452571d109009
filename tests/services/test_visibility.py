"""Lists and single objects give the same answer, from real rows, for every kind of actor and every scope."""

import pytest

from memoryadmin.domain.actors import Person, ProjectRole, Runtime, System
from memoryadmin.domain.errors import NotAllowedError, NotVisibleError
from memoryadmin.domain.permissions import Action, allows
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import MemoryFile, ScopeRow
from memoryadmin.services import files, scopes
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(cast):
    """Every type of scope for alice and for bob, with one file in each that can hold one."""
    scopes.create_agent(actor=OPERATOR, project_id=cast.foreign_project, slug="keeper", name="Keeper", now=NOW)
    for person in (cast.alice, cast.bob):
        for scope_type in ScopeType:
            scope_id = a_scope(cast, scope_type, person)
            if not MemoryFile.objects.filter(scope=scope_id).exists():
                a_file(scope_id)
    return cast


def actors(cast):
    known = [cast.actor(getattr(cast, name)) for name in ("alice", "bob", "carol", "dana", "erik")]
    roles = [Person(cast.bob, projects={cast.project: role}) for role in ProjectRole]
    others = [Runtime("t1", cast.project, cast.agent), Runtime("t2", cast.foreign_project, "keeper"), System("job")]
    return known + roles + others


class TestScopesAndFiles:
    @pytest.mark.parametrize("action", [Action.LIST, Action.READ, Action.ADD, Action.EDIT])
    def test_are_in_a_list_exactly_when_the_table_allows_each(self, world, action):
        rows = list(ScopeRow.objects.all())
        assert len(rows) == 10
        for actor in actors(world):
            listed = set(ScopeRow.objects.all().visible_to(actor, action).values_list("pk", flat=True))
            assert listed == {row.pk for row in rows if allows(action, actor, row.scope)}, actor

    def test_open_exactly_when_the_table_allows_it(self, world):
        for actor in actors(world):
            for row in MemoryFile.objects.select_related("scope"):
                if allows(Action.READ, actor, row.scope.scope):
                    assert files.read(actor=actor, file_id=row.pk).path == "notes.md"
                    continue
                hidden = NotAllowedError if allows(Action.LIST, actor, row.scope.scope) else NotVisibleError
                with pytest.raises(hidden):
                    files.read(actor=actor, file_id=row.pk)

    def test_that_changed_lately_are_those_that_may_be_read(self, world):
        for actor in actors(world):
            shown = {card.id for card in files.recent(actor=actor, limit=100)}
            rows = MemoryFile.objects.select_related("scope")
            assert shown == {row.pk for row in rows if allows(Action.READ, actor, row.scope.scope)}

    def test_of_a_person_are_cards_that_say_what_the_reader_may_do(self, world):
        for actor in actors(world):
            for card in scopes.scopes_of(actor=actor, person_id=world.alice):
                assert card.can_read == allows(Action.READ, actor, card.scope)
                assert card.can_edit == allows(Action.EDIT, actor, card.scope)
