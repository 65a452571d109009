"""Where the files of a folder belong: for each one a scope, a path and a kind, or a reason why it is not taken.

Called by the import service, which applies the proposal, and by the page and command that show it first.
Pure: it sees names, sizes and digests, never a disk. The steps, each a module:

1. `versions` tells the chains of earlier versions from the files themselves;
2. `layout` finds whose folder each file lies in: the root agent's, another agent's, or a code repository's;
3. `placing` gives each file its scope and path, or refuses it;
4. `remarks` compares the placements with each other: the same target, names that clash, the same bytes.

`standing` then says how a file stands to the one that is there already, and `judge` what its bytes are.
"""

from memoryadmin.domain.imports.contents import Content, ContentKind, judge
from memoryadmin.domain.imports.layout import wrapper_of
from memoryadmin.domain.imports.placing import propose
from memoryadmin.domain.imports.slugs import slug_for
from memoryadmin.domain.imports.standing import Standing, standing
from memoryadmin.domain.imports.values import (
    SKIPPED_FOLDERS,
    ImportTarget,
    NewAgent,
    Note,
    NoteCode,
    Placement,
    Proposal,
    RefusalCode,
    SourceFile,
    SourceVersion,
)

__all__ = [
    "SKIPPED_FOLDERS",
    "Content",
    "ContentKind",
    "ImportTarget",
    "NewAgent",
    "Note",
    "NoteCode",
    "Placement",
    "Proposal",
    "RefusalCode",
    "SourceFile",
    "SourceVersion",
    "Standing",
    "judge",
    "propose",
    "slug_for",
    "standing",
    "wrapper_of",
]
