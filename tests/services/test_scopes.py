import pytest

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.domain.errors import AlreadyExistsError, InvalidFieldError, NotAllowedError, NotVisibleError
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.models import AuditRecord, ScopeRow
from memoryadmin.services import scopes
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR

pytestmark = pytest.mark.django_db


class TestProjects:
    def test_an_admin_creates_one_and_owns_it(self, cast):
        scopes.create_project(actor=cast.actor(cast.dana), project_id="docks", name="Docks", now=NOW)
        assert [(m.person_id, m.role) for m in scopes.members(actor=OPERATOR, project_id="docks")] == [
            (cast.dana, ProjectRole.OWNER)
        ]

    def test_a_member_may_not_create_or_change_one(self, cast):
        bob = cast.actor(cast.bob)
        with pytest.raises(NotAllowedError):
            scopes.create_project(actor=bob, project_id="docks", name="Docks", now=NOW)
        with pytest.raises(NotAllowedError):
            scopes.edit_project(actor=bob, project_id=cast.project, name="Mine", description="", now=NOW)

    @pytest.mark.parametrize("slug", ["", " ", "Docks", "a/b", "..", "*", "-a", "ё", "a" * 64])
    def test_ST_05_an_id_that_could_widen_a_prefix_is_refused(self, cast, slug):
        with pytest.raises(InvalidFieldError) as refused:
            scopes.create_project(actor=OPERATOR, project_id=slug, name="Docks", now=NOW)
        assert refused.value.field == "slug"

    def test_an_id_is_taken_for_ever(self, cast):
        scopes.archive_project(actor=OPERATOR, project_id=cast.project, now=NOW)
        with pytest.raises(AlreadyExistsError):
            scopes.create_project(actor=OPERATOR, project_id=cast.project, name="Again", now=NOW)

    def test_lists_show_what_may_be_seen_and_leave_archived_ones_apart(self, cast):
        alice, dana = cast.actor(cast.alice), cast.actor(cast.dana)
        assert [p.id for p in scopes.projects(actor=alice)] == [cast.project]
        assert [p.id for p in scopes.projects(actor=dana)] == [cast.project, cast.foreign_project]
        scopes.archive_project(actor=alice, project_id=cast.project, now=NOW)
        assert scopes.projects(actor=alice) == []
        assert [p.id for p in scopes.projects(actor=alice, is_archived=True)] == [cast.project]
        scopes.unarchive_project(actor=alice, project_id=cast.project, now=NOW)
        assert [p.agents for p in scopes.projects(actor=alice)] == [1]

    def test_acts_that_change_nothing_leave_no_record(self, cast):
        records = AuditRecord.objects.count()
        scopes.edit_project(actor=OPERATOR, project_id=cast.project, name="Harbour", description="", now=NOW)
        scopes.unarchive_project(actor=OPERATOR, project_id=cast.project, now=NOW)
        scopes.set_member(
            actor=OPERATOR, project_id=cast.project, person_id=cast.bob, role=ProjectRole.MEMBER, now=NOW
        )  # fmt: skip
        assert AuditRecord.objects.count() == records


class TestAgents:
    def test_are_seen_with_their_project_and_changed_by_its_owner(self, cast):
        alice = cast.actor(cast.alice)
        scopes.create_agent(actor=alice, project_id=cast.project, slug="tug", name="Tug", now=NOW)
        scopes.edit_agent(
            actor=alice, project_id=cast.project, slug="tug", name="Tug boat", description="pulls", now=NOW
        )  # fmt: skip
        assert [a.name for a in scopes.agents(actor=alice)] == ["Pilot", "Tug boat"]
        scopes.archive_agent(actor=alice, project_id=cast.project, slug="tug", now=NOW)
        assert [a.slug for a in scopes.agents(actor=alice)] == ["pilot"]

    def test_are_not_added_to_an_archived_project(self, cast):
        scopes.archive_project(actor=OPERATOR, project_id=cast.project, now=NOW)
        with pytest.raises(scopes.ArchivedError):
            scopes.create_agent(actor=OPERATOR, project_id=cast.project, slug="tug", name="Tug", now=NOW)

    def test_of_a_foreign_project_are_not_found(self, cast):
        with pytest.raises(NotVisibleError):
            scopes.read_agent(actor=cast.actor(cast.carol), project_id=cast.project, slug=cast.agent)
        assert scopes.agents(actor=cast.actor(cast.carol)) == []

    @pytest.mark.parametrize("slug", ["", "..", "a/b", "nobody"])
    def test_with_an_id_that_is_none_are_not_found(self, cast, slug):
        with pytest.raises(NotVisibleError):
            scopes.read_agent(actor=cast.actor(cast.alice), project_id=cast.project, slug=slug)


class TestMembers:
    def test_the_last_owner_stays(self, cast):
        alice = cast.actor(cast.alice)
        for act in (
            lambda: scopes.remove_member(actor=alice, project_id=cast.project, person_id=cast.alice, now=NOW),
            lambda: scopes.set_member(
                actor=alice, project_id=cast.project, person_id=cast.alice, role=ProjectRole.MEMBER, now=NOW
            ),
        ):
            with pytest.raises(InvalidFieldError):
                act()

    def test_must_exist(self, cast):
        with pytest.raises(InvalidFieldError) as refused:
            scopes.set_member(
                actor=OPERATOR, project_id=cast.project, person_id="u_nobody", role=ProjectRole.MEMBER, now=NOW
            )  # fmt: skip
        assert refused.value.field == "person"


class TestScopeRows:
    def test_are_made_once(self, cast):
        assert a_scope(cast) == a_scope(cast)
        assert ScopeRow.objects.count() == 1

    def test_of_what_does_not_exist_are_not_made(self, cast):
        for scope, field in (
            (Scope(ScopeType.PROJECT, project="none"), "project"),
            (Scope(ScopeType.AGENT, project=cast.project, agent="none"), "agent"),
            (Scope(ScopeType.USER, project=cast.project, person="u_" + "z" * 20), "person"),
        ):
            with pytest.raises(NotVisibleError) as refused:
                scopes.ensure(actor=OPERATOR, scope=scope)
            assert refused.value.field == field
        assert ScopeRow.objects.count() == 0

    def test_of_a_project_come_general_first_with_names_and_counts(self, cast):
        a_file(a_scope(cast, ScopeType.USER), path="USER.md")
        a_file(a_scope(cast, ScopeType.PROJECT))
        found = scopes.scopes_of(actor=cast.actor(cast.alice), project_id=cast.project)
        assert [(c.scope.type, c.files, c.person_name, c.can_edit) for c in found] == [
            (ScopeType.PROJECT, 1, "", True), (ScopeType.USER, 1, "Alice", True),
        ]  # fmt: skip

    def test_of_a_project_with_a_crowd_are_a_bounded_list_that_costs_a_bounded_number_of_queries(
        self, cast, django_assert_num_queries
    ):  # fmt: skip
        a_scope(cast, ScopeType.PROJECT)
        people_ids = [f"u_{number:020d}" for number in range(300)]
        crowd = [Scope(ScopeType.USER, project=cast.project, person=one) for one in people_ids]
        ScopeRow.objects.bulk_create(ScopeRow.for_scope(one) for one in crowd)
        alice = cast.actor(cast.alice)
        with django_assert_num_queries(4):
            found = scopes.scopes_of(actor=alice, project_id=cast.project)
        assert len(found) == 200 and found[0].scope.type is ScopeType.PROJECT

    def test_of_others_are_listed_for_nobody_but_who_may(self, cast):
        a_file(a_scope(cast, ScopeType.USER), path="USER.md")
        seen = {
            who: [c.scope.type for c in scopes.scopes_of(actor=cast.actor(getattr(cast, who)), person_id=cast.alice)]
            for who in ("alice", "bob", "carol", "dana")
        }
        assert seen == {"alice": [ScopeType.USER], "bob": [], "carol": [], "dana": [ScopeType.USER]}
