"""VE-06: history tells who really wrote each version, by kind and id, and can be narrowed to one kind of author."""

from datetime import timedelta

import pytest

from memoryadmin.domain.actors import Runtime
from memoryadmin.services import files
from tests.build import a_file, a_scope
from tests.cast import NOW

pytestmark = pytest.mark.django_db
NOTE = files.Note()


@pytest.fixture
def file_id(cast):
    """Created by the system, appended by an agent, edited by alice and by bob, appended by the agent again."""
    agent = Runtime("token-7", cast.project, cast.agent)
    file_id = a_file(a_scope(cast), text="one\n")
    for actor, text in ((agent, None), (cast.actor(cast.alice), "a\n"), (cast.actor(cast.bob), "b\n"), (agent, None)):
        seq = files.read(actor=agent, file_id=file_id).seq
        common = {"actor": actor, "file_id": file_id, "note": NOTE, "now": NOW + timedelta(minutes=seq)}
        if text is None:
            files.append(text="added\n", **common)
        else:
            files.save(text=text, base_seq=seq, **common)
    return file_id


def test_VE_06_each_version_keeps_its_own_author(cast, file_id):
    found = files.history(actor=cast.actor(cast.bob), file_id=file_id)
    assert [(one.operation, one.author.kind, one.author.id, one.author.name) for one in reversed(found.versions)] == [
        ("created", "system", "tests", ""), ("appended", "runtime", "token-7", ""),
        ("edited", "person", cast.alice, "Alice"), ("edited", "person", cast.bob, "Bob"),
        ("appended", "runtime", "token-7", ""),
    ]  # fmt: skip
    assert found.author_kinds == ("person", "runtime", "system")


@pytest.mark.parametrize(("kind", "seqs"), [("person", [4, 3]), ("runtime", [5, 2]), ("system", [1]), ("nobody", [])])
def test_VE_06_history_can_be_narrowed_to_one_kind_of_author(cast, file_id, kind, seqs):
    found = files.history(actor=cast.actor(cast.bob), file_id=file_id, author_kind=kind)
    assert [one.seq for one in found.versions] == seqs
    assert found.author_kinds == ("person", "runtime", "system")


def test_VE_06_a_narrowed_history_pages_on(cast, file_id):
    first = files.history(actor=cast.actor(cast.bob), file_id=file_id, author_kind="person", limit=1)
    rest = files.history(
        actor=cast.actor(cast.bob), file_id=file_id, author_kind="person", limit=1, before=first.next_before
    )
    assert ([one.seq for one in first.versions], [one.seq for one in rest.versions]) == ([4], [3])
    assert rest.next_before is None
