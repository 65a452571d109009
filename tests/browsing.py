"""A real Chromium for tests, Debian's own; never one downloaded at run time."""

import os
import re
import shutil
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def chromium_path() -> str:
    """Where Chromium is; a skip that says so where there is none."""
    found = os.environ.get("MEMORYADMIN_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("needs a service: chromium is not installed")
    return found


@contextmanager
def chromium():
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def page_of(browser: Browser, **options) -> Page:
    """A page in a context of its own; every console error and failed request of it is collected in `page.faults`."""
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(15_000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: page.faults.append(message.text) if is_fault(message) else None)
    return page


def is_fault(message: ConsoleMessage) -> bool:
    """Whether the browser complains; a refused form (409, 413, 422) is an answer, not a fault."""
    return message.type == "error" and not re.search(r"status of (409|413|422)", message.text)


def press(page: Page, name: str) -> None:
    """Press the button and wait for the page that follows."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def follow(page: Page, name: str) -> None:
    """Follow the first link of this name and wait for its page."""
    with page.expect_navigation():
        page.get_by_role("link", name=name).first.click()


def sign_in(page: Page, url: str, login: str, password: str) -> None:
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Sign-in name").fill(login)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "/sign-in/" not in address)
