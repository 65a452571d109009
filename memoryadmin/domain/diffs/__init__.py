"""Line diffs: hunks that a person can accept one by one, and rows to look at.

`hunks` is exact and decides what is written; `rows` is for the eye and may say that it is coarse. Called by
services.files (compare, history, conflict) and by proposals. Knows nothing of storage or HTML.
"""

from memoryadmin.domain.diffs.hunks import BaseMovedError, Hunk, apply_hunks, cut_hunks
from memoryadmin.domain.diffs.marks import Span
from memoryadmin.domain.diffs.rows import Diff, DiffRow, Fold, RowKind, compare, fold

__all__ = [
    "BaseMovedError",
    "Diff",
    "DiffRow",
    "Fold",
    "Hunk",
    "RowKind",
    "Span",
    "apply_hunks",
    "compare",
    "cut_hunks",
    "fold",
]
