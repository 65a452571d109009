"""Prepares the Python environment that a command needs, with the standard library alone.

Called by manage.py before anything else is imported. An interpreter whose packages already match the lock is
used as it is; otherwise `.venv` beside manage.py is built from the lock, every download checked against its
hash, and manage.py starts again inside it.

`.venv.lock` admits one builder at a time, and holds text while one is at work: text found by the next holder
means that a build was cut off, and `.venv` is made anew. `.venv/memoryadmin.json` names the locks that
`.venv` was built from, and exists only after a complete build.
"""

import fcntl
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parents[2]
RUNTIME_LOCK = ROOT / "requirements.lock"
DEVELOPER_LOCK = ROOT / "requirements-dev.lock"
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
BUILD_LOCK = ROOT / ".venv.lock"
MARKER = VENV / "memoryadmin.json"

HELP = """memoryadmin: people manage what AI agents remember.

  python3 manage.py up      start it (the first run prepares everything) and print its address
  python3 manage.py test    run all tests; further arguments go to pytest
  python3 manage.py help    list every other command

Settings come from the environment and are listed in README.md."""

DEVELOPER_COMMANDS = frozenset({"test", "lint", "format", "messages", "lock"})

_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[^\s;\\]+)(?P<marker>\s*;)?")
_RESTARTED = "MEMORYADMIN_RESTARTED_BY"


def main(arguments: list[str]) -> None:
    """Carry out one command line of manage.py."""
    command = arguments[1] if len(arguments) > 1 else ""
    if command in {"", "-h", "--help"}:
        print(HELP)
        return
    is_for_developers = command in DEVELOPER_COMMANDS
    try:
        ensure(DEVELOPER_LOCK if is_for_developers else RUNTIME_LOCK, arguments)
        if is_for_developers:
            developer = importlib.import_module("memoryadmin.management.developer")
            sys.exit(developer.COMMANDS[command](arguments[2:]))
        _run_django(arguments)
    except KeyboardInterrupt:
        sys.exit(130)


def _run_django(arguments: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryadmin.settings")
    try:
        management = importlib.import_module("django.core.management")
    except ModuleNotFoundError:
        sys.exit("Django is not installed here, and MEMORYADMIN_CONTAINER=1 says that nothing is to be prepared.")
    exceptions = importlib.import_module("django.core.exceptions")
    try:
        management.execute_from_command_line(arguments)
    except exceptions.ImproperlyConfigured as wrong:
        sys.exit(f"Wrong setting: {wrong}")


def ensure(lock: Path, arguments: list[str]) -> None:
    """Return when this interpreter has what `lock` pins; else start manage.py again in one that has."""
    if os.environ.get("MEMORYADMIN_CONTAINER") == "1" or _is_ready_here(lock):
        return
    # exec keeps the process id: our own id in the variable means that this process was started again already.
    if os.environ.get(_RESTARTED) == str(os.getpid()):
        sys.exit(f"{VENV} was built, but {sys.executable} does not use it. Remove {VENV} and try again.")
    if not _marker_names(lock):
        _build(lock)
    os.environ[_RESTARTED] = str(os.getpid())
    os.execv(VENV_PYTHON, [str(VENV_PYTHON), str(ROOT / "manage.py"), *arguments[1:]])  # noqa: S606


def _is_ready_here(lock: Path) -> bool:
    is_inside = Path(sys.prefix).resolve() == VENV.resolve()
    if is_inside and _marker_names(lock):
        return True
    return not (is_inside and _was_cut_off()) and _is_satisfied(lock, sys.path)


def read_pins(lock_text: str) -> dict[str, tuple[set[str], bool]]:
    """Return name -> (acceptable versions, whether it may be absent: its lines all carry a marker)."""
    pins: dict[str, tuple[set[str], bool]] = {}
    for match in filter(None, map(_PIN.match, lock_text.split("\n"))):
        versions, may_be_absent = pins.get(match["name"], (set(), True))
        pins[match["name"]] = (versions | {match["version"]}, may_be_absent and bool(match["marker"]))
    return pins


def _is_satisfied(lock: Path, search_path: list[str]) -> bool:
    for name, (versions, may_be_absent) in read_pins(lock.read_text()).items():
        found = next(iter(importlib.metadata.distributions(name=name, path=search_path)), None)
        if found is None and not may_be_absent:
            return False
        if found is not None and found.version not in versions:
            return False
    return True


def _digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def _marker_names(lock: Path) -> bool:
    """Tell whether `.venv` was built completely from `lock` as it is now, and for the Python it has."""
    try:
        marker = json.loads(MARKER.read_text())
    except (OSError, ValueError):
        return False
    has_packages = (VENV / "lib" / f"python{marker['python']}" / "site-packages").is_dir()
    is_current = marker["locks"].get(lock.name) == _digest(lock)
    is_same_python = Path(sys.prefix).resolve() != VENV.resolve() or marker["python"] == _version(sys.version_info)
    return is_current and has_packages and is_same_python and VENV_PYTHON.exists()


def _version(version_info: tuple[int | str, ...]) -> str:
    return f"{version_info[0]}.{version_info[1]}"


def _was_cut_off() -> bool:
    return BUILD_LOCK.exists() and BUILD_LOCK.read_text() != ""


def _build(lock: Path) -> None:
    with _only_builder() as state:
        if _marker_names(lock):
            return  # another process built it while we waited
        was_cut_off = state.read() != ""
        version = None if was_cut_off else _venv_version()
        if version is None or not _is_satisfied(lock, [str(_site_packages(version))]):
            state.truncate(0)
            state.write("building")
            state.flush()
            MARKER.unlink(missing_ok=True)
            _install(lock, is_new=version is None)
        _write_marker()
        state.truncate(0)


@contextmanager
def _only_builder() -> Iterator[TextIO]:
    try:
        state = BUILD_LOCK.open("a+")
    except OSError as error:
        sys.exit(f"Cannot prepare {VENV}: {error.strerror}. Run this once as the owner of {ROOT}.")
    with state:
        try:
            fcntl.flock(state, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say("Another process is preparing .venv; waiting for it.")
            fcntl.flock(state, fcntl.LOCK_EX)
        state.seek(0)
        yield state


def _venv_version() -> str | None:
    """Return "3.11" and the like for a working `.venv`, None for one that must be made anew."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = _run([str(VENV_PYTHON), "-c", code])
    except OSError:
        return None
    if answer.returncode:
        return None
    version = answer.stdout.strip()
    is_new_enough = tuple(map(int, version.split("."))) >= (3, 11)
    return version if is_new_enough and _site_packages(version).is_dir() else None


def _site_packages(version: str) -> Path:
    return VENV / "lib" / f"python{version}" / "site-packages"


def _install(lock: Path, *, is_new: bool) -> None:
    started = time.monotonic()
    uv = shutil.which("uv")
    count = len(read_pins(lock.read_text()))
    _say(f"Preparing .venv with {count} packages from {lock.name}; this happens once.")
    if is_new:
        _create(with_pip=uv is None)
    if uv is None or not _install_with_uv(uv, lock):
        _install_with_pip(lock)
    _say(f"Prepared in {time.monotonic() - started:.0f} s.")


def _create(*, with_pip: bool) -> None:
    if with_pip and not importlib.util.find_spec("ensurepip"):
        package = f"python{_version(sys.version_info)}-venv"
        sys.exit(
            f"This Python cannot make environments: ensurepip is missing.\n"
            f"On Debian and Ubuntu install it with: apt install {package}\n"
            f"Or put uv on the PATH; it is used when it is there."
        )
    python = getattr(sys, "_base_executable", sys.executable)
    made = _run([python, "-m", "venv", "--clear", *([] if with_pip else ["--without-pip"]), str(VENV)])
    if made.returncode:
        sys.exit(f"Making {VENV} failed:\n{_last_lines(made)}")


def _install_with_uv(uv: str, lock: Path) -> bool:
    installed = _run([uv, "pip", "install", "--quiet", "--python", str(VENV_PYTHON), *_options(lock)])
    if installed.returncode == 0:
        return True
    _refuse_wrong_hash(installed, lock)
    _say(f"uv could not install; trying pip.\n{_last_lines(installed)}")
    return False


def _install_with_pip(lock: Path) -> None:
    pip = [str(VENV_PYTHON), "-m", "pip"]
    if _run([*pip, "--version"]).returncode:
        _run([str(VENV_PYTHON), "-m", "ensurepip"])
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    # Python compiles what it really imports; compiling all of it would take half of the time.
    quiet.append("--no-compile")
    installed = _run([*pip, "install", *quiet, *_options(lock)])
    if installed.returncode:
        _refuse_wrong_hash(installed, lock)
        sys.exit(f"Installing the packages failed; the next run starts over.\n{_last_lines(installed)}")


def _options(lock: Path) -> list[str]:
    # The lock names every package, so nothing is resolved.
    return ["--require-hashes", "--no-deps", "-r", str(lock)]


def _refuse_wrong_hash(installed: subprocess.CompletedProcess[str], lock: Path) -> None:
    if "do not match the hashes" in installed.stderr.lower() or "hash mismatch" in installed.stderr.lower():
        sys.exit(
            f"Refused: a downloaded package does not match its hash in {lock.name}. Nothing was started.\n"
            f"{_last_lines(installed)}"
        )


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    # PIP_USER would send the packages past the environment.
    environment = {name: value for name, value in os.environ.items() if name not in {"PIP_USER", "PYTHONHOME"}}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603


def _last_lines(ended: subprocess.CompletedProcess[str]) -> str:
    # pip says of every package that a configured folder lacks it, which buries the reason.
    said = (ended.stdout + ended.stderr).split("\n")
    lines = [line for line in said if line.strip() and "neither a file nor a directory" not in line]
    return "\n".join(f"  {line}" for line in lines[-8:])


def _write_marker() -> None:
    version = _venv_version()
    if version is None:
        sys.exit(f"{VENV_PYTHON} does not start. Remove {VENV} and try again.")
    packages = [str(_site_packages(version))]
    locks = {lock.name: _digest(lock) for lock in (RUNTIME_LOCK, DEVELOPER_LOCK) if _is_satisfied(lock, packages)}
    unfinished = MARKER.with_suffix(".new")
    unfinished.write_text(json.dumps({"python": version, "locks": locks}))
    unfinished.replace(MARKER)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
