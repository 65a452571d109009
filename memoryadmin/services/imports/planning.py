"""What an import would do: the domain's proposal held against the ledger and the permission table. Writes nothing.

An older or unrelated text never replaces a newer one unasked: what history already holds is `OLDER`, what was changed
here since the last import is a `CONFLICT`. Source: case IE-02.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.imports import ImportTarget, NewAgent, Note, Placement, Proposal, RefusalCode, propose
from memoryadmin.domain.imports.standing import Standing, standing
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import Scope, ScopeType, prefix
from memoryadmin.models import Agent, MemoryFile, ScopeRow, Version, VersionText
from memoryadmin.services import scopes
from memoryadmin.services.imports.workspace import MAX_FILE_BYTES, Workspace


class Outcome(StrEnum):
    """What becomes of one source."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    OLDER = "older"  # history holds this text; the present one is newer
    CONFLICT = "conflict"  # changed here since the last import, and there too
    DELETED = "deleted"  # deleted here; importing it would bring it back
    REFUSED = "refused"


# What is written without being asked for, and what only with `overwrite`.
WRITTEN = frozenset({Outcome.NEW, Outcome.CHANGED})
WRITTEN_WHEN_ASKED = frozenset({Outcome.OLDER, Outcome.CONFLICT, Outcome.DELETED})


@dataclass(frozen=True, slots=True)
class Step:
    """One version to write: the digest of its bytes, and its day where the chain knows it."""

    sha256: str
    day: date | None


@dataclass(frozen=True, slots=True)
class Planned:
    """One source with its outcome: the versions to write, oldest first, on top of `base_seq` (0: a new file)."""

    placement: Placement
    outcome: Outcome
    refused: Note | None = None
    steps: tuple[Step, ...] = ()
    file_id: int | None = None
    base_seq: int = 0
    secrets: int = 0
    is_opaque: bool = False
    encoding: str = ""  # the one that an opaque file seems to be written in, where that could be told
    is_over_limit: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import would do, file by file in the order of their paths, and the agents it would create.

    Two plans with one `stamp` would do the same to the same versions.
    """

    target: ImportTarget
    files: tuple[Planned, ...]
    new_agents: tuple[NewAgent, ...]

    def count(self, *outcomes: Outcome) -> int:
        """Return how many files have one of these outcomes."""
        return sum(1 for one in self.files if one.outcome in outcomes)

    @property
    def stamp(self) -> str:
        """Return a digest of what the plan decided, and on top of which versions."""
        decided = [(one.placement.source_path, one.outcome.value, one.file_id, one.base_seq) for one in self.files]
        return hashlib.sha256(repr((decided, self.new_agents)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Present:
    """A file of the ledger: its head's digest (empty for a deletion) and how the head came to be.

    `known` are the digests of its versions, oldest first; empty when nobody has to look at history.
    """

    file_id: int
    seq: int
    sha256: str
    operation: str
    known: Sequence[str]


_Places = Mapping[tuple[str, str], _Present]
_Closed = Mapping[Scope, Note]


def plan(*, actor: Actor, workspace: Workspace, target: ImportTarget) -> Plan:
    """Return what importing `workspace` would do for `actor`; nothing is left out and nothing is written.

    Costs two queries for each scope that files go to, and a constant number beside them.

    :raises NotVisibleError: the project, or the person named, does not exist, or `actor` may not know of it.
    :raises ScopeIncompleteError: the target names something that is no id.
    """
    project = Scope(ScopeType.PROJECT, project=target.project)
    permissions.require(Action.LIST, actor, project)
    scopes.card_of(actor=actor, scope=project)
    proposal = propose(workspace.files, target)
    new_agents = _new_agents(proposal, target.project)
    wanted = {one.scope for one in proposal.taken if one.scope}
    closed = _closed(actor, wanted, new_agents)
    present = _present(proposal.taken)
    planned = tuple(_planned(workspace, one, present, closed) for one in proposal.placements)
    needed = {one.placement.scope.agent for one in planned if one.placement.scope and one.refused is None}
    return Plan(target, planned, tuple(agent for agent in new_agents if agent.slug in needed))


def _new_agents(proposal: Proposal, project_id: str) -> tuple[NewAgent, ...]:
    known = set(Agent.objects.filter(project=project_id).values_list("slug", flat=True))
    return tuple(agent for agent in proposal.agents if agent.slug not in known)


def _closed(actor: Actor, wanted: Collection[Scope], new_agents: Iterable[NewAgent]) -> _Closed:
    """Return the scopes in which `actor` cannot write now, each with why."""
    new = {agent.slug for agent in new_agents}
    rows = ScopeRow.objects.filter(prefix__in=[prefix(scope) for scope in wanted])
    # A session that is there belongs to whoever talked in it, not to whoever imports one of the same name.
    kept = {row.prefix: row.scope for row in rows}
    found = {}
    for scope in wanted:
        may_begin = scope.agent not in new or permissions.allows(
            Action.MANAGE, actor, Scope(ScopeType.PROJECT, project=scope.project)
        )
        if not may_begin or not permissions.allows(Action.ADD, actor, kept.get(prefix(scope), scope)):
            found[scope] = Note(RefusalCode.NOT_ALLOWED)
            continue
        try:
            scopes.require_writable(scope)
        except scopes.ArchivedError:
            found[scope] = Note(RefusalCode.ARCHIVED)
    return found


def _present(taken: Iterable[Placement]) -> _Places:
    """Return (prefix, path) -> the file there, a live one before a deleted one, a later deletion before an earlier."""
    wanted = {(prefix(one.scope), one.path): one.source.sha256 for one in taken if one.scope}
    rows = MemoryFile.objects.filter(scope__prefix__in={place for place, _ in wanted}, head__isnull=False)
    rows = rows.select_related("scope", "head__text__blob").defer("head__text__blob__content")
    there: dict[tuple[str, str], MemoryFile] = {}
    for row in sorted(rows, key=lambda row: (row.deleted_at is None, row.deleted_at or row.created_at)):
        if (row.scope.prefix, row.path) in wanted:
            there[row.scope.prefix, row.path] = row
    # The common case of a second import needs no look at history.
    known = _known([row.pk for place, row in there.items() if _digest(row) != wanted[place]])
    return {
        place: _Present(row.pk, row.seq, _digest(row), row.head.operation if row.head else "", known.get(row.pk, ()))
        for place, row in there.items()
    }


def _digest(row: MemoryFile) -> str:
    """Return the digest of a file's head; empty for a deletion."""
    return row.head.text.blob.sha256 if row.head and row.head.text.blob else ""


def _known(file_ids: list[int]) -> dict[int, list[str]]:
    """Return the digests of the files' versions, oldest first; deletions and redacted ones have none."""
    rows = VersionText.objects.filter(version__file__in=file_ids, blob__isnull=False).order_by("version__seq")
    found: dict[int, list[str]] = {}
    for file_id, digest in rows.values_list("version__file", "blob__sha256"):
        found.setdefault(file_id, []).append(digest or "")
    return found


def _planned(workspace: Workspace, placement: Placement, present: _Places, closed: _Closed) -> Planned:
    refused = placement.refused or _refusal(placement, closed)
    if refused is not None or placement.scope is None or placement.kind is None:
        return Planned(placement, Outcome.REFUSED, refused=refused)
    here = present.get((prefix(placement.scope), placement.path))
    outcome, steps = _outcome(placement, here)
    traits = workspace.traits(placement.source.sha256)
    limit = placement.kind.soft_limit_chars
    return Planned(
        placement, outcome, steps=steps, file_id=here.file_id if here else None, base_seq=here.seq if here else 0,
        secrets=traits.secrets, is_opaque=traits.chars is None, encoding=traits.encoding,
        is_over_limit=bool(limit and traits.chars is not None and traits.chars > limit),
    )  # fmt: skip


def _refusal(placement: Placement, closed: _Closed) -> Note | None:
    if placement.source.size_bytes > MAX_FILE_BYTES:
        return Note(RefusalCode.TOO_LARGE, (("limit", str(MAX_FILE_BYTES)),))
    return closed.get(placement.scope) if placement.scope else None


def _outcome(placement: Placement, here: _Present | None) -> tuple[Outcome, tuple[Step, ...]]:
    steps = _steps(placement)
    if here is None:
        return Outcome.NEW, steps
    if here.sha256 == "":
        return Outcome.DELETED, steps[-1:]
    digests = [step.sha256 for step in steps]
    if here.sha256 == digests[-1]:
        return Outcome.SAME, ()
    match standing(here.known, digests):
        case Standing.NEWER:
            return Outcome.CHANGED, steps[digests.index(here.sha256) + 1 :]
        case Standing.OLDER:
            return Outcome.OLDER, steps[-1:]
    # Nobody has touched our copy since it came from there, so the new text is simply the next one.
    is_untouched = here.operation == Version.Operation.IMPORTED
    return (Outcome.CHANGED if is_untouched else Outcome.CONFLICT), steps[-1:]


def _steps(placement: Placement) -> tuple[Step, ...]:
    chain = [Step(one.source.sha256, one.day) for one in placement.versions]
    chain.append(Step(placement.source.sha256, None))
    # Neighbours with equal bytes are one version: the earlier, whose day is known.
    return tuple(step for index, step in enumerate(chain) if index == 0 or chain[index - 1].sha256 != step.sha256)
