"""Serve memoryadmin: one command that prepares what is missing and runs web, worker and beat as one tree."""

import http.client
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from memoryadmin.management import bootstrap, child, preparation
from memoryadmin.management.supervision import Child, Supervisor
from memoryadmin.services import demo, people, setup

_SLOW_SECONDS = 30
_MOST_REDIRECTS = 3
# Somebody waits for the page and nobody for the others, which would take the processor from it.
_HEAD_START_SECONDS = 1.5


class Command(BaseCommand):
    help = "Start memoryadmin: web, worker and beat, until Ctrl-C. Prepares data folder, tables and demo first."
    # The checks that matter here run in `preparation`; the full set would load every page first.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        with preparation.only_server_of_data_dir():
            preparation.require_free_port()
            preparation.prepare(self._say)
            threading.Thread(target=self._announce, daemon=True).start()
            code = Supervisor(_children(), say=self._say).run()
        self._say("Stopped.")
        if code:
            sys.exit(code)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _announce(self) -> None:
        """Print the address and who can sign in, once the page really answers."""
        started = time.monotonic()
        has_warned = False
        while not _answers():
            if not has_warned and time.monotonic() - started > _SLOW_SECONDS:
                has_warned = True
                self._say("The page does not answer yet; the messages above may say why. Still waiting.")
            time.sleep(0.05)
        self._say(f"\nmemoryadmin answers at {_address()}   (Ctrl-C stops it)")
        for line in _ways_in():
            self._say(line)


def _children() -> list[Child]:
    # -P and PYTHONPATH: this program's modules and no namesakes in the folder that `up` was called from.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(bootstrap.ROOT), os.environ.get("PYTHONPATH")]))
    python = [sys.executable, "-P", "-m", child.__name__]
    later = time.monotonic() + _HEAD_START_SECONDS
    return [
        Child(name, [*python, name, str(os.getpid())], start_at=0.0 if name == "web" else later) for name in child.RUN
    ]


def _ways_in() -> Iterator[str]:
    """Yield who can sign in: the demo's accounts, or why nobody can."""
    accounts = demo.accounts() if settings.DEMO else ()
    if accounts and people.find_by_login(login=accounts[0].login):
        yield "Sign in to the demo company as one of these (name, password):"
        for login, password, name, what in accounts:
            yield f"  {login:<8}{password}  {name}: {what}"
    elif not people.has_anybody():
        yield "This installation is empty. Open this link within a day to become its admin:"
        yield f"  {_address()}first-admin/{setup.first_admin_key()}/"


def _answers() -> bool:
    """Tell whether the first page, which may be the one to sign in, comes without an error."""
    path = "/"
    for _ in range(_MOST_REDIRECTS):
        try:
            status, location = _get(path)
        except (OSError, http.client.HTTPException):
            return False
        if not location.startswith("/"):
            return status < http.client.INTERNAL_SERVER_ERROR
        path = location
    return False


def _get(path: str) -> tuple[int, str]:
    """Return status and redirect of our own page at `path`."""
    with closing(http.client.HTTPConnection(_reachable_host(), settings.PORT, timeout=5)) as connection:
        connection.request("GET", path, headers={"Host": _known_host()})
        answer = connection.getresponse()
        return answer.status, answer.getheader("Location", "")


def _address() -> str:
    host = _reachable_host()
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.PORT}/"


def _reachable_host() -> str:
    return str({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.HOST, settings.HOST))  # noqa: S104


def _known_host() -> str:
    exact: list[str] = [host for host in settings.ALLOWED_HOSTS if not host.startswith(("*", "."))]
    return exact[0] if exact else _reachable_host()
