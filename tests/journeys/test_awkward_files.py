"""Real, awkward memory files in a real browser: every view opens, and an untouched save changes nothing."""

import hashlib
import json

import pytest

from tests.browsing import page_of, press, sign_in
from tests.cast import PASSWORD
from tests.serving import run_django

pytestmark = [pytest.mark.browser, pytest.mark.corpus]

# source -> the files to open; each is awkward in its own way.
AWKWARD = {
    "openclaw-de-mixed-eol": ["v3-yellow-to-green-night-sprint-2026-04-29.md", "decisions-log.md"],  # BOMs, mixed ends
    "membank-crlf": ["AGENTS.md"],  # CRLF, no final newline
    "openclaw-cs-dups": ["2026-02-26-2026-03-01.md"],  # empty, two dates in the name
    "openclaw-pt-caseclash": ["HEARTBEAT.md", "heartbeat.md"],  # a clash of case
    "rules-cline": ["c#-guide.md"],  # 144,009 characters and a # in its name
    "hermes-fr": ["MEMORY.md"],  # hard line breaks by trailing blanks
    "claude-ko-crlf": ["MEMORY.md"],  # Korean, over the index limits
    "openclaw-ja": ["遺書.md"],  # a Japanese name
    "openclaw-zh-dreams": ["2026-04-17.md"],  # managed blocks in comments
    "rules-mdc": ["astro-typescript-cursorrules-prompt-file.mdc"],  # front matter that is not YAML
    "openclaw-ar": ["SOUL.md"],  # Arabic
    "claude-en-topics": ["scan-must-prove-it-had-a-subject.md"],  # a lone CR inside a line
    "openclaw-en-huge": ["2026-02-08.md"],  # 161,166 characters of log
}

_IMPORT = """
import json
from datetime import UTC, datetime
from pathlib import Path
from memoryadmin.domain.imports import ImportTarget
from memoryadmin.services import imports, people, scopes
from tests.cast import OPERATOR
now = datetime.now(UTC)
alice = people.find_by_login(login="alice")
found = []
for source in {sources!r}:
    project = source[:60]
    scopes.create_project(actor=OPERATOR, project_id=project, name=source, now=now)
    from memoryadmin.domain.actors import ProjectRole
    scopes.set_member(actor=OPERATOR, project_id=project, person_id=alice.id, role=ProjectRole.OWNER, now=now)
    alice = people.find_by_login(login="alice")
    root = Path({corpus!r}) / source
    workspace = imports.open_workspace(root)
    if source == "openclaw-de-mixed-eol":
        (Path({extra!r}) / "..md").write_bytes(b"")
        more = imports.open_workspace(Path({extra!r}))
        plan = imports.plan(actor=OPERATOR, workspace=more, target=ImportTarget(project, "root", alice.id))
        for one in imports.apply(actor=OPERATOR, workspace=more, plan=plan, now=now):
            found.append([source, "..md", one.file_id, one.planned.placement.source.sha256])
    plan = imports.plan(actor=OPERATOR, workspace=workspace, target=ImportTarget(project, "root", alice.id))
    for one in imports.apply(actor=OPERATOR, workspace=workspace, plan=plan, now=now):
        name = one.planned.placement.source_path.rsplit("/", 1)[-1]
        found.append([source, name, one.file_id, one.planned.placement.source.sha256])
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def imported(site, tmp_path_factory):
    from tests.conftest import SHARED

    if not (SHARED / "corpus").is_dir():
        pytest.skip("the shared corpus is not beside this checkout")
    extra = tmp_path_factory.mktemp("extra")
    code = _IMPORT.format(sources=list(AWKWARD), corpus=str(SHARED / "corpus"), extra=str(extra))
    return json.loads(run_django(site.data_dir, code).strip().splitlines()[-1])


@pytest.fixture(scope="module")
def alice(site, browser):
    page = page_of(browser)
    sign_in(page, site.url, "alice", PASSWORD)
    yield page
    page.context.close()


@pytest.mark.parametrize("source", list(AWKWARD))
def test_every_view_opens_and_an_untouched_save_makes_no_version(site, imported, alice, source):
    names = AWKWARD[source] + (["..md"] if source == "openclaw-de-mixed-eol" else [])
    opened = [(name, file_id, sha) for of, name, file_id, sha in imported if of == source and name in names]
    assert {name for name, *_ in opened} == set(names)
    for name, file_id, sha256 in opened:
        address = f"{site.url}/files/{file_id}/"
        for view in ("", "source/", "history/", "compare/?from=1&to=1", "edit/"):
            answer = alice.goto(address + view)
            assert answer.status == 200, (name, view)
            assert name.rsplit(".", 1)[0][:10] in alice.title(), (name, view)
        download = alice.request.get(address + "download/").body()
        assert hashlib.sha256(download).hexdigest() == sha256
        alice.goto(address + "edit/")
        press(alice, "Save")
        assert alice.get_by_text("Nothing changed").first.is_visible(), name
        again = alice.request.get(address + "download/").body()
        assert hashlib.sha256(again).hexdigest() == sha256
    assert alice.faults == []
    alice.faults.clear()


def test_DR_06_a_changed_word_changes_its_line_alone(site, imported, alice):
    name = "v3-yellow-to-green-night-sprint-2026-04-29.md"
    file_id = next(file_id for _, found, file_id, _ in imported if found == name)
    address = f"{site.url}/files/{file_id}/"
    before = alice.request.get(address + "download/").body()
    alice.goto(address + "edit/")
    box = alice.locator("textarea[name=text]")
    typed = box.input_value()
    lines = typed.split("\n")
    index = next(i for i, line in enumerate(lines) if i > 5 and line.strip())
    lines[index] += " edited"
    box.fill("\n".join(lines))
    press(alice, "Save")
    after = alice.request.get(address + "download/").body()
    changed = [(a, b) for a, b in zip(before.split(b"\n"), after.split(b"\n"), strict=True) if a != b]
    assert len(changed) == 1 and changed[0][1].replace(b" edited", b"") == changed[0][0]
