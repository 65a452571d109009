"""The three processes that `up` supervises: `python -m memoryadmin.management.child web|worker|beat PARENT`.

Each prepares itself to die with its supervisor before it loads anything, then runs its server in this
process. PARENT is the supervisor's process id. web serves the pages, worker does what is due, beat says "look
now".
"""

import ctypes
import os
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

_PR_SET_PDEATHSIG = 1
BLOCKING_THREADS = 8


def die_with_parent(parent: int) -> None:
    """Have this process killed as soon as `parent` has ended, however it ended.

    The ledger is made for being killed at any step, and a process that nobody supervises must not go on
    writing.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it ended before we asked to be told
        sys.exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGKILL)


def serve_web() -> None:
    """Serve the pages until told to stop."""
    from django.conf import settings  # noqa: PLC0415
    from granian.constants import Interfaces  # noqa: PLC0415
    from granian.log import LogLevels  # noqa: PLC0415
    from granian.server import Server  # noqa: PLC0415

    server = Server(
        "memoryadmin.wsgi:application",
        # granian knows no names, only addresses
        address=str(socket.getaddrinfo(settings.HOST, settings.PORT)[0][4][0]),
        port=settings.PORT,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=BLOCKING_THREADS,
        websockets=False,
        log_level=LogLevels.error,
        workers_kill_timeout=6,
    )
    server.serve(target_loader=_load_application, wrap_loader=False)


def _load_application() -> Callable[..., Any]:
    # granian serves from a process of its own, which must not outlive this one either.
    die_with_parent(os.getppid())
    from memoryadmin.wsgi import application  # noqa: PLC0415

    return application


def run_worker() -> None:
    """Do the jobs that are due each time a message says so, one after another."""
    from celery import signals  # noqa: PLC0415

    from memoryadmin.celery import app  # noqa: PLC0415

    # Messages are JSON, so that the warning about root, which is about pickled messages, does not concern us.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")
    signals.worker_ready.connect(_stop_at_once_when_idle)
    worker = app.Worker(
        pool="solo",
        concurrency=1,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def _stop_at_once_when_idle(**_: object) -> None:
    """Spare an idle worker the seconds until it next looks; a busy one ends its task first."""
    from celery.exceptions import WorkerShutdown  # noqa: PLC0415
    from celery.worker import state  # noqa: PLC0415

    when_busy = signal.getsignal(signal.SIGTERM)

    def stop(number: int, frame: FrameType | None) -> None:
        if not state.active_requests:
            raise WorkerShutdown(0)
        if callable(when_busy):
            when_busy(number, frame)

    signal.signal(signal.SIGTERM, stop)


def run_beat() -> None:
    """Say "look now" at fixed intervals."""
    from memoryadmin.celery import app  # noqa: PLC0415

    app.Beat(loglevel="WARNING", quiet=True).run()


RUN: Mapping[str, Callable[[], None]] = {"web": serve_web, "worker": run_worker, "beat": run_beat}

if __name__ == "__main__":
    die_with_parent(int(sys.argv[2]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryadmin.settings")
    # `up` has checked already; worker and beat would load every page to check again.
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    RUN[sys.argv[1]]()
