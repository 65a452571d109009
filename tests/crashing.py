"""Real processes on a real data folder, which kill themselves with SIGKILL at a named call.

    with Bench(tmp_path) as bench:
        bench.run("tests.services.mirrored:work")  # to the end
        bench.run("tests.services.mirrored:work", kill=Kill("os:rename", 1, "before"))

A scenario is a function `scenario(acknowledge, **arguments)`; what it passes to `acknowledge` is known to the
test even when the process dies right after. A target is `module:attribute` or `module:Class.method`, looked
up where callers look it up. Nothing in the product knows of this: the process replaces the attribute in
itself. One server process loads Django once and forks for every run, so a run costs a few hundredths of a
second.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Self

REPOSITORY = Path(__file__).resolve().parent.parent
STATEMENT = "django.db.backends.sqlite3.base:SQLiteCursorWrapper.execute"
COMMIT = "django.db.backends.base.base:BaseDatabaseWrapper._commit"


@dataclass(frozen=True)
class Kill:
    """Die at the `call`th call (from 1) of `target`: `before` it does anything, or `after` it is done."""

    target: str
    call: int = 1
    when: str = "before"

    def __str__(self) -> str:
        return f"{self.when} call {self.call} of {self.target}"


@dataclass
class Run:
    """How a run ended. `calls` counts the calls of each watched target; empty when the process died."""

    acknowledged: list[Any] = field(default_factory=list)
    was_killed: bool = False
    result: Any = None
    calls: dict[str, int] = field(default_factory=dict)


class Running:
    """A run under way."""

    def __init__(self, bench: "Bench", pid: int, notes: Path) -> None:
        self.pid = pid
        self._bench, self._notes = bench, notes

    def wait(self) -> Run:
        """Wait for the end; an exception in the scenario is raised here, with its traceback."""
        status = self._bench.ask({"wait": self.pid})
        run = Run(was_killed=status == -signal.SIGKILL)
        for line in self._notes.read_text().splitlines():
            kind, value = json.loads(line)
            if kind == "error":
                raise AssertionError(f"the scenario failed:\n{value}")
            if kind == "acknowledged":
                run.acknowledged.append(value)
            else:
                setattr(run, kind, value)
        assert run.was_killed or status == 0, f"the process ended with {status}"
        return run


class Bench:
    """A data folder with a migrated database, and a server that starts processes on it."""

    def __init__(self, folder: Path, *, log_name: str = "stderr") -> None:
        self.data_dir = folder / "data"
        self._kept = folder / "kept"
        self._notes = folder / "notes"
        self._log = folder / log_name
        self._count = 0
        shutil.copytree(_template(), self.data_dir)
        self._notes.mkdir()
        self.remember()

    def __enter__(self) -> Self:
        self._server = _server(self.data_dir, self._log)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait(timeout=60)
        self._server.stdout.close()

    def ask(self, request: dict[str, Any]) -> int:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        answer = self._server.stdout.readline()
        assert answer, f"the server died:\n{self._log.read_text()}"
        return int(answer)

    def start(self, scenario: str, *, kill: Kill | None = None, watch: Iterable[str] = (), **arguments: Any) -> Running:
        """Start `scenario` in a process of its own."""
        self._count += 1
        notes = self._notes / f"{self._count}.jsonl"
        notes.touch()
        request = {
            "scenario": scenario, "notes": str(notes), "kill": asdict(kill) if kill else None,
            "watch": list(watch), "arguments": arguments,
        }  # fmt: skip
        return Running(self, self.ask(request), notes)

    def run(self, scenario: str, *, kill: Kill | None = None, watch: Iterable[str] = (), **arguments: Any) -> Run:
        """Run `scenario` to its end, or to its death."""
        return self.start(scenario, kill=kill, watch=watch, **arguments).wait()

    def remember(self) -> None:
        """Keep the data folder as it is now, for `restore`. No process may be running."""
        shutil.rmtree(self._kept, ignore_errors=True)
        shutil.copytree(self.data_dir, self._kept)

    def restore(self) -> None:
        """Put the data folder back to what was last remembered. No process may be running."""
        shutil.rmtree(self.data_dir)
        shutil.copytree(self._kept, self.data_dir)

    def fault_points(self, scenario: str, watch: Iterable[str], **arguments: Any) -> list[Kill]:
        """Run `scenario` once, undo it, and return a kill at every call of every watched target."""
        calls = self.run(scenario, watch=watch, **arguments).calls
        self.restore()
        points = [Kill(target, call) for target, count in calls.items() for call in range(1, count + 1)]
        # After a statement is before the next one; what lies after a rename, nothing else may mark.
        points += [
            Kill(target, call, "after")
            for target, count in calls.items()
            for call in range(1, count + 1)
            if target != STATEMENT or call == count
        ]
        return points


def _server(data_dir: Path, log: Path) -> subprocess.Popen[str]:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "memoryadmin.settings",
        "MEMORYADMIN_DATA_DIR": str(data_dir),
        "PYTHONPATH": str(REPOSITORY),
    }
    with log.open("a") as stderr:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.crashing"], cwd=REPOSITORY, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=stderr, text=True,
        )  # fmt: skip


@lru_cache(maxsize=1)
def _template() -> Path:
    """Make, once per test run, a data folder with a migrated database."""
    folder = Path(tempfile.mkdtemp(prefix="memoryadmin-template-"))
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "memoryadmin.settings", "MEMORYADMIN_DATA_DIR": str(folder),
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "django", "migrate", "--verbosity", "0"],
        cwd=REPOSITORY,
        env=environment,
        check=True,
    )
    return folder


# From here on: inside the server and the processes that it forks.


def _serve() -> None:
    import django

    django.setup()
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            _, status = os.waitpid(request["wait"], 0)
            answer = os.waitstatus_to_exitcode(status)
        else:
            answer = os.fork()
            if answer == 0:
                os._exit(_play(request))
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _play(request: dict[str, Any]) -> int:
    import traceback

    # Unbuffered: what was noted is in the kernel's hands before the next statement runs.
    notes = os.open(request["notes"], os.O_WRONLY | os.O_APPEND)

    def note(kind: str, value: Any) -> None:
        os.write(notes, json.dumps([kind, value]).encode() + b"\n")

    try:
        scenario = _look_up(request["scenario"])[2]
        calls: dict[str, int] = {}
        kill = Kill(**request["kill"]) if request["kill"] else None
        for target in {*request["watch"], *([kill.target] if kill else [])}:
            _watch(target, calls, kill if kill and kill.target == target else None)
        result = scenario(lambda value: note("acknowledged", value), **request["arguments"])
        note("calls", calls)
        note("result", result)
    except BaseException:  # noqa: BLE001 (also SystemExit must reach the test)
        note("error", traceback.format_exc())
        return 1
    return 0


def _look_up(target: str) -> tuple[Any, str, Any]:
    module, _, path = target.partition(":")
    owner: Any = import_module(module)
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    return owner, name, getattr(owner, name)


def _watch(target: str, calls: dict[str, int], kill: Kill | None) -> None:
    owner, name, original = _look_up(target)
    calls[target] = 0

    def die_if(when: str) -> None:
        if kill and kill.when == when and kill.call == calls[target]:
            os.kill(os.getpid(), signal.SIGKILL)

    def watched(*args: Any, **kwargs: Any) -> Any:
        calls[target] += 1
        die_if("before")
        try:
            return original(*args, **kwargs)
        finally:
            die_if("after")

    setattr(owner, name, watched)


Acknowledge = Callable[[Any], None]

if __name__ == "__main__":
    _serve()
