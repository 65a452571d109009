"""A real server for tests: the product under granian on a free loopback port, over its own data folder.

One migrated data folder is made per test run and copied for each server: copying a file is faster than migrating,
and the append-only triggers do not let a database be emptied between tests.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """The environment of a child process that works on `data_dir`; nothing of the surrounding settings leaks in."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MEMORYADMIN_", "DJANGO_", "DATABASE_", "REDIS_"))}
    kept |= {"DJANGO_SETTINGS_MODULE": "memoryadmin.settings", "PYTHONPATH": str(ROOT)}
    return kept | {"MEMORYADMIN_DATA_DIR": str(data_dir)} | more


def run_django(data_dir: Path, code: str, **more: str) -> str:
    """Run `code` in a child process after django.setup() and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", f"import django; django.setup()\n{code}"], cwd=ROOT, text=True, capture_output=True,
        env=environment(data_dir, **more), timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def migrated(data_dir: Path) -> Path:
    """Make a data folder with an empty, migrated database and the collected static files."""
    data_dir.mkdir(parents=True, exist_ok=True)
    run_django(
        data_dir,
        "from django.core.management import call_command\n"
        "call_command('migrate', verbosity=0)\ncall_command('collectstatic', interactive=False, verbosity=0)",
    )
    return data_dir


def copied(template: Path, target: Path) -> Path:
    """Copy a data folder that no process is writing to."""
    shutil.copytree(template, target, dirs_exist_ok=True)
    return target


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A running web server; `url` has no slash at its end."""

    def __init__(self, data_dir: Path, **more: str) -> None:
        self.data_dir, self.port = data_dir, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = (data_dir / "server.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(self.port),
             "--workers", "1", "--blocking-threads", "4", "memoryadmin.wsgi:application"],
            cwd=ROOT, env=environment(data_dir, **more), stdout=self.log, stderr=self.log, start_new_session=True,
        )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self.process.poll() is None, Path(self.log.name).read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/sign-in/", timeout=2):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        raise AssertionError("the server did not answer within a minute:\n" + Path(self.log.name).read_text())

    def stop(self, sig: int = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, sig)
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.log.close()


@contextmanager
def serving(data_dir: Path, **more: str):
    server = Server(data_dir, **more)
    try:
        yield server
    finally:
        server.stop()
