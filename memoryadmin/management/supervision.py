"""Keeps a few processes running as one tree: starts them together, restarts what crashes, stops all together.

Called by the `up` command. Knows nothing of Django or of what the processes do. Each one leads a process
group of its own, so that a Ctrl-C in the terminal reaches only the supervisor, and a leader's descendants can
be killed with it. That nothing outlives a killed supervisor is the other half of the bargain, see
`child.die_with_parent`.
"""

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType

FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 10.0
# A process that lived shorter than this failed to start rather than crashed.
QUICK_SECONDS = 10.0
QUICK_FAILURES = 5
# Everything must have ended 10 s after the request; killing and reaping takes the rest.
STOP_SECONDS = 8.0
# A second request to stop after this pause kills at once.
AGAIN_SECONDS = 0.5


@dataclass(slots=True)
class Child:
    """One supervised process: its name in messages, how to start it, and what became of it so far."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_at: float | None = 0.0
    quick_failures: int = 0

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, process_group=0)  # noqa: S603
        self.started_at = time.monotonic()
        self.start_at = None

    def ended(self) -> int | None:
        """Return the exit code once the process has ended, and kill what it left in its group."""
        if self.process is None or self.process.poll() is None:
            return None
        self.kill()
        code, self.process = self.process.returncode, None
        return code

    def terminate(self) -> None:
        if self.process is not None:
            self.process.terminate()

    def kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def plan_restart(self) -> float:
        """Return the pause before the next start: longer after each quick failure in a row."""
        is_quick = time.monotonic() - self.started_at < QUICK_SECONDS
        self.quick_failures = self.quick_failures + 1 if is_quick else 0
        pause = min(FIRST_PAUSE_SECONDS * 2.0 ** max(0, self.quick_failures - 1), LONGEST_PAUSE_SECONDS)
        self.start_at = time.monotonic() + pause
        return pause


@dataclass(slots=True)
class Supervisor:
    """Runs `children` until a signal asks to stop or one of them cannot be kept running."""

    children: Sequence[Child]
    say: Callable[[str], None]
    _asked_at: list[float] = field(default_factory=list)
    _wakeup: int = -1

    def run(self) -> int:
        """Return 0 after a requested stop, 1 when a child kept failing; either way no process is left."""
        with self._receiving_signals():
            try:
                return self._keep_running()
            finally:
                self._stop()

    def _keep_running(self) -> int:
        while not self._asked_at:
            for child in self.children:
                if (code := child.ended()) is not None and not self._will_restart(child, code):
                    return 1
                if child.start_at is not None and child.start_at <= time.monotonic():
                    child.start()
            self._sleep(until=min((c.start_at for c in self.children if c.start_at is not None), default=None))
        return 0

    def _will_restart(self, child: Child, code: int) -> bool:
        pause = child.plan_restart()
        if child.quick_failures >= QUICK_FAILURES:
            self.say(
                f"{child.name} {_how_it_ended(code)}, {QUICK_FAILURES} times in a row within seconds of its "
                "start. Its own words are above. Stopping."
            )
            return False
        self.say(f"{child.name} {_how_it_ended(code)}; starting it again in {pause:g} s.")
        return True

    def _stop(self) -> None:
        for child in self.children:
            child.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while running := [child for child in self.children if child.process is not None and child.ended() is None]:
            if time.monotonic() >= deadline or self._is_asked_again():
                self.say(f"Killing what did not stop: {', '.join(child.name for child in running)}.")
                for child in running:
                    child.kill()
                deadline = float("inf")
                self._asked_at.clear()
            self._sleep(until=min(deadline, time.monotonic() + 1))

    def _sleep(self, *, until: float | None) -> None:
        """Wait for a signal, the end of a child included, but no longer than `until`."""
        timeout = None if until is None else max(0.0, until - time.monotonic())
        if select.select([self._wakeup], [], [], timeout)[0]:
            os.read(self._wakeup, 4096)

    @contextmanager
    def _receiving_signals(self) -> Iterator[None]:
        self._wakeup, write_end = os.pipe()
        os.set_blocking(write_end, False)
        previous_wakeup = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
        # A handler for SIGCHLD, even an idle one, makes Python write to the wake-up pipe.
        previous = {signal.SIGCHLD: signal.signal(signal.SIGCHLD, _ignore)}
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            previous[number] = signal.signal(number, self._remember)
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(previous_wakeup)
            os.close(self._wakeup)
            os.close(write_end)

    def _is_asked_again(self) -> bool:
        # Some callers signal both the process and its group; that is one request, not impatience.
        return bool(self._asked_at) and self._asked_at[-1] - self._asked_at[0] > AGAIN_SECONDS

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self._asked_at.append(time.monotonic())


def _ignore(number: int, frame: FrameType | None) -> None:
    """Let the wake-up pipe do the work."""


def _how_it_ended(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
