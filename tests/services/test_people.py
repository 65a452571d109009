import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.domain.errors import AlreadyExistsError, InvalidFieldError, NotAllowedError, NotVisibleError
from memoryadmin.models import AuditRecord
from memoryadmin.services import people
from tests.cast import NOW, OPERATOR, PASSWORD

pytestmark = pytest.mark.django_db


def fields(**changes):
    return people.PersonFields(**{"name": "Frida", "login": "frida", **changes})


class TestActorFor:
    def test_knows_the_roles_of_today(self, cast):
        alice = cast.actor(cast.alice)
        assert alice.projects == {cast.project: ProjectRole.OWNER} and not alice.is_admin
        assert cast.actor(cast.dana).is_admin and cast.actor(cast.erik).is_auditor

    def test_is_nobody_once_archived_and_somebody_again_after(self, cast):
        people.archive(actor=OPERATOR, person_id=cast.bob, now=NOW)
        assert people.actor_for(person_id=cast.bob) is None
        people.unarchive(actor=OPERATOR, person_id=cast.bob, now=NOW)
        assert people.actor_for(person_id=cast.bob).id == cast.bob

    def test_is_nobody_for_an_id_that_never_was(self, db):
        assert people.actor_for(person_id="u_nobody") is None


class TestManaging:
    def test_a_member_may_not(self, cast):
        with pytest.raises(NotAllowedError):
            people.create(actor=cast.actor(cast.alice), fields=fields(), now=NOW)
        with pytest.raises(NotAllowedError):
            people.archive(actor=cast.actor(cast.alice), person_id=cast.bob, now=NOW)

    def test_an_admin_creates_edits_and_archives_with_one_record_each(self, cast):
        dana = cast.actor(cast.dana)
        made = people.create(actor=dana, fields=fields(password=PASSWORD), now=NOW)
        people.edit(actor=dana, person_id=made, fields=fields(name="Frida K."), now=NOW)
        people.edit(actor=dana, person_id=made, fields=fields(name="Frida K.", is_auditor=True), now=NOW)
        people.archive(actor=dana, person_id=made, now=NOW)
        actions = AuditRecord.objects.filter(person_id=made).order_by("pk").values_list("action", flat=True)
        assert list(actions) == ["person.created", "person.edited", "person.roles_changed", "person.archived"]
        card = people.read(actor=dana, person_id=made)
        assert (card.name, card.is_auditor, card.is_active) == ("Frida K.", True, False)

    @pytest.mark.parametrize(
        ("changes", "field", "error"),
        [
            ({"name": "  "}, "name", InvalidFieldError),
            ({"login": "ALICE"}, "login", AlreadyExistsError),
            ({"password": "short"}, "password", InvalidFieldError),
        ],
    )
    def test_a_bad_field_is_named(self, cast, changes, field, error):
        with pytest.raises(error) as refused:
            people.create(actor=OPERATOR, fields=fields(**changes), now=NOW)
        assert refused.value.field == field

    @pytest.mark.parametrize("is_new", [True, False])
    def test_a_sign_in_name_is_looked_up_under_the_lock(self, cast, is_new):
        wanted = fields(password=PASSWORD)
        with CaptureQueriesContext(connection) as captured:
            if is_new:
                people.create(actor=OPERATOR, fields=wanted, now=NOW)
            else:
                people.edit(actor=OPERATOR, person_id=cast.bob, fields=wanted, now=NOW)
        statements = [query["sql"] for query in captured]
        begun = next(n for n, sql in enumerate(statements) if sql.startswith(("SAVEPOINT", "BEGIN")))
        looked = next(n for n, sql in enumerate(statements) if '"login" LIKE' in sql)
        assert begun < looked

    def test_the_last_admin_stays_one(self, cast):
        with pytest.raises(InvalidFieldError):
            people.archive(actor=OPERATOR, person_id=cast.dana, now=NOW)
        with pytest.raises(InvalidFieldError):
            people.edit(actor=OPERATOR, person_id=cast.dana, fields=fields(login="dana"), now=NOW)
        assert cast.actor(cast.dana).is_admin


class TestWhoIsKnown:
    def test_colleagues_only_for_a_member_and_everybody_for_an_auditor(self, cast):
        seen_by = {
            who: [card.name for card in people.listing(actor=cast.actor(getattr(cast, who)))]
            for who in ("alice", "carol", "erik")
        }
        assert seen_by == {
            "alice": ["Alice", "Bob"], "carol": ["Carol"], "erik": ["Alice", "Bob", "Carol", "Dana", "Erik"],
        }  # fmt: skip

    def test_a_stranger_is_not_found(self, cast):
        with pytest.raises(NotVisibleError):
            people.read(actor=cast.actor(cast.carol), person_id=cast.alice)

    def test_names_are_given_for_people_only(self, cast):
        assert people.names([cast.alice, "import", "u_nobody"]) == {cast.alice: "Alice"}
