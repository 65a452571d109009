"""Measure how long an empty clone takes to serve its first page, and how long the next start takes.

    python3 benchmarks/install.py

Copies the committed files into an empty folder, and starts `manage.py up` there with an interpreter that sees no
installed package, with pip and without its cache. Prints the rows of docs/install.md. Standard library only.
"""

import os
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STARTS = 5
PATIENCE_SECONDS = 180


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        copy_project(clone)
        first = seconds_to_page(clone)
        again = sorted(seconds_to_page(clone) for _ in range(STARTS))
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        copy_project(clone)
        tools = seconds_to_first_test(clone)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| what | seconds |\n| --- | --- |")
    print(f"| `manage.py up`, from nothing to the first page, demo included | {first:.1f} |")
    median = statistics.median(again)
    print(f"| `manage.py up` again, median of {STARTS} ({again[0]:.1f} to {again[-1]:.1f}) | {median:.1f} |")
    print(f"| `manage.py test`, from nothing to the end of one small test file | {tools:.1f} |")


def copy_project(clone: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, clone / name)


def start(clone: Path, port: int, *arguments: str) -> subprocess.Popen[bytes]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MEMORYADMIN_", "DJANGO_"))}
    own = {"MEMORYADMIN_PORT": str(port), "PATH": "/usr/bin:/bin", "PIP_NO_CACHE_DIR": "1"}
    python = getattr(sys, "_base_executable", sys.executable)
    return subprocess.Popen(
        [python, "-S", "-E", "manage.py", *arguments], cwd=clone, env={**kept, **own}, stdout=subprocess.DEVNULL
    )


def seconds_to_page(clone: Path) -> float:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = time.perf_counter()
    process = start(clone, port, "up")
    try:
        while not answers(port):
            if process.poll() is not None or time.perf_counter() - started > PATIENCE_SECONDS:
                sys.exit("the page did not answer")
            time.sleep(0.02)
        return time.perf_counter() - started
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
            return page.status == 200
    except (urllib.error.URLError, OSError):
        return False


def seconds_to_first_test(clone: Path) -> float:
    started = time.perf_counter()
    if start(clone, 0, "test", "tests/domain/test_scopes.py", "-n", "0").wait():
        sys.exit("the test file failed")
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
