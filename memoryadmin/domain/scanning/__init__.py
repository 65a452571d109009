"""What should not stand in memory unseen: secrets, and characters that a person cannot see.

Called by every write (page, append, import) and by the pages that show a text. Finds and masks; whether a
finding refuses, warns or quarantines is the caller's to decide. Heuristic on purpose: few false alarms, and
no promise.

Every rule looks at a bounded stretch of text, so a scan takes time linear in the length, also on one huge
line. Source: cases SE-03 and SE-05.
"""

from memoryadmin.domain.scanning.findings import Finding, mask
from memoryadmin.domain.scanning.hidden import Piece, find_hidden, hidden_marks
from memoryadmin.domain.scanning.secrets import find_secrets, new_findings

__all__ = ["Finding", "Piece", "find_hidden", "find_secrets", "hidden_marks", "mask", "new_findings"]
