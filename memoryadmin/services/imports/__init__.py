"""Take a real agent workspace into memory: say first what would happen to each file, then do it byte for byte.

Called by the import command and page. The steps: open the folder (`workspace`), propose places (the domain), hold the
proposal against the ledger (`planning`), write (`applying`).
"""

from memoryadmin.services.imports.applying import Imported, apply
from memoryadmin.services.imports.planning import Outcome, Plan, Planned, plan
from memoryadmin.services.imports.sentences import note_sentence, outcome_word, remarks
from memoryadmin.services.imports.workspace import Workspace, open_workspace

__all__ = [
    "Imported",
    "Outcome",
    "Plan",
    "Planned",
    "Workspace",
    "apply",
    "note_sentence",
    "open_workspace",
    "outcome_word",
    "plan",
    "remarks",
]
