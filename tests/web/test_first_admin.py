import pytest
from django.core import signing
from django.urls import reverse

from memoryadmin.domain.errors import NotVisibleError
from memoryadmin.models import AuditRecord, Person
from memoryadmin.services import people, setup
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db
FORM = {"name": "Ada", "login": "ada", "password": PASSWORD}


@pytest.fixture
def address(db):
    return reverse("first_admin", args=[setup.first_admin_key()])


class TestTheOneTimeLink:
    def test_makes_an_admin_who_can_sign_in(self, client, address):
        assert client.get(address).status_code == 200
        assert client.post(address, FORM).status_code == 302
        assert client.login(username="ada", password=PASSWORD)
        assert people.find_by_login(login="ada").is_admin
        assert AuditRecord.objects.get().action == "person.created"

    def test_works_once(self, client, address):
        client.post(address, FORM)
        again = client.post(address, FORM | {"login": "eve"})
        assert again.status_code == 404 and Person.objects.count() == 1
        assert client.get(address).status_code == 404

    @pytest.mark.parametrize("field", ["name", "login", "password"])
    def test_names_a_field_that_is_blank_and_keeps_the_others(self, client, address, field):
        answer = client.post(address, FORM | {field: ""})
        assert answer.status_code == 422 and Person.objects.count() == 0
        assert answer.context["form"].errors.keys() == {field}

    def test_refuses_a_weak_password(self, client, address):
        answer = client.post(address, FORM | {"password": "password"})
        assert answer.status_code == 422 and "password" in answer.context["form"].errors

    @pytest.mark.parametrize("key", ["x", "first-admin", "first-admin:1:forged"])
    def test_that_nobody_gave_out_is_not_found(self, client, db, key):
        assert client.get(reverse("first_admin", args=[key])).status_code == 404

    def test_of_yesterday_is_not_found(self, client, db, time_machine):
        time_machine.move_to("2026-07-20T12:00:00Z")
        key = setup.first_admin_key()
        time_machine.shift(setup.LIFE.total_seconds() + 60)
        assert client.get(reverse("first_admin", args=[key])).status_code == 404

    def test_with_another_purpose_is_not_found(self, client, db):
        key = signing.TimestampSigner(salt="something else").sign("first-admin")
        assert client.get(reverse("first_admin", args=[key])).status_code == 404

    def test_is_not_given_out_once_there_is_somebody(self, client, address):
        client.post(address, FORM)
        with pytest.raises(NotVisibleError):
            setup.first_admin_key()
