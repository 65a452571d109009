"""Gives each file its scope and its path there, or refuses it."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from memoryadmin.domain.files import FileKind, kind_of
from memoryadmin.domain.imports.layout import Home, Layout, layout
from memoryadmin.domain.imports.remarks import remarked
from memoryadmin.domain.imports.sessions import sessions
from memoryadmin.domain.imports.values import (
    ImportTarget,
    NewAgent,
    Note,
    NoteCode,
    Placement,
    Proposal,
    RefusalCode,
    SourceFile,
    note,
)
from memoryadmin.domain.imports.versions import chains
from memoryadmin.domain.paths import normalise_import_path, refusal
from memoryadmin.domain.scopes import Scope, ScopeType

# What belongs to the project's repository whoever else lives in the folder.
_PROJECTS = re.compile(
    r"(?:memory-bank|MEMORY_BANK|\.claude|\.cursor|\.clinerules|\.windsurf|\.agent|\.gemini|\.github)(?:/.*)?"
    r"|(?:CLAUDE|CLAUDE\.local|GEMINI|HANDOFF)\.md|\.cursorrules|\.windsurfrules|.*\.mdc",
    re.DOTALL,
)
_PERSONAL_KINDS = frozenset({"user", "memory", "topic", "daily_log"})
_PERSONAL_FOLDERS = re.compile(r"(?:memory|memories|daily-logs|01-Daily)/.*", re.DOTALL)
_NOTE_CODES = {"double_slash": NoteCode.DOUBLE_SLASH, "composed": NoteCode.COMPOSED}


@dataclass(frozen=True, slots=True)
class _Item:
    """A source under the path it stands for, which is another than its own when only its history was found."""

    source: SourceFile
    path: str
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Folder:
    """What placing one file needs to know of the others."""

    target: ImportTarget
    layout: Layout
    paths: frozenset[str]
    sessions: Mapping[str, tuple[str, str]]


def propose(sources: Iterable[SourceFile], target: ImportTarget) -> Proposal:
    """Return where each of `sources` belongs, in the order of their paths; nothing is left out silently.

    :raises ScopeIncompleteError: the target's project, agent or person is not an id.
    """
    _require_ids(target)
    found = chains(sorted(sources, key=lambda source: source.path))
    versions = {normalise_import_path(path)[0]: chain for path, chain in found.versions.items()}
    items = [_item(source, source.path) for source in found.files]
    present = {item.path for item in items}
    items += [
        replace(item, notes=(*item.notes, note(NoteCode.HISTORY_ONLY)))
        for item in (_item(chain[-1].source, path) for path, chain in versions.items() if path not in present)
    ]
    folder = _folder(items, target)
    placements = [_place(item, folder) for item in items]
    placements = [
        replace(placement, versions=tuple(one for one in versions.get(item.path, ()) if one.source != item.source))
        for item, placement in zip(items, placements, strict=True)
    ]
    placements += [_refused(_item(one, one.path), note(RefusalCode.VERSION_UNORDERED)) for one in found.unordered]
    ordered = tuple(sorted(remarked(placements), key=lambda placement: placement.source.path))
    return Proposal(ordered, _agents(ordered, folder))


def _require_ids(target: ImportTarget) -> None:
    Scope(ScopeType.PROJECT, project=target.project)
    if target.agent is not None:
        Scope(ScopeType.AGENT, project=target.project, agent=target.agent)
    if target.person is not None:
        Scope(ScopeType.USER, project=target.project, person=target.person)


def _item(source: SourceFile, path: str) -> _Item:
    normalised, codes = normalise_import_path(path)
    return _Item(source, normalised, tuple(note(_NOTE_CODES[code]) for code in codes))


def _folder(items: Iterable[_Item], target: ImportTarget) -> _Folder:
    files = {item.path: item.source for item in items if not item.source.is_symlink and not refusal(item.path)}
    plan = layout(files, target)
    transcripts = [path for path in files if _is_transcript(path.removeprefix(plan.home_of(path).folder))]
    return _Folder(target, plan, frozenset(files), sessions(transcripts))


def _is_transcript(inner: str) -> bool:
    is_memory = _PERSONAL_FOLDERS.fullmatch(inner) is not None
    return not is_memory and kind_of(inner, ScopeType.SESSION).name == "transcript"


def _place(item: _Item, folder: _Folder) -> Placement:
    if item.source.is_symlink:
        return _refused(item, _link_refusal(item, folder.paths))
    reason = refusal(item.path)
    if reason is not None:
        return _refused(item, note(RefusalCode.UNSAFE_NAME, reason=reason))
    home = folder.layout.home_of(item.path)
    inner = item.path.removeprefix(home.folder)
    kind = kind_of(inner, ScopeType.AGENT)
    if item.path in folder.sessions:
        return _in_session(item, folder)
    is_repositorys = home == folder.layout.root and _PROJECTS.fullmatch(inner) is not None
    if home.agent is None or is_repositorys:
        return _placed(item, Scope(ScopeType.PROJECT, project=folder.target.project), inner)
    if home.agent == "":
        return _without_agent(item, inner, kind, folder.target)
    return _in_agent(item, inner, kind, home, folder)


def _in_session(item: _Item, folder: _Folder) -> Placement:
    session, inner = folder.sessions[item.path]
    person = folder.target.person or ""
    scope = Scope(ScopeType.SESSION, project=folder.target.project, session=session, session_person=person)
    return _placed(item, scope, inner, *(() if person else (note(NoteCode.NO_SESSION_PERSON),)))


def _without_agent(item: _Item, inner: str, kind: FileKind, target: ImportTarget) -> Placement:
    """Place what a person's file can do without an agent; anything else of an unnamed agent is refused."""
    if kind.name == "user" and target.person:
        return _placed(item, Scope(ScopeType.USER, project=target.project, person=target.person), inner)
    return _refused(item, note(RefusalCode.AGENT_NEEDED, option="--agent"))


def _in_agent(item: _Item, inner: str, kind: FileKind, home: Home, folder: _Folder) -> Placement:
    project, agent, person = folder.target.project, home.agent or "", folder.target.person
    notes = []
    if home.is_archived:
        notes.append(note(NoteCode.ARCHIVED_AGENT, folder=home.folder))
    if home == folder.layout.root and (asked := folder.layout.asked_folder(inner)):
        notes.append(note(NoteCode.MAYBE_AGENT, folder=asked))
    if _is_personal(inner, kind):
        if person:
            return _placed(item, Scope(ScopeType.AGENT_USER, project, agent, person), inner, *notes)
        if kind.name in {"user", "memory"}:
            notes.append(note(NoteCode.NO_PERSON))
    return _placed(item, Scope(ScopeType.AGENT, project, agent), inner, *notes)


def _is_personal(inner: str, kind: FileKind) -> bool:
    if kind.name == "machine_state" or _PROJECTS.fullmatch(inner):
        return False
    return kind.name in _PERSONAL_KINDS or _PERSONAL_FOLDERS.fullmatch(inner) is not None


def _placed(item: _Item, scope: Scope, path: str, *notes: Note) -> Placement:
    return Placement(item.source, scope, path, kind_of(path, scope.type), (*item.notes, *notes))


def _refused(item: _Item, reason: Note) -> Placement:
    return Placement(item.source, None, item.path, None, item.notes, reason)


def _link_refusal(item: _Item, paths: frozenset[str]) -> Note:
    """Return why a link is not taken; where one leads outside is not told, it may be a place on somebody's disk."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(item.path), item.source.link_target))
    target = normalise_import_path(target)[0]
    if target in paths:
        return note(RefusalCode.SYMLINK_ALIAS, target=target)
    return note(RefusalCode.SYMLINK_OUTSIDE)


def _agents(placements: Iterable[Placement], folder: _Folder) -> tuple[NewAgent, ...]:
    """Return the agents that the placements name, by id."""
    homes = {
        home.agent: home
        for home in (folder.layout.home_of(path) for path in sorted(folder.paths, reverse=True))
        if home.agent
    }
    named = {placement.scope.agent for placement in placements if placement.scope and placement.scope.agent}
    return tuple(NewAgent(agent, homes[agent].name, homes[agent].folder) for agent in sorted(named))
