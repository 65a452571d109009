"""Whose folder a file lies in, read from the names alone: the root agent's, another agent's, or a repository's.

Known forms: `agents/<x>/…` (also `_agents`, `03-Agents`, scoped `agents/@team/<x>` and archives),
`workspace-<x>/…`, a folder that holds an agent's own files (`grey/HEARTBEAT.md`, `x/x.af`), and the whole
folder as one workspace.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memoryadmin.domain.imports.slugs import slug_for
from memoryadmin.domain.imports.values import ImportTarget, SourceFile

# Files that only an agent has; a folder at the root that holds one is a role's.
_AGENT_FILES = frozenset({"SOUL.md", "IDENTITY.md", "HEARTBEAT.md", "heartbeat.md", "BOOTSTRAP.md"})
# Files at the root that make the whole folder one agent's workspace.
_WORKSPACE_FILES = _AGENT_FILES | {"ABOUT.md", "TOOLS.md", "USER.md", "MEMORY.md", "DREAMS.md"}
_WORKSPACE_FOLDERS = frozenset({"memory", "memories", "daily-logs", "01-Daily", ".openclaw"})
# What shows a code repository, where AGENTS.md speaks to every tool.
_REPOSITORY_NAMES = frozenset({
    "CLAUDE.md", "GEMINI.md", "HANDOFF.md", "memory-bank", "MEMORY_BANK", "src", ".github", ".claude", ".cursor",
    ".cursorrules", ".clinerules", ".windsurf", ".windsurfrules",
})  # fmt: skip

_AGENTS_FOLDER = re.compile(r"[_.0-9-]*agents", re.IGNORECASE)
_WORKSPACE_FOLDER = re.compile(r"workspace-(.+)", re.DOTALL)
# Folders that would mean something else, or nothing, without their name.
_TELLING = _WORKSPACE_FOLDERS | _REPOSITORY_NAMES | {"workspace", "@versions", ".agent", ".gemini", ".specstory"}
_ARCHIVES = frozenset({"_archive", "archive", ".archive", "archived", "_archived"})
_NOBODYS = frozenset({"shared", "_shared", "common", "_common", "all", "templates", "_templates"})
# Folders that may hold copies of an agent's files without being an agent: a person is asked about the first
# kind.
_ASKED = frozenset({"identity", "persona", "profile", "soul", "core", "config"})
_NEVER = frozenset({
    "memory", "memories", "docs", "src", "backup", "backups", "archive", "template", "templates", "example",
    "examples", "test", "tests",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Home:
    """The folder a file belongs to: `folder` (with its slash, or empty for the root) and the agent, if it is one's.

    `agent` is an id, empty when the folder is an agent's that has not been named; None when it is no agent's.
    """

    folder: str
    agent: str | None
    name: str = ""
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """What the names of a folder say about its agents."""

    root: Home
    roles: Mapping[str, Home]
    asked: frozenset[str]

    def home_of(self, path: str) -> Home:
        """Return whose folder `path` lies in."""
        segments = path.split("/")
        workspace = _WORKSPACE_FOLDER.fullmatch(segments[0])
        if workspace is not None and len(segments) > 1:
            return Home(f"{segments[0]}/", slug_for(workspace[1]), workspace[1])
        if _AGENTS_FOLDER.fullmatch(segments[0]):
            return _agent_below(segments) or self.root
        if len(segments) > 1 and segments[0] in self.roles:
            return self.roles[segments[0]]
        if path.startswith(self.root.folder):
            return self.root
        return Home("", None)

    def asked_folder(self, path: str) -> str:
        """Return the folder of `path` that may be another agent's, or nothing."""
        folder = path.partition("/")[0]
        return folder if folder in self.asked else ""


def wrapper_of(paths: Iterable[str]) -> str:
    """Return the one folder, with its slash, that was packed around all `paths`; empty when there is none.

    A folder whose name says whose its files are is theirs: `memory`, `agents`, `workspace-forge`, `.claude`.

    >>> wrapper_of(["pilot-main/SOUL.md", "pilot-main/memory/tea.md"]), wrapper_of(["memory/tea.md"])
    ('pilot-main/', '')
    """
    paths = list(paths)
    folder, slash, _ = paths[0].partition("/") if paths else ("", "", "")
    is_telling = folder in _TELLING or any(form.fullmatch(folder) for form in (_AGENTS_FOLDER, _WORKSPACE_FOLDER))
    if not slash or is_telling or not all(path.startswith(f"{folder}/") for path in paths):
        return ""
    return f"{folder}/"


def layout(files: Mapping[str, SourceFile], target: ImportTarget) -> Layout:
    """Return what the paths of `files` say; the target names the root agent."""
    root = _root(files, target)
    roles: dict[str, Home] = {}
    asked: set[str] = set()
    for path, file in files.items():
        folder, _, name = path.partition("/")
        if not _makes_a_role(folder, name) or f"{folder}/" == root.folder:
            continue
        twin = files.get(name)
        if folder.casefold() in _ASKED or (twin is not None and twin.sha256 == file.sha256):
            asked.add(folder)
        else:
            roles[folder] = Home(f"{folder}/", slug_for(folder), folder)
    return Layout(root, {folder: home for folder, home in roles.items() if folder not in asked}, frozenset(asked))


def _makes_a_role(folder: str, name: str) -> bool:
    if folder.startswith(".") or folder.casefold() in _NEVER:
        return False
    return name in _AGENT_FILES or (name.endswith(".af") and "/" not in name)


def _root(files: Mapping[str, SourceFile], target: ImportTarget) -> Home:
    if _is_workspace(files):
        return Home("", target.agent or "")
    if _is_workspace(path.removeprefix("workspace/") for path in files if path.startswith("workspace/")):
        return Home("workspace/", target.agent or "")
    names = {path.partition("/")[0] for path in files}
    if target.agent and "AGENTS.md" in files and not names & _REPOSITORY_NAMES:
        return Home("", target.agent)
    return Home("", None)


def _is_workspace(paths: Iterable[str]) -> bool:
    return any(
        path in _WORKSPACE_FILES or ("/" in path and path.partition("/")[0] in _WORKSPACE_FOLDERS) for path in paths
    )


def _agent_below(segments: list[str]) -> Home | None:
    """Return the agent whose folder lies under `agents/`, or None when the path stops before one."""
    depth, is_archived = 1, False
    while depth < len(segments) and (segments[depth].startswith("@") or segments[depth].casefold() in _ARCHIVES):
        is_archived = is_archived or not segments[depth].startswith("@")
        depth += 1
    if depth >= len(segments) - 1 or segments[depth].casefold() in _NOBODYS:
        return None
    name = segments[depth]
    return Home("/".join(segments[: depth + 1]) + "/", slug_for(name), name, is_archived)
