"""A person imports a workspace from the browser: upload, plan, import, open what was written."""

import hashlib
import zlib

import pytest

from tests.browsing import follow, page_of, press, sign_in
from tests.cast import PASSWORD
from tests.conftest import SHARED
from tests.packing import zipped

pytestmark = pytest.mark.browser

SOUL = b"# Tug\r\n\r\nPulls, and says little.\r\n"
FILES = {
    "tug-main/SOUL.md": SOUL, "tug-main/MEMORY.md": "# Память\n\n- любит чай\n".encode(),
    "tug-main/memory/2026-07-01.md": b"# 1 July\n\n- met the harbour master\n", "tug-main/CLAUDE.md": b"# Repository\n",
}  # fmt: skip


@pytest.fixture
def agent(request) -> str:
    """An agent of its own for each journey, so that they do not meet."""
    return f"t{zlib.crc32(request.node.name.encode())}"


@pytest.fixture
def archive(tmp_path, agent):
    """Only the names of repository files are shared by all agents, so those are each journey's own."""
    packed = {name.replace("CLAUDE.md", f".claude/memory/{agent}.md"): content for name, content in FILES.items()}
    path = tmp_path / "tug-main.zip"
    path.write_bytes(zipped(packed).getvalue())
    return path


def upload(page, site, archive, agent):
    page.goto(f"{site.url}/projects/harbour/")
    follow(page, "Import")
    page.get_by_label("ZIP file of the folder").set_input_files(archive)
    page.get_by_label("Or the id of a new agent").fill(agent)
    press(page, "Upload and show the plan")


def test_upload_see_the_plan_import_and_open_a_file(site, as_person, archive, agent):
    page = as_person("alice")
    upload(page, site, archive, agent)
    shown = page.locator("main").inner_text()
    assert "4 files from tug-main.zip" in shown and f"Agent {agent}" in shown and f"{agent} about Alice" in shown
    assert "1 agent will be created" in shown

    press(page, "Import 4 files")
    assert page.locator("h1").inner_text() == "4 files were imported"
    page.reload()
    assert page.locator("h1").inner_text() == "4 files were imported"

    page.get_by_role("link", name="SOUL.md", exact=True).click()
    assert page.get_by_text("Pulls, and says little.").first.is_visible()
    assert page.request.get(f"{page.url}download/").body() == SOUL

    page.goto(f"{site.url}/agents/harbour/{agent}/")
    follow(page, "Import")
    page.get_by_label("ZIP file of the folder").set_input_files(archive)
    press(page, "Upload and show the plan")
    assert "There is nothing to import" in page.locator("main").inner_text()
    press(page, "Throw the upload away")
    assert page.get_by_text("Nothing was imported.").is_visible()


def test_UI_03_a_double_click_imports_once(site, as_person, archive, agent):
    page = as_person("alice")
    upload(page, site, archive, agent)

    page.get_by_role("button", name="Import 4 files").dblclick()

    page.get_by_role("heading", name="4 files were imported").wait_for()
    page.get_by_role("link", name="SOUL.md", exact=True).click()
    follow(page, "History")
    assert page.get_by_text("imported").first.is_visible()
    assert "1" in page.get_by_role("link", name="History").first.inner_text()


def test_IE_03_a_bad_archive_is_named_beside_the_field(site, as_person, tmp_path):
    page = as_person("alice")
    bad = tmp_path / "bad.zip"
    bad.write_bytes(zipped({"SOUL.md": b"", "../../x.md": b"x"}).getvalue())
    page.goto(f"{site.url}/projects/harbour/import/")
    page.get_by_label("ZIP file of the folder").set_input_files(bad)

    press(page, "Upload and show the plan")

    assert page.get_by_text("This name leads out of the folder: ../../x.md").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_320_pixels_and_pass_axe(site, browser, archive, scheme, agent):
    from axe_playwright_python.sync_playwright import Axe

    page = page_of(browser, viewport={"width": 320, "height": 700}, color_scheme=scheme)
    sign_in(page, site.url, "alice", PASSWORD)

    def assert_fits_and_passes():
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
        assert found.violations_count == 0, found.generate_report()

    page.goto(f"{site.url}/projects/harbour/import/")
    assert_fits_and_passes()
    upload(page, site, archive, agent)
    assert_fits_and_passes()
    press(page, "Import 4 files")
    assert_fits_and_passes()
    assert page.faults == []
    page.context.close()


@pytest.mark.corpus
def test_a_real_workspace_comes_in_byte_for_byte(site, browser, tmp_path, agent):
    root = SHARED / "corpus" / "openclaw-de-mixed-eol"
    if not root.is_dir():
        pytest.skip("the shared corpus is not beside this checkout")
    read = {path.relative_to(root.parent).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    path = tmp_path / "real.zip"
    path.write_bytes(zipped(read).getvalue())
    page = page_of(browser)
    sign_in(page, site.url, "alice", PASSWORD)
    upload(page, site, path, agent)
    with page.expect_navigation():
        page.locator("main form button.button--primary").click()

    page.get_by_role("link", name="written").click()
    rows = page.locator("tbody tr")
    found = [
        (row.locator("th bdi").inner_text(), row.locator("td a").first.get_attribute("href")) for row in rows.all()
    ]
    assert len(found) == len(read)
    for name, address in found:
        content = page.request.get(f"{site.url}{address}download/").body()
        assert hashlib.sha256(content).digest() == hashlib.sha256(read[f"{root.name}/{name}"]).digest(), name
    page.context.close()
