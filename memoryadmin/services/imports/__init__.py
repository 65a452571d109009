"""Take a real agent workspace into memory: say first what would happen to each file, then do it byte for byte.

Called by the import command and page. The steps: open a folder (`workspace`) or an uploaded archive (`archives`, which
waits in `staging`), propose places (the domain), hold the proposal against the ledger (`planning`), write (`applying`).
"""

from memoryadmin.services.imports.applying import Imported, apply
from memoryadmin.services.imports.archives import MAX_UPLOAD_BYTES, ArchiveReason, ArchiveRefusedError
from memoryadmin.services.imports.manifests import Done, Result, Upload
from memoryadmin.services.imports.planning import WRITTEN, WRITTEN_WHEN_ASKED, Outcome, Plan, Planned, plan
from memoryadmin.services.imports.sentences import note_sentence, outcome_word, remarks
from memoryadmin.services.imports.staging import (
    PURGE_JOB,
    Finished,
    PlanMovedError,
    Running,
    Waiting,
    apply_staged,
    discard,
    purge,
    require_importable,
    stage,
    staged,
)
from memoryadmin.services.imports.workspace import Workspace, open_workspace

__all__ = [
    "MAX_UPLOAD_BYTES",
    "PURGE_JOB",
    "WRITTEN",
    "WRITTEN_WHEN_ASKED",
    "ArchiveReason",
    "ArchiveRefusedError",
    "Done",
    "Finished",
    "Imported",
    "Outcome",
    "Plan",
    "PlanMovedError",
    "Planned",
    "Result",
    "Running",
    "Upload",
    "Waiting",
    "Workspace",
    "apply",
    "apply_staged",
    "discard",
    "note_sentence",
    "open_workspace",
    "outcome_word",
    "plan",
    "purge",
    "remarks",
    "require_importable",
    "stage",
    "staged",
]
