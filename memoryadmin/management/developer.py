"""The commands of those who change memoryadmin: test, lint, format, messages, lock.

Called by manage.py inside the environment of requirements-dev.lock; Makefile and .ci/run call the same ones.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from memoryadmin.management.bootstrap import DEVELOPER_LOCK, ROOT, RUNTIME_LOCK

_SOURCES = ["memoryadmin", "tests", "benchmarks", "manage.py"]


def run_tests(arguments: list[str]) -> int:
    """Run pytest on both halves of the machine; `arguments` go to pytest and win over ours."""
    return _run("pytest", "-n", "auto", "--dist", "worksteal", *arguments)


def lint(arguments: list[str]) -> int:
    """Run every check that needs no running program; all of them, so that one round shows everything."""
    steps = [
        ("ruff", "format", "--check", *_SOURCES),
        ("ruff", "check", *_SOURCES),
        ("mypy",),
        ("lint-imports",),
        ("djhtml", "--check", "--tabwidth", "2", "templates"),
        ("djlint", "--lint", "--quiet", "templates"),
        ("python", "manage.py", "makemigrations", "--check", "--dry-run"),
    ]
    failed = [" ".join(step[:2]) for step in steps if _run(*step)]
    print(f"Failed: {', '.join(failed)}" if failed else "Every check passed.", flush=True)
    return 1 if failed else 0


def format_sources(arguments: list[str]) -> int:
    """Put sources and templates into the form that `lint` asks for."""
    steps = [
        ("ruff", "check", "--fix", "--select", "I", *_SOURCES),
        ("ruff", "format", *_SOURCES),
        ("djhtml", "--tabwidth", "2", "templates"),
    ]
    return max(_run(*step) for step in steps)


def messages(arguments: list[str]) -> int:
    """Bring the catalogs of translated messages up to the sources and compile them."""
    return _run("python", "-m", "memoryadmin.management.messages")


def lock(arguments: list[str]) -> int:
    """Write both lock files anew from pyproject.toml: hashed, for every platform, without addresses."""
    options = [
        "--universal",
        "--generate-hashes",
        "--no-header",
        "--no-emit-index-url",
        "--no-annotate",
        "-p",
        "3.11",
    ]
    compile_lock = ["uv", "pip", "compile", "pyproject.toml", *options, *arguments]
    runtime, developer = RUNTIME_LOCK.name, DEVELOPER_LOCK.name
    return _run(*compile_lock, "-o", runtime) or _run(*compile_lock, "--extra", "dev", "-c", runtime, "-o", developer)


def _run(program: str, *arguments: str) -> int:
    """Run a program of this environment in the project folder and return its exit code."""
    print(f"$ {program} {' '.join(arguments)}"[:160], flush=True)
    beside = Path(sys.executable).with_name(program)
    command = [str(beside) if beside.exists() else program, *arguments]
    try:
        return subprocess.run(command, cwd=ROOT, check=False, env=_environment()).returncode  # noqa: S603
    except FileNotFoundError:
        print(f"{program} is not installed; it is in {DEVELOPER_LOCK.name}.", file=sys.stderr)
        return 127


def _environment() -> dict[str, str]:
    # Tools that start others must find them in this environment too; pyproject.toml says which settings they use.
    kept = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}


COMMANDS: Mapping[str, Callable[[list[str]], int]] = {
    "test": run_tests,
    "lint": lint,
    "format": format_sources,
    "messages": messages,
    "lock": lock,
}
