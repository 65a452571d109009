"""What the kernel says about running processes, for tests that start and kill real ones."""

import time
from collections.abc import Callable
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """The processes that `pid` started, dead but unreaped ones included."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def descendants_of(pid: int) -> list[int]:
    children = children_of(pid)
    return children + [further for child in children for further in descendants_of(child)]


def is_running(pid: int) -> bool:
    """Whether `pid` exists and is more than an exit code waiting to be read."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def command_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")


def eventually(condition: Callable[[], object], *, seconds: float) -> bool:
    """Whether `condition` became true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())
