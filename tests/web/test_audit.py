"""The audit page: whole sentences, filters in the address, and nothing that its reader may not know."""

import re

import pytest
from django.urls import reverse

from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import AuditRecord
from memoryadmin.services import files, scopes
from memoryadmin.web import labels
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW, OPERATOR
from tests.web.visiting import words_of


def test_tells_acts_as_sentences_with_their_reason_and_place(alice, bob, cast):
    file_id = a_file(a_scope(cast), "one\n", "plan.md")
    bob.send("files:edit", file_id, text="two\n", base_seq=1, reason="it grew")

    answer = alice.open("audit:list")

    words = words_of(answer)
    assert "Person: Bob edited plan.md · Project Harbour" in words
    assert "“it grew”" in words
    assert "System: tests created plan.md" in words
    assert reverse("files:detail", args=[file_id]) in answer.content.decode()


def test_is_narrowed_by_its_address(dana, bob, cast):
    file_id = a_file(a_scope(cast))
    bob.send("files:edit", file_id, text="two\n", base_seq=1)
    cause = AuditRecord.objects.get(action="file.edited").cause

    def actions(**query) -> set[str]:
        return {record.action for record, _ in dana.open("audit:list", **query).context["records"]}

    assert actions(action="file") == {"file.created", "file.edited"}
    assert actions(action="file.edited") == {"file.edited"}
    assert actions(actor=cast.bob) == {"file.edited"}
    assert actions(cause=cause) == {"file.edited"}
    assert "agent.created" in actions(project=cast.project)
    assert actions(project=cast.foreign_project) == {"project.created", "member.owner"}
    assert actions(action="no such") == set()


def test_goes_on_in_parts_until_everything_was_shown(dana, cast, monkeypatch):
    monkeypatch.setattr("memoryadmin.web.views.audit.PAGE", 5)
    expected = AuditRecord.objects.count()

    seen, address = [], reverse("audit:list")
    while address:
        answer = dana.client.get(address)
        seen += [record.id for record, _ in answer.context["records"]]
        address = answer.context["next_url"]

    assert len(seen) == len(set(seen)) == expected
    assert seen == sorted(seen, reverse=True)


def test_costs_the_same_for_few_and_for_many(dana, cast, queries):
    file_id = a_file(a_scope(cast), actor=cast.actor(cast.alice))
    with queries() as few:
        dana.read("audit:list")
    more_versions(file_id, *(f"{n}\n" for n in range(30)), actor=cast.actor(cast.bob))
    with queries() as many:
        dana.read("audit:list")

    assert len(many) == len(few)


def test_PE_04_an_owner_reads_their_projects_alone_and_no_personal_reason(alice, cast):
    """PE-04: no name, no reason and no link of what is not theirs."""
    scopes.create_agent(actor=OPERATOR, project_id=cast.foreign_project, slug="keeper", name="Keeper", now=NOW)
    scope_id = a_scope(cast, ScopeType.AGENT_USER, cast.bob)
    note = files.Note(reason="a secret reason")
    saved = files.create(
        actor=cast.actor(cast.bob), scope_id=scope_id, path="USER.md", text="x\n", note=note, now=NOW
    )  # fmt: skip

    answer = alice.open("audit:list")

    words = words_of(answer)
    assert "lighthouse" not in words.lower()
    assert "Bob created USER.md" in words
    assert "a secret reason" not in words
    assert reverse("files:detail", args=[saved.file_id]) not in answer.content.decode()


def test_a_member_reads_none_and_an_owner_their_own_projects(bob, carol, erik):
    assert bob.open("audit:list").status_code == 403
    assert "lighthouse" in carol.read("audit:list")
    assert "harbour" not in carol.read("audit:list")
    assert erik.open("audit:list").status_code == 200


@pytest.mark.parametrize(
    "query", [{"before": "x"}, {"before": "9" * 40}, {"cause": "\0"}, {"action": "%"}, {"actor": "'"}]
)
def test_nonsense_in_the_address_is_no_failure(dana, query):
    assert dana.open("audit:list", **query).status_code == 200


def test_answers_only_to_looking(dana):
    assert dana.client.post(reverse("audit:list")).status_code == 405


def test_every_act_that_the_services_record_has_a_sentence():
    from tests.conventions.sources import read, under

    recorded = set()
    for path in under("memoryadmin/services/", ".py"):
        recorded |= set(re.findall(r'"((?:file|project|agent|member|person|access)\.[a-z_]+)"', read(path)))

    assert recorded
    assert recorded - set(labels.ACTIONS) == set()
