"""`manage.py up`, for real: it serves, survives the death of any of its processes, and leaves none behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from pathlib import Path

import pytest

from tests.processes import command_of, descendants_of, eventually, is_running
from tests.serving import ROOT, free_port, run_django

pytestmark = pytest.mark.crash


class Up:
    """One running `up`; what it says goes to a file, since nobody would empty a pipe while a test waits."""

    def __init__(self, data_dir: Path, *, port: int | None = None, **more: str) -> None:
        self.data_dir, self.port = data_dir, port or free_port()
        self._log = data_dir.parent / f"up-{uuid.uuid4()}.log"
        own = {
            "MEMORYADMIN_DATA_DIR": str(data_dir),
            "MEMORYADMIN_PORT": str(self.port),
            "MEMORYADMIN_DEMO": "0",
        }
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("MEMORYADMIN_", "DJANGO_", "PYTEST_"))}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "up"],
                cwd=data_dir.parent,
                env={**kept, **own, **more},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self._log.read_text()

    def says(self, words: str, *, after: int = 0, seconds: float = 60) -> bool:
        """Whether it said `words`, beyond the first `after` characters, before it ended and the time was over."""
        eventually(lambda: words in self.output[after:] or self.process.poll() is not None, seconds=seconds)
        return words in self.output[after:]

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/sign-in/", timeout=5) as page:
                return page.status == 200 and b"<form" in page.read()
        except OSError:
            return False

    def pid_of(self, name: str) -> int | None:
        """The supervised process of that name; children of it have the same command line and come later."""
        found = [pid for pid in descendants_of(self.process.pid) if name in command_of(pid) and is_running(pid)]
        return found[0] if found else None

    def family(self) -> list[int]:
        """All its processes, once all are there: web, the process that web answers from, worker and beat."""
        assert eventually(lambda: len(descendants_of(self.process.pid)) == 4, seconds=30)
        return descendants_of(self.process.pid)

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=15)


@pytest.fixture
def start(tmp_path):
    started: list[Up] = []

    def begin(**options) -> Up:
        started.append(Up(tmp_path / "data", **options))
        return started[-1]

    yield begin
    for up in started:
        if up.process.poll() is None:
            up.end()


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    up = Up(tmp_path_factory.mktemp("up") / "data")
    assert up.says("memoryadmin answers at"), up.output
    up.family()
    yield up
    assert up.end() == 0


class TestServing:
    def test_the_address_it_prints_answers(self, running):
        assert f"http://127.0.0.1:{running.port}/" in running.output
        assert running.answers()

    def test_an_empty_installation_prints_the_link_of_its_first_admin(self, running):
        assert running.says("/first-admin/")
        link = re.search(r"http://\S+/first-admin/\S+", running.output)[0]
        with urllib.request.urlopen(link, timeout=30) as page:
            assert page.status == 200
            assert b"<form" in page.read()

    def test_static_files_come_compressed_and_with_a_name_that_may_be_kept_for_ever(self, running):
        with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/sign-in/", timeout=5) as page:
            sheet = re.search(r'href="(/static/css/base\.[0-9a-f]{12}\.css)"', page.read().decode())[1]
        request = urllib.request.Request(f"http://127.0.0.1:{running.port}{sheet}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            assert "immutable" in answer.headers["Cache-Control"]

    def test_the_demo_is_loaded_once_and_its_accounts_are_printed(self, start):
        first = start(MEMORYADMIN_DEMO="1")
        assert first.says("Sign in to the demo company", seconds=120), first.output
        assert "Loading the demo company" in first.output
        assert first.end() == 0

        second = start(MEMORYADMIN_DEMO="1")
        assert second.says("Sign in to the demo company"), second.output
        assert "Loading" not in second.output
        assert "Collecting" not in second.output
        assert "Bringing the database" not in second.output

    def test_with_debug_on_it_serves_files_uncollected(self, start):
        up = start(MEMORYADMIN_DEBUG="1")
        assert up.says("memoryadmin answers at"), up.output
        assert "Collecting" not in up.output
        assert up.answers()

    def test_only_the_owner_can_read_the_data_folder(self, running):
        assert running.data_dir.stat().st_mode & 0o077 == 0


class TestKilledProcesses:
    @pytest.mark.parametrize("name", ["web", "worker", "beat"])
    def test_each_comes_back(self, running, name):
        said = len(running.output)
        killed = running.pid_of(name)
        os.kill(killed, signal.SIGKILL)
        assert running.says(f"{name} was killed by SIGKILL; starting it again", after=said)
        assert eventually(lambda: running.pid_of(name) not in {None, killed}, seconds=10)
        assert not is_running(killed)
        assert eventually(running.answers, seconds=30)

    def test_the_process_that_the_web_server_answers_from_comes_back(self, running):
        (answering,) = descendants_of(running.pid_of("web"))
        os.kill(answering, signal.SIGKILL)
        assert eventually(lambda: not is_running(answering), seconds=5)
        assert eventually(running.answers, seconds=30)

    def test_a_worker_that_came_back_takes_messages(self, running):
        killed = running.pid_of("worker")
        os.kill(killed, signal.SIGKILL)
        queue = running.data_dir / "broker" / "queue"
        run_django(running.data_dir, "from memoryadmin import tasks; tasks.wake()")
        assert eventually(lambda: running.pid_of("worker") not in {None, killed}, seconds=10)
        assert eventually(lambda: not list(queue.iterdir()), seconds=20)

    def test_nothing_outlives_a_killed_supervisor_and_the_next_start_works(self, start):
        first = start()
        assert first.says("memoryadmin answers at"), first.output
        family = first.family()
        first.process.kill()
        first.process.wait()
        assert eventually(lambda: not any(map(is_running, family)), seconds=5)

        second = start(port=first.port)
        assert second.says("memoryadmin answers at"), second.output


class TestStopping:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_a_request_stops_everything_within_ten_seconds(self, start, number):
        up = start()
        assert up.says("memoryadmin answers at"), up.output
        family = up.family()
        asked_at = time.monotonic()
        assert up.end(number) == 0
        assert time.monotonic() - asked_at < 10
        assert not any(map(is_running, family))
        assert "Traceback" not in up.output
        assert up.output.endswith("Stopped.\n")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", up.port))


class TestRefusing:
    def test_a_busy_port_is_named_with_its_setting_before_anything_is_made(self, start):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            up = start(port=port)
            assert up.process.wait(timeout=30) == 1
        assert up.says(f"Something already listens on port {port} of 127.0.0.1")
        assert f"MEMORYADMIN_PORT={port + 1}" in up.output
        assert "Traceback" not in up.output
        assert not (up.data_dir / "memoryadmin.sqlite3").exists()

    def test_a_second_server_on_one_data_folder_is_refused(self, running):
        other = Up(running.data_dir)
        assert other.process.wait(timeout=30) == 1
        assert other.says("MEMORYADMIN_DATA_DIR")
        assert f"as process {running.process.pid}" in other.output
        assert "Traceback" not in other.output

    def test_a_wrong_setting_is_named(self, start):
        up = start(MEMORYADMIN_PORT="eighty")
        assert up.process.wait(timeout=30) == 1
        assert up.says("MEMORYADMIN_PORT must be a whole number, not 'eighty'")
        assert "Traceback" not in up.output

    def test_a_database_without_its_triggers_is_not_served(self, start):
        first = start()
        assert first.says("memoryadmin answers at"), first.output
        first.end()
        drop = "connection.cursor().execute('DROP TRIGGER memoryadmin_version_no_update')"
        run_django(first.data_dir, f"from django.db import connection; {drop}")

        second = start()
        assert second.process.wait(timeout=30) == 1
        assert second.says("The trigger memoryadmin_version_no_update is missing")
        assert "Run migrate" in second.output
