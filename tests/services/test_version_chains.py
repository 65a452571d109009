"""Any chain of versions replays to the same bytes, whatever was done to the file on the way."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryadmin.domain.actors import System
from memoryadmin.services import files, verification
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR

texts = st.text(alphabet=st.sampled_from("aя \t\r\n\ufeff§👍🏻"), max_size=30)
acts = st.lists(
    st.one_of(
        st.tuples(st.just("save"), texts), st.tuples(st.just("append"), texts.filter(bool)),
        st.tuples(st.just("rename"), st.sampled_from(["a.md", "b.md", "ё.md"])),
        st.tuples(st.just("delete"), st.just("")), st.tuples(st.just("restore"), st.integers(1, 9)),
    ),
    max_size=12,
)  # fmt: skip


def do(file_id, act, value):
    """Do one act and return the bytes that its new version must hold; None when it made none."""
    before = files.read(actor=OPERATOR, file_id=file_id)
    common = {"actor": OPERATOR, "file_id": file_id, "note": files.Note(), "now": NOW}
    is_deleted = before.card.is_deleted
    if act == "save" and not is_deleted:
        saved = files.save(text=value, base_seq=before.seq, **common)
        return value.encode() if saved.has_changed else None
    if act == "append" and not is_deleted:
        files.append(text=value, **common)
        gap = "\n" if before.text and not before.text.endswith("\n") else ""
        return (before.text + gap + value).encode()
    if act == "rename" and not is_deleted:
        return before.content if files.rename(path=value, base_seq=before.seq, **common).has_changed else None
    if act == "delete" and not is_deleted:
        files.delete(base_seq=before.seq, **common)
        return b""
    if act == "restore":
        seq = 1 + value % before.seq
        source = files.read_version(actor=OPERATOR, file_id=file_id, seq=seq)
        if source.content is None:
            return None
        return source.content if files.restore(seq=seq, base_seq=before.seq, **common).has_changed else None
    return None


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(texts, acts)
def test_replays_to_the_bytes_each_act_made(cast, first, chain):
    assert isinstance(OPERATOR, System)
    scope_id = a_scope(cast)
    file_id = a_file(scope_id, text=first, path=f"{len(files.listing(actor=OPERATOR, scope_id=scope_id).files)}.md")
    made = [first.encode()]
    for act, value in chain:
        try:
            content = do(file_id, act, value)
        except files.NameTakenError:
            continue
        if content is not None:
            made.append(content)
    kept = [
        files.read_version(actor=OPERATOR, file_id=file_id, seq=seq).content or b"" for seq in range(1, len(made) + 1)
    ]
    assert kept == made
    assert files.read(actor=OPERATOR, file_id=file_id).seq == len(made)
    assert verification.verify_ledger().faults == ()
