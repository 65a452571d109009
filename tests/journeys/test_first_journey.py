"""A person imports a real workspace, reads, edits, compares and restores a file, and finds it all in the audit."""

import zlib

import pytest

from tests.browsing import follow, press
from tests.serving import run_django

pytestmark = pytest.mark.browser

SOUL = "# Pilot\n\nSpeaks calmly.\n\n- Knows every buoy\n- Never guesses a depth\n"


@pytest.fixture
def workspace(tmp_path, request):
    """A small workspace of an agent of its own, so that journeys do not meet."""
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "SOUL.md").write_bytes(SOUL.encode())
    (root / "MEMORY.md").write_bytes("# Память\r\n\r\n- любит чай\r\n".encode())
    (root / "memory" / "2026-07-01.md").write_bytes(b"# 1 July\n\n- met the harbour master\n")
    return root


@pytest.fixture
def imported(site, workspace, request):
    agent = f"a{zlib.crc32(request.node.name.encode())}"
    said = run_django(
        site.data_dir,
        "from django.core.management import call_command\n"
        f"call_command('import_workspace', {str(workspace)!r}, project='harbour', agent={agent!r}, login='alice')",
    )
    assert "Imported 3 files" in said
    return agent


def open_file(page, site, agent, name):
    page.goto(f"{site.url}/agents/harbour/{agent}/")
    page.get_by_role("link", name=name, exact=True).first.click()


def test_import_read_edit_compare_restore(site, imported, as_person):
    page = as_person("alice")
    open_file(page, site, imported, "SOUL.md")
    assert page.locator("h1").inner_text() == "SOUL.md"
    assert page.get_by_role("listitem").filter(has_text="Knows every buoy").count() == 1

    follow(page, "Edit")
    text = page.locator("textarea[name=text]")
    assert text.input_value() == SOUL
    text.fill(SOUL.replace("calmly", "calmly and briefly"))
    page.get_by_label("Why").fill("shorter on the radio")
    press(page, "Save")
    assert page.get_by_text("calmly and briefly").first.is_visible()

    follow(page, "History")
    assert page.get_by_text("shorter on the radio").first.is_visible()
    page.goto(page.url.replace("/history/", "/compare/?from=1&to=2"))
    assert "Speaks calmly and briefly." in page.locator("main").inner_text()
    assert page.locator("ins").first.is_visible()

    follow(page, "Restore version 1")
    with page.expect_navigation():
        page.locator("main form button[type=submit]").last.click()
    assert page.get_by_text("calmly and briefly").count() == 0
    follow(page, "History")
    assert page.locator("main").inner_text().count("shorter on the radio") == 1
    assert "3" in page.get_by_role("link", name="History").first.inner_text()

    page.goto(f"{site.url}/audit/")
    assert page.get_by_role("link", name="SOUL.md").count() >= 3


def test_saving_unchanged_makes_no_version_and_says_so(site, imported, as_person):
    page = as_person("alice")
    open_file(page, site, imported, "MEMORY.md")
    before = page.get_by_role("link", name="History").first.inner_text()
    follow(page, "Edit")
    press(page, "Save")
    assert page.get_by_text("Nothing changed").first.is_visible()
    assert page.get_by_role("link", name="History").first.inner_text() == before


def test_two_people_who_edit_at_once_lose_nothing(site, imported, as_person):
    """EC-01: the second is stopped, sees both texts and the merge, and decides."""
    run_django(
        site.data_dir,
        "from memoryadmin.services import files, scopes\nfrom memoryadmin.domain.scopes import Scope, ScopeType\n"
        "from tests.cast import NOW, OPERATOR\n"
        "scope = scopes.ensure(actor=OPERATOR, scope=Scope(ScopeType.PROJECT, project='harbour'))\n"
        f"files.create(actor=OPERATOR, scope_id=scope, path='{imported}/plan.md', "
        "text='one\\n\\ntwo\\n\\nthree\\n', note=files.Note(), now=NOW)",
    )
    alice, bob = as_person("alice"), as_person("bob")
    for page in (alice, bob):
        page.goto(f"{site.url}/projects/harbour/")
        page.locator("main").get_by_role("link", name="Project Harbour").first.click()
        page.get_by_role("link", name=f"{imported}/plan.md").first.click()
        follow(page, "Edit")
    alice.locator("textarea[name=text]").fill("ONE\n\ntwo\n\nthree\n")
    press(alice, "Save")
    bob.locator("textarea[name=text]").fill("one\n\ntwo\n\nTHREE\n")
    press(bob, "Save")
    shown = bob.locator("main").inner_text()
    assert "Alice" in shown and "ONE" in shown and "THREE" in shown
    merged = bob.locator("textarea[name=text]").first
    assert merged.input_value() == "ONE\n\ntwo\n\nTHREE\n"
    press(bob, "Save both changes together")
    follow(bob, "Source")
    source = bob.locator("main").inner_text()
    assert "ONE" in source and "THREE" in source
    # EC-05: after a good save the same person can save again.
    follow(bob, "Edit")
    bob.locator("textarea[name=text]").fill("ONE\n\nTWO\n\nTHREE\n")
    press(bob, "Save and keep editing")
    bob.locator("textarea[name=text]").fill("1\n\nTWO\n\nTHREE\n")
    press(bob, "Save")
    assert "/conflict" not in bob.url and bob.get_by_text("TWO").first.is_visible()
    follow(bob, "History")
    assert "5" in bob.get_by_role("link", name="History").first.inner_text()
