"""Scenarios for the crash and concurrency tests of the ledger; each runs in a process of its own."""

from datetime import UTC, datetime, timedelta
from typing import Any

from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import audit, files, scopes, verification
from tests.cast import NOW, OPERATOR, assemble
from tests.crashing import Acknowledge

NOTE = files.Note(reason="a test", via="command")


def prepare(_: Acknowledge, names: list[str]) -> dict[str, Any]:
    """Assemble the cast and one file for each name; return alice's id and the files' ids."""
    cast = assemble()
    scope_id = scopes.ensure(actor=OPERATOR, scope=Scope(ScopeType.PROJECT, project=cast.project))
    made = {
        name: files.create(actor=OPERATOR, scope_id=scope_id, path=name, text="base\n", note=NOTE, now=NOW).file_id
        for name in names
    }
    return {"person": cast.alice, "scope_id": scope_id, "files": made}


def save(acknowledge: Acknowledge, file_id: int, texts: list[str]) -> None:
    """Save each text on top of the head; what the service answered is acknowledged."""
    for text in texts:
        seq = files.read(actor=OPERATOR, file_id=file_id).seq
        files.save(actor=OPERATOR, file_id=file_id, text=text, base_seq=seq, note=NOTE, now=NOW + timedelta(1))
        acknowledge(text)


def act(acknowledge: Acknowledge, name: str, scope_id: int, file_id: int) -> None:
    """Do one act of each other kind; what the service answered is acknowledged."""
    now = NOW + timedelta(2)
    common = {"actor": OPERATOR, "note": NOTE, "now": now}
    if name == "create":
        files.create(scope_id=scope_id, path="made.md", text="made\n", **common)
    elif name == "append":
        files.append(file_id=file_id, text="added\n", **common)
    elif name == "rename":
        files.rename(file_id=file_id, path="renamed.md", base_seq=1, **common)
    elif name == "delete":
        files.delete(file_id=file_id, base_seq=1, **common)
    elif name == "restore":
        files.save(file_id=file_id, text="other\n", base_seq=1, **common)
        acknowledge("other\n")
        files.restore(file_id=file_id, seq=1, base_seq=2, **common)
    acknowledge(name)


def post(acknowledge: Acknowledge, person: str, file_id: int, text: str) -> None:
    """Save through the web page, as the person's browser does; a redirect is what the browser takes for "saved"."""
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client(raise_request_exception=True)
    client.force_login(get_user_model().objects.get(pk=person))
    answer = client.post(f"/files/{file_id}/edit/", {"text": text, "base_seq": "1", "reason": "a test"})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    acknowledge(text)


def save_many(acknowledge: Acknowledge, worker: int, own: int, shared: int, count: int) -> None:
    """Save `count` times: in turn a new text of an own file, and a line at the end of a shared one."""
    seq = files.read(actor=OPERATOR, file_id=own).seq
    for number in range(count):
        now = datetime.now(UTC)
        if number % 2:
            line = f"worker {worker} line {number}\n"
            files.append(actor=OPERATOR, file_id=shared, text=line, note=NOTE, now=now)
            acknowledge(["shared", line])
        else:
            text = f"worker {worker} text {number}\n"
            seq = files.save(actor=OPERATOR, file_id=own, text=text, base_seq=seq, note=NOTE, now=now).seq
            acknowledge(["own", text])


def save_on_one_base(acknowledge: Acknowledge, worker: int, file_id: int, rounds: int) -> None:
    """In each round save one's own line on the base both tabs saw; acknowledge what was accepted or stopped."""
    for number in range(rounds):
        text = f"round {number}\n" + "".join(f"tab {tab}\n" if tab == worker else "\n" for tab in range(2))
        while True:
            head = files.read(actor=OPERATOR, file_id=file_id).seq
            base = 2 * number + 1
            if head >= base:
                break
        try:
            files.save(actor=OPERATOR, file_id=file_id, text=text, base_seq=base, note=NOTE, now=datetime.now(UTC))
            acknowledge(["accepted", number, text])
            # The winner ends the round, so that the next one begins from a base that both tabs can see.
            files.append(actor=OPERATOR, file_id=file_id, text="end\n", note=NOTE, now=datetime.now(UTC))
        except files.EditConflictError as conflict:
            assert conflict.contents is not None and conflict.contents.mine == text
            acknowledge(["stopped", number, text])


def verify(_: Acknowledge) -> dict[str, Any]:
    """Return every fault of the ledger and of the audit chains, and every text in history by file id."""
    from memoryadmin.models import VersionText

    report = verification.verify_ledger()
    breaks = [(chain.name, found.seq, found.what) for chain in audit.verify_chains() for found in chain.breaks]
    rows = VersionText.objects.select_related("blob", "version").order_by("version__file", "version__seq")
    texts: dict[str, list[str]] = {}
    for row in rows:
        content = bytes(row.blob.content).decode() if row.blob else ""
        texts.setdefault(str(row.version.file_id), []).append(content)
    return {"faults": [f"{f.where} {f.what}" for f in report.faults] + [str(b) for b in breaks], "texts": texts}
