"""manage.py on a bare Python: what it installs, what it refuses, and what it leaves alone.

Each test works in a copy of the committed files, with an interpreter that sees no installed package.
"""

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memoryadmin.management import bootstrap, developer

BARE = [sys._base_executable, "-S", "-E"]
LOCKS = [bootstrap.RUNTIME_LOCK, bootstrap.DEVELOPER_LOCK]
PREPARING = "Preparing .venv"


@pytest.fixture
def project(tmp_path):
    """An empty clone: the project's files and nothing else."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=bootstrap.ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (bootstrap.ROOT / name).exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(bootstrap.ROOT / name, tmp_path / name)
    return tmp_path


def start(project: Path, *arguments: str, has_uv=True, python=BARE, **environment: str):
    """Start manage.py as somebody would who has nothing but an interpreter, and with `has_uv` also uv."""
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    tools = project.parent / f"tools-{project.name}"
    tools.mkdir(exist_ok=True)
    if has_uv and not (tools / "uv").exists():
        (tools / "uv").symlink_to(uv)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MEMORYADMIN_", "PYTEST_", "DJANGO_"))}
    path = f"{tools}:/usr/bin:/bin" if has_uv else "/usr/bin:/bin"
    return subprocess.Popen(
        [*python, "manage.py", *arguments],
        cwd=project,
        env={**kept, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(project: Path, *arguments: str, **options):
    process = start(project, *arguments, **options)
    stdout, stderr = process.communicate(timeout=300)
    assert "Traceback" not in stderr
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


class TestFromNothing:
    def test_pip_installs_once_and_the_second_start_installs_nothing(self, project):
        first = run(project, "version", has_uv=False)
        assert first.returncode == 0, first.stderr
        assert PREPARING in first.stderr
        assert first.stdout.startswith("5.2")

        second = run(project, "version", has_uv=False)
        assert second.returncode == 0
        assert second.stderr == ""
        assert second.stdout == first.stdout

    def test_the_test_command_brings_the_tools_and_they_serve_other_commands_too(self, project):
        tested = run(project, "test", "tests/domain/test_scopes.py", "-n", "0")
        assert tested.returncode == 0, tested.stdout + tested.stderr
        assert re.search(r"\d+ passed", tested.stdout)

        after = run(project, "version")
        assert after.returncode == 0
        assert PREPARING not in after.stderr

    def test_two_at_once_build_one_environment(self, project):
        both = [start(project, "version"), start(project, "version")]
        ended = [process.communicate(timeout=300) for process in both]
        assert [process.returncode for process in both] == [0, 0], ended
        assert "".join(stderr for _, stderr in ended).count(PREPARING) == 1

    @pytest.mark.parametrize("seconds", [0.3, 0.8, 1.5])
    def test_what_an_interrupted_build_left_is_made_anew(self, project, seconds):
        process = start(project, "version")
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

        again = run(project, "version")
        assert again.returncode == 0, again.stderr
        assert again.stdout.startswith("5.2")

    def test_a_half_installed_package_is_not_trusted(self, project):
        assert run(project, "version").returncode == 0
        next(project.glob(".venv/lib/python*/site-packages/django/core/management/__init__.py")).unlink()
        (project / ".venv/memoryadmin.json").unlink()
        (project / ".venv.lock").write_text("building")

        again = run(project, "version")
        assert again.returncode == 0, again.stderr
        assert again.stdout.startswith("5.2")


class TestWhatItRefuses:
    @pytest.mark.parametrize("has_uv", [True, False])
    def test_a_package_with_another_hash(self, project, has_uv):
        lock = project / "requirements.lock"
        lock.write_text(re.sub(r"(sqlparse.*\n(?:\s+--hash.*\n)+)", _spoil, lock.read_text()))

        refused = run(project, "version", has_uv=has_uv)
        assert refused.returncode == 1
        assert "Refused: a downloaded package does not match its hash in requirements.lock" in refused.stderr
        assert "sqlparse" in refused.stderr
        assert not (project / ".venv/memoryadmin.json").exists()

    def test_an_older_python_in_one_sentence(self):
        code = (
            "import runpy, sys; sys.version_info = (3, 10, 4, 'final', 0);"
            "runpy.run_path('manage.py', run_name='__main__')"
        )
        old = subprocess.run([sys.executable, "-c", code], cwd=bootstrap.ROOT, capture_output=True, text=True)
        assert old.returncode == 1
        assert old.stderr.startswith("memoryadmin needs Python 3.11 or newer; ")
        assert old.stderr.count("\n") == 1

    def test_an_older_python_can_read_the_file_that_tells_it_so(self):
        assert ast.parse((bootstrap.ROOT / "manage.py").read_text(), feature_version=(3, 4)).body

    def test_a_python_without_ensurepip_names_the_package_to_install(self, monkeypatch):
        monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None)
        with pytest.raises(SystemExit, match=rf"apt install python3\.{sys.version_info[1]}-venv"):
            bootstrap._create(with_pip=True)


class TestWhatItLeavesAlone:
    def test_an_interpreter_that_matches_the_lock_is_used_as_it_is(self, project):
        used = run(project, "version", python=[sys.executable])
        assert used.returncode == 0
        assert used.stderr == ""
        assert not (project / ".venv").exists()

    def test_a_container_is_never_prepared(self, project):
        refused = run(project, "version", MEMORYADMIN_CONTAINER="1")
        assert refused.returncode == 1
        assert "MEMORYADMIN_CONTAINER=1" in refused.stderr
        assert not (project / ".venv").exists()

    def test_the_bare_command_explains_itself_and_prepares_nothing(self, project):
        asked = run(project)
        assert asked.returncode == 0
        assert "manage.py up" in asked.stdout
        assert "manage.py test" in asked.stdout
        assert not (project / ".venv").exists()


class TestLocks:
    @pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
    def test_hold_hashes_and_no_address(self, lock):
        text = lock.read_text()
        assert "://" not in text
        entries = re.findall(r"^\S.*(?:\n\s+.*)*", text, flags=re.MULTILINE)
        assert entries
        assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)

    def test_the_developers_lock_satisfies_the_runtime_lock(self):
        runtime, developers = (bootstrap.read_pins(lock.read_text()) for lock in LOCKS)
        assert runtime.items() <= developers.items()

    def test_a_pin_with_a_marker_may_be_absent_or_have_either_version(self):
        pins = bootstrap.read_pins("a==1 \\\n    --hash=x\nb==1 ; x < '3'\nb==2 ; x >= '3' \\\n    --hash=y\n")
        assert pins == {"a": ({"1"}, False), "b": ({"1", "2"}, True)}

    def test_every_developers_command_exists(self):
        assert set(developer.COMMANDS) == bootstrap.DEVELOPER_COMMANDS


def _spoil(match: re.Match[str]) -> str:
    return re.sub(r"sha256:[0-9a-f]{64}", "sha256:" + "0" * 64, match[0])
