"""The supervisor with small real processes: what it restarts, when it gives up, and what it leaves behind."""

import os
import signal
import subprocess
import sys
import time

import pytest

from memoryadmin.management import supervision
from tests.processes import children_of, descendants_of, is_running
from tests.serving import ROOT

# One write a line: several processes share the pipe, and print alone may write the end of the line apart.
LONG = "import os, time; os.write(1, b'up\\n'); time.sleep(60)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {LONG}"
# Leaves a process of its own behind, as a server with workers does.
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {LONG!r}]); {LONG}"


@pytest.fixture
def supervise():
    """Start a supervisor over the given programs, and stop it after the test."""
    started = []

    def start(**programs: str) -> subprocess.Popen[str]:
        script = (
            "import sys\n"
            "from memoryadmin.management import supervision\n"
            "supervision.STOP_SECONDS = 1.0\n"
            f"programs = {programs!r}\n"
            "python = [sys.executable, '-c']\n"
            "children = [supervision.Child(name, [*python, code]) for name, code in programs.items()]\n"
            "say = lambda line: print(line, flush=True)\n"
            "sys.exit(supervision.Supervisor(children, say=say).run())\n"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=20)


def wait_for(process: subprocess.Popen[str], words: str) -> str:
    """All that it said until `words` came."""
    said = ""
    for line in process.stdout:
        said += line
        if words in line:
            return said
    raise AssertionError(f"ended without saying {words!r}, but {said!r}")


def test_a_killed_child_is_started_again(supervise):
    supervisor = supervise(one=LONG)
    wait_for(supervisor, "up")
    (first,) = children_of(supervisor.pid)
    os.kill(first, signal.SIGKILL)
    assert "one was killed by SIGKILL; starting it again in 0.25 s" in wait_for(supervisor, "starting")
    wait_for(supervisor, "up")
    assert children_of(supervisor.pid) != [first]


def test_a_child_that_cannot_start_ends_all_with_exit_code_1(supervise):
    supervisor = supervise(sound=LONG, broken="raise SystemExit(3)")
    said = wait_for(supervisor, "up")
    sound = [pid for pid in children_of(supervisor.pid) if is_running(pid)]
    said += supervisor.communicate(timeout=30)[0]
    assert supervisor.returncode == 1
    assert said.count("broken ended with exit code 3; starting it again") == supervision.QUICK_FAILURES - 1
    assert "broken ended with exit code 3, 5 times in a row" in said
    assert not any(map(is_running, sound))


def test_pauses_grow_and_a_long_life_forgets_earlier_failures():
    child = supervision.Child("one", [])
    child.started_at = time.monotonic()
    assert [child.plan_restart() for _ in range(8)] == [0.25, 0.5, 1, 2, 4, 8, 10, 10]
    child.started_at = time.monotonic() - supervision.QUICK_SECONDS
    assert child.plan_restart() == 0.25
    assert child.quick_failures == 0


@pytest.mark.parametrize("request_to_stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_request_to_stop_ends_every_process_with_exit_code_0(supervise, request_to_stop):
    supervisor = supervise(one=LONG, two=PARENT)
    wait_for(supervisor, "up"), wait_for(supervisor, "up"), wait_for(supervisor, "up")
    family = descendants_of(supervisor.pid)
    assert len(family) == 3
    supervisor.send_signal(request_to_stop)
    assert supervisor.wait(timeout=10) == 0
    assert not any(map(is_running, family))


def test_a_child_that_does_not_listen_is_killed(supervise):
    supervisor = supervise(one=DEAF)
    wait_for(supervisor, "up")
    (deaf,) = children_of(supervisor.pid)
    supervisor.terminate()
    assert "Killing what did not stop: one." in supervisor.communicate(timeout=10)[0]
    assert supervisor.returncode == 0
    assert not is_running(deaf)


def test_what_a_killed_child_left_in_its_group_is_killed_before_it_starts_again(supervise):
    supervisor = supervise(one=PARENT)
    wait_for(supervisor, "up"), wait_for(supervisor, "up")
    (first,) = children_of(supervisor.pid)
    (left,) = children_of(first)
    os.kill(first, signal.SIGKILL)
    wait_for(supervisor, "up")
    assert not is_running(left)
