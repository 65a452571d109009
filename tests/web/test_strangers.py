"""Nobody reaches another's memory by its address: every address and method; nothing changes, refusals are audited."""

import pytest
from django.urls import reverse

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import AuditRecord
from memoryadmin.services import files, scopes, verification
from memoryadmin.web.section_urls import FILES
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW, OPERATOR
from tests.web.visiting import words_of

TEXT = "Alice whistles at low tide.\n"
SENT = {"text": "overwritten\n", "base_seq": 2, "path": "taken-over.md", "reason": "mine now", "is_confirmed": "on"}


def addresses_of(scope_id: int, file_id: int, own_id: int) -> dict[str, str]:
    """Return every address of the files section that names this file or its scope, by the name of its route."""
    ids = {"scope_id": scope_id, "file_id": file_id, "seq": 1, "target_id": file_id}
    found = {}
    for route in FILES[0]:
        wanted = {name: ids[name] for name in route.pattern.converters}
        found[route.name] = reverse(f"files:{route.name}", kwargs=wanted)
    found["restore_into_own"] = reverse("files:restore_into", args=[file_id, 1, own_id])
    found["scope"] = reverse("scopes:detail", args=[scope_id])
    found["at"] = reverse("scopes:at", args=[scope_id, "USER.md"])
    return found


@pytest.fixture(params=[ScopeType.AGENT_USER, ScopeType.PERSON, ScopeType.PROJECT, ScopeType.AGENT, ScopeType.USER])
def hers(request, cast) -> tuple[int, int]:
    """A scope of alice or of her project, and its file with two versions."""
    scope_id = a_scope(cast, request.param, cast.alice if request.param in _PERSONAL else "")
    file_id = a_file(scope_id, TEXT, "USER.md")
    more_versions(file_id, TEXT + "More.\n")
    return scope_id, file_id


_PERSONAL = frozenset({ScopeType.AGENT_USER, ScopeType.PERSON, ScopeType.USER})


@pytest.mark.parametrize("method", ["get", "head", "post", "options", "put", "delete", "patch"])
def test_PE_01_a_stranger_finds_nothing_at_any_address(carol, cast, hers, method):
    """PE-01: 404 or, for a method that no page has, 405; never a title, a size, a date, an author, and no change."""
    scope_id, file_id = hers
    own = a_file(a_scope(cast, ScopeType.PERSON, cast.carol), "Carol's own.\n")

    for name, address in addresses_of(scope_id, file_id, own).items():
        answer = getattr(carol.client, method)(address, SENT if method == "post" else {})

        assert answer.status_code in (404, 405), (name, answer.status_code)
        if answer.status_code == 404 and method != "head":
            page = answer.content.decode()
            for told in ("USER.md", "whistles", "Alice", "Pilot", "Harbour", "2026"):
                assert told not in words_of(answer), (name, told)
            assert "USER.md" not in page.partition("<title>")[2].partition("</title>")[0]
    assert files.read(actor=OPERATOR, file_id=file_id).content == (TEXT + "More.\n").encode()
    assert files.read(actor=OPERATOR, file_id=file_id).seq == 2
    assert files.read(actor=OPERATOR, file_id=own).seq == 1
    assert len(files.listing(actor=OPERATOR, scope_id=scope_id).files) == 1


def test_PE_01_the_answer_is_the_same_as_for_what_never_existed(carol, cast, hers):
    _, file_id = hers

    for address in ("files:detail", "files:history", "files:edit", "files:download"):
        theirs, nothing = carol.open(address, file_id), carol.open(address, 10**6)
        assert theirs.status_code == nothing.status_code == 404
        assert words_of(theirs).partition("Number of this request")[0] == words_of(nothing).partition("Number of")[0]


def test_PE_01_refusals_are_in_the_audit(carol, cast, hers):
    _, file_id = hers
    before = AuditRecord.objects.filter(action="access.refused").count()

    carol.open("files:detail", file_id)
    carol.send("files:edit", file_id, **SENT)

    refused = AuditRecord.objects.filter(action="access.refused").order_by("pk")
    assert refused.count() == before + 2
    assert [record.actor_id for record in refused][-2:] == [cast.carol] * 2
    assert [record.object_id for record in refused][-2:] == [
        f"GET files:detail file_id={file_id}", f"POST files:edit file_id={file_id}"
    ]  # fmt: skip
    assert verification.verify_ledger().faults == ()


def test_PE_01_a_signed_out_visitor_is_sent_to_sign_in(client, cast, hers):
    scope_id, file_id = hers

    for address in addresses_of(scope_id, file_id, file_id).values():
        answer = client.get(address)
        assert answer.status_code in (302, 401, 405)
        assert b"whistles" not in answer.content


def test_PE_01_who_may_list_a_personal_scope_may_still_read_nothing_in_it(alice, erik, dana, cast):
    """Owners, admins and auditors see that a file exists; its text, history and every act are closed to them."""
    scope_id = a_scope(cast, ScopeType.AGENT_USER, cast.bob)
    file_id = a_file(scope_id, "Bob hums.\n", "USER.md")
    more_versions(file_id, "Bob hums louder.\n")
    may_list = frozenset({"scope", "at"})

    for visitor in (alice, erik, dana):
        for name, address in addresses_of(scope_id, file_id, file_id).items():
            for answer in (visitor.client.get(address), visitor.client.post(address, SENT)):
                assert "hums" not in answer.content.decode()
                if name not in may_list:
                    assert answer.status_code in (403, 404, 405), (name, answer.status_code)
    assert files.read(actor=OPERATOR, file_id=file_id).seq == 2


def test_PE_01_an_auditor_reads_no_shared_text_and_writes_nothing(erik, cast):
    scope_id = a_scope(cast)
    file_id = a_file(scope_id, TEXT, "USER.md")

    assert "USER.md" in erik.read("scopes:detail", scope_id)
    for name, address in addresses_of(scope_id, file_id, file_id).items():
        for answer in (erik.client.get(address), erik.client.post(address, SENT)):
            assert "whistles" not in answer.content.decode()
            assert name in ("scope", "at") or answer.status_code in (403, 405), name
    assert files.read(actor=OPERATOR, file_id=file_id).seq == 1


def test_PE_03_whoever_leaves_a_project_loses_its_past_at_once(bob, cast):
    """PE-03: history, old versions, comparisons and downloads follow today's rights."""
    scope_id = a_scope(cast)
    file_id = a_file(scope_id, "Client: Morrow & Sons\n", "clients.md")
    more_versions(file_id, "Client: left out\n")
    assert "Morrow" in bob.read("files:version", file_id, 1)

    scopes.remove_member(actor=OPERATOR, project_id=cast.project, person_id=cast.bob, now=NOW)

    for address in addresses_of(scope_id, file_id, file_id).values():
        answer = bob.client.get(address)
        assert answer.status_code in (404, 405)
        assert b"Morrow" not in answer.content
    assert "clients.md" not in bob.read("home")

    scopes.set_member(actor=OPERATOR, project_id=cast.project, person_id=cast.bob, role=ProjectRole.MEMBER, now=NOW)
    assert "Morrow" in bob.read("files:version", file_id, 1)
