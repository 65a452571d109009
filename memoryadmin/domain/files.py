"""What kinds of memory file there are: one table, read from the top, and `kind_of`, which asks it.

Called by services when a file is made, imported or renamed, by limits and context for a kind's budget, and by
the interfaces for its name (a label for people is theirs to give). Knows paths inside a scope, never their
text.

A name decides the kind; the scope decides only where the same name means different things. Exact names
count at the root of a scope alone: `archive/SOUL.md` is nobody's soul.
"""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from memoryadmin.domain.scopes import ScopeType


class Load(StrEnum):
    """When a kind reaches an agent's context."""

    INJECT = "inject"
    BY_STRATEGY = "by_strategy"
    ON_DEMAND = "on_demand"
    OPTIONAL = "optional"
    WINDOW = "window"  # today's and yesterday's only
    NEVER = "never"


class CutEnd(StrEnum):
    """Which end of a text that is too long is dropped."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class FileKind:
    """The rules for a name: what it is called, how long it should be, when and how it is sent.

    `names` are patterns over the path inside a scope: `*` stays inside one segment, `**/` is any number of
    folders, `{date}` is YYYY-MM-DD, `{year}` and `{month}` are digits. An empty `tag` means the kind has no
    section of its own. A limit of None is no limit; limits warn and cut, they never refuse. `not_in` are the
    scope types in which the names mean something else.
    """

    name: str
    names: tuple[str, ...]
    tag: str = ""
    soft_limit_chars: int | None = None
    limit_lines: int | None = None
    limit_bytes: int | None = None
    load: Load = Load.ON_DEMAND
    cut_end: CutEnd = CutEnd.END
    is_append_only: bool = False
    not_in: frozenset[ScopeType] = frozenset()


_TABLE = (
    FileKind("soul", ("SOUL.md",), "agent_identity", 2_000, load=Load.INJECT),
    FileKind("about", ("ABOUT.md", "IDENTITY.md"), "agent_profile", 2_000, load=Load.INJECT),
    # In a project these are a code repository's rules for whatever tool opens it, not an agent's
    # instructions.
    FileKind(
        "agents",
        ("AGENTS.md", "CLAUDE.md"),
        "instructions",
        2_000,
        load=Load.INJECT,
        not_in=frozenset({ScopeType.PROJECT}),
    ),
    FileKind("tools", ("TOOLS.md",), "tool_notes", 2_000, load=Load.INJECT),
    FileKind(
        "user",
        ("USER.md", "memory/USER.md", "memories/USER.md"),
        "user_profile",
        2_000,
        load=Load.BY_STRATEGY,
    ),
    FileKind(
        "memory",
        ("MEMORY.md", "memory/MEMORY.md", "memories/MEMORY.md", ".*/memory/MEMORY.md"),
        "memory",
        5_000,
        limit_lines=200,
        limit_bytes=25_000,
        load=Load.BY_STRATEGY,
    ),
    FileKind("handoff", ("HANDOFF.md",), "handoff", 2_000, load=Load.OPTIONAL),
    # Before the logs and topics: what a tool keeps among them is no memory.
    FileKind(
        "machine_state",
        (
            "**/.dreams/**",
            "**/.openclaw/**",
            "**/DREAMS.md",
            "**/DREAMS-*.md",
            "**/memory/dream-diary/**",
            "**/memory/dreaming/**",
            "**/*state.json",
        ),
        load=Load.NEVER,
    ),
    FileKind("hook", ("hooks/*/**",), soft_limit_chars=20_000, load=Load.NEVER),
    FileKind(
        "rules",
        (
            "**/AGENTS.md",
            "**/CLAUDE.md",
            "**/CLAUDE.local.md",
            "**/AGENT.md",
            "**/GEMINI.md",
            "**/.cursorrules",
            "**/.windsurfrules",
            "**/.clinerules",
            "**/.clinerules/**",
            "**/.cursor/rules/**",
            "**/.windsurf/rules/**",
            "**/.claude/rules/**",
            "**/.agent/rules/**",
            "**/.github/copilot-instructions.md",
            "**/*.mdc",
        ),
        soft_limit_chars=20_000,
    ),
    FileKind(
        "daily_log",
        (
            "**/memory/{date}*.md",
            "**/daily/{date}*.md",
            "**/daily-logs/{date}*.md",
            "**/01-Daily/**/{date}*.md",
            "**/logs/{year}/{month}/**",
        ),
        "recent_log",
        load=Load.WINDOW,
        cut_end=CutEnd.START,
        is_append_only=True,
    ),
    FileKind(
        "topic",
        (
            "**/memory/**/*.md",
            "**/memories/**/*.md",
            "**/memory-bank/**/*.md",
            "**/MEMORY_BANK/**/*.md",
            "**/memory.jsonl",
        ),
        soft_limit_chars=20_000,
    ),
    FileKind(
        "episode_log",
        ("**/*-log.md",),
        "project_log",
        load=Load.OPTIONAL,
        cut_end=CutEnd.START,
        is_append_only=True,
    ),
    FileKind("transcript", ("**/*.jsonl", "**/.specstory/history/**"), load=Load.NEVER),
    FileKind("other", ("**",), soft_limit_chars=20_000),
)

# In the order in which `kind_of` asks: the first row whose names fit is the kind.
FILE_KINDS: dict[str, FileKind] = {kind.name: kind for kind in _TABLE}

_PLACEHOLDERS = {
    "**/": "(?:[^/]+/)*",
    "**": ".*",
    "*": "[^/]*",
    "{date}": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "{year}": "[0-9]{4}",
    "{month}": "[0-9]{2}",
}
_PATTERN_PART = re.compile(r"\*\*/|\*\*|\*|\{\w+\}")

_DATE = re.compile(r"(?<![0-9])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])")
_DATE_FOLDERS = re.compile(r"(?:^|/)([0-9]{4})/([0-9]{2})/(?:[0-9]{4}-[0-9]{2}-)?([0-9]{2})(?![0-9])[^/]*$")


def _expression(name: str) -> str:
    literals = [re.escape(part) for part in _PATTERN_PART.split(name)]
    placeholders = [_PLACEHOLDERS[part] for part in _PATTERN_PART.findall(name)]
    return "".join(a + b for a, b in zip(literals, [*placeholders, ""], strict=True))


_MATCHERS = tuple((kind, re.compile("|".join(map(_expression, kind.names)), re.DOTALL)) for kind in _TABLE)


def kind_of(path: str, scope_type: ScopeType) -> FileKind:
    """Return the kind of the file at `path` inside a scope of `scope_type`: the first row that fits.

    >>> kind_of("memory/2026-07-25-release.md", ScopeType.AGENT).name
    'daily_log'
    """
    return next(kind for kind, names in _MATCHERS if scope_type not in kind.not_in and names.fullmatch(path))


def kind_named(name: str) -> FileKind:
    """Return the kind called `name`, or the kind `other` when the table has no such row (any more)."""
    return FILE_KINDS.get(name, FILE_KINDS["other"])


def dates_in_name(path: str) -> tuple[date, ...]:
    """Return every calendar date in the last segment of `path`, in order.

    A name without one takes the day of its folders: `logs/2026/07/25.md`. More than one is worth telling a
    person: the first need not be the day the file is about.

    >>> [day.isoformat() for day in dates_in_name("backup/memory/2026-02-26-2026-03-01.md")]
    ['2026-02-26', '2026-03-01']
    """
    found = tuple(_dates(_DATE.findall(path.rpartition("/")[2])))
    return found or tuple(_dates(_DATE_FOLDERS.findall(path)))


def date_in_name(path: str) -> date | None:
    """Return the day that `path` is named after, the first when there are two, or None."""
    return next(iter(dates_in_name(path)), None)


def _dates(parts: list[tuple[str, str, str]]) -> list[date]:
    found = []
    for year, month, day in parts:
        try:
            found.append(date(int(year), int(month), int(day)))
        except ValueError:  # 2026-02-30 is part of a name, not a day
            continue
    return found
