"""Makes an installation ready to serve, doing only what is not done yet.

Called by the `up` command, in this order: the data folder and the right to be its only server, the port, the
tables, the checks of the database, the static files, the demo company. A second start finds everything done
and costs next to nothing.
"""

import errno
import fcntl
import hashlib
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core import checks
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from memoryadmin.services import demo, people

HIGHEST_PORT = 65535
Say = Callable[[str], None]


@contextmanager
def only_server_of_data_dir() -> Iterator[None]:
    """Hold the data folder: two servers on one folder would hand each other's messages around.

    :raises CommandError: another `up` holds it.
    """
    try:
        holder = (settings.DATA_DIR / "up.lock").open("a+")
    except OSError as error:
        raise CommandError(f"Cannot write in {settings.DATA_DIR} (MEMORYADMIN_DATA_DIR): {error}") from None
    with holder:
        try:
            fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder.seek(0)
            other = holder.read().strip() or "unknown"
            raise CommandError(
                f"memoryadmin already runs on {settings.DATA_DIR}, as process {other}. "
                "Stop it first, or give this one its own folder with MEMORYADMIN_DATA_DIR."
            ) from None
        holder.truncate(0)
        holder.write(str(os.getpid()))
        holder.flush()
        yield


def require_free_port() -> None:
    """Return when the address can be listened on.

    :raises CommandError: it cannot; the message names the setting to change.
    """
    if not 0 < settings.PORT <= HIGHEST_PORT:
        raise CommandError(f"MEMORYADMIN_PORT must be between 1 and {HIGHEST_PORT}, not {settings.PORT}.")
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.HOST, settings.PORT, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            # Connections that are only waiting to be forgotten do not make the port busy.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except OSError as error:
        raise CommandError(_port_message(error)) from None


def _port_message(error: OSError) -> str:
    address = f"port {settings.PORT} of {settings.HOST}"
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"Something already listens on {address}. Stop it, or choose another port: "
                f"MEMORYADMIN_PORT={settings.PORT + 1} python3 manage.py up"
            )
        case errno.EACCES:
            return f"This user may not listen on {address}. Choose a port above 1023 with MEMORYADMIN_PORT."
        case _:
            return f"Cannot listen on {address}: {error}. Set MEMORYADMIN_HOST and MEMORYADMIN_PORT."


def prepare(say: Say) -> None:
    """Bring folders, tables, static files and, in an empty installation, the demo up to date.

    :raises CommandError: the database does not answer or is not fit to serve.
    """
    _make_folders()
    try:
        _migrate(say)
        _check_database()
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from None
    _collect_static(say)
    _load_demo(say)
    # The children have connections of their own; an idle one here would only keep files open.
    connection.close()


def _make_folders() -> None:
    if settings.REDIS_URL:
        return
    # Messages only say "look now", and the worker looks when it starts: old ones are worth nothing.
    shutil.rmtree(settings.CELERY_BROKER_FOLDER, ignore_errors=True)
    for name in ("queue", "control"):
        (settings.CELERY_BROKER_FOLDER / name).mkdir(parents=True)


def _migrate(say: Say) -> None:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        say(f"Bringing the database up to date ({len(plan)} steps).")
        call_command("migrate", interactive=False, verbosity=0)


def _check_database() -> None:
    problems = checks.run_checks(tags=[checks.Tags.database], databases=["default"])
    serious = [problem for problem in problems if problem.is_serious()]
    if serious:
        lines = [f"  {problem.msg} {problem.hint or ''}".rstrip() for problem in serious]
        raise CommandError("The database is not fit to serve:\n" + "\n".join(lines))


def _collect_static(say: Say) -> None:
    """Collect and compress the static files when one of them, or what serves them, has changed."""
    if settings.STATIC_ROOT is None:
        return  # served from where they are written
    seen = settings.DATA_DIR / "static.seen"
    present = _static_fingerprint()
    if seen.exists() and seen.read_text() == present:
        return
    say("Collecting static files.")
    call_command("collectstatic", interactive=False, verbosity=0)
    seen.write_text(present)


def _static_fingerprint() -> str:
    digest = hashlib.sha256(f"{version('django')} {version('whitenoise')} {settings.STATIC_ROOT}".encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            digest.update(f"{name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _load_demo(say: Say) -> None:
    if settings.DEMO and not people.has_anybody():
        say("Loading the demo company.")
        demo.load(now=timezone.now())
