"""What is known of one uploaded import: whose it is, where to, its files, and once it was done what became of them.

Kept as a JSON object beside the bytes. Called by `staging` alone, which decides who may see it.
"""

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from memoryadmin.domain.imports import ImportTarget, Note, NoteCode, RefusalCode, SourceFile
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services.imports.applying import Imported
from memoryadmin.services.imports.planning import Outcome
from memoryadmin.services.imports.workspace import Traits


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one source: the file it went into and how many versions that got, or why it was not written."""

    source_path: str
    scope: Scope | None
    path: str
    outcome: Outcome
    is_written: bool
    file_id: int | None
    versions: int
    refused: Note | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished import, source by source; all its audit records share `cause`."""

    cause: str
    at: datetime
    files: tuple[Done, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One uploaded archive, unpacked. `taken_at` is when its import began; with a `result` the bytes are gone."""

    token: str
    actor_id: str
    target: ImportTarget
    name: str
    made_at: datetime
    files: tuple[SourceFile, ...]
    traits: dict[str, Traits] = field(default_factory=dict)
    has_guessed_names: bool = False
    taken_at: datetime | None = None
    result: Result | None = None


def done_of(imported: Imported) -> Done:
    """Return what is remembered of one imported source: its text stays in the ledger."""
    planned = imported.planned
    placement = planned.placement
    return Done(
        source_path=placement.source_path, scope=placement.scope, path=placement.path, outcome=planned.outcome,
        is_written=imported.is_written, file_id=imported.file_id,
        versions=len(planned.steps) if imported.is_written else 0, refused=planned.refused,
    )  # fmt: skip


def written(upload: Upload) -> bytes:
    """Return the upload as it is stored."""
    return json.dumps(asdict(upload), default=datetime.isoformat, ensure_ascii=False).encode()


def read(content: bytes) -> Upload | None:
    """Return a stored upload; None for what is not one, or was written by another release."""
    try:
        return _upload(json.loads(content))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _upload(kept: dict[str, Any]) -> Upload:
    return Upload(
        **kept
        | {
            "target": ImportTarget(**kept["target"]),
            "made_at": datetime.fromisoformat(kept["made_at"]),
            "files": tuple(SourceFile(**one) for one in kept["files"]),
            "traits": {sha256: Traits(**one) for sha256, one in kept["traits"].items()},
            "taken_at": datetime.fromisoformat(kept["taken_at"]) if kept["taken_at"] else None,
            "result": _result(kept["result"]) if kept["result"] else None,
        }
    )


def _result(kept: dict[str, Any]) -> Result:
    return Result(kept["cause"], datetime.fromisoformat(kept["at"]), tuple(_done(one) for one in kept["files"]))


def _done(kept: dict[str, Any]) -> Done:
    return Done(
        **kept
        | {
            "outcome": Outcome(kept["outcome"]),
            "scope": _scope(kept["scope"]) if kept["scope"] else None,
            "refused": _note(kept["refused"]) if kept["refused"] else None,
        }
    )


def _scope(kept: dict[str, Any]) -> Scope:
    return Scope(**kept | {"type": ScopeType(kept["type"])})


def _note(kept: dict[str, Any]) -> Note:
    codes: dict[str, NoteCode | RefusalCode] = {code.value: code for code in (*NoteCode, *RefusalCode)}
    return Note(codes[kept["code"]], tuple((name, value) for name, value in kept["params"]))
