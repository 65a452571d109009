"""What our own codes are called in front of people: kinds, operations, scope types, roles, audited acts.

Asked by `memoryadmin.web.page_tags` for the templates and by forms for their choices. Everything is translated when it
is shown. A code without a row is shown as it is, so that an older page survives a newer row.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memoryadmin.domain.actors import ActorKind, ProjectRole
from memoryadmin.domain.files import CutEnd, Load
from memoryadmin.domain.limits import LimitState
from memoryadmin.domain.paths import PathReason
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.services.imports import ArchiveReason

Labels = Mapping[str, str | Promise]

KINDS: Labels = {
    "soul": _("soul"),
    "about": _("profile of the agent"),
    "agents": _("instructions"),
    "tools": _("notes on tools"),
    "user": _("profile of a user"),
    "memory": _("memory"),
    "handoff": _("handover"),
    "machine_state": _("a tool's own state"),
    "hook": _("hook"),
    "rules": _("rules of a repository"),
    "daily_log": _("daily log"),
    "topic": _("topic"),
    "episode_log": _("log of episodes"),
    "transcript": _("transcript"),
    "other": _("other"),
}

SCOPE_TYPES: Labels = {
    ScopeType.ORGANIZATION: _("organization"),
    ScopeType.PROJECT: _("project"),
    ScopeType.AGENT: _("agent"),
    ScopeType.PERSON: _("person"),
    ScopeType.USER: _("user of a project"),
    ScopeType.AGENT_USER: _("agent and user"),
    ScopeType.SESSION: _("session"),
}

ROLES: Labels = {ProjectRole.OWNER: _("owner"), ProjectRole.REVIEWER: _("reviewer"), ProjectRole.MEMBER: _("member")}

AUTHOR_KINDS: Labels = {
    ActorKind.PERSON: _("people"),
    ActorKind.RUNTIME: _("agents"),
    ActorKind.DREAM: _("dreams"),
    ActorKind.SYSTEM: _("the system"),
}

LOADS: Labels = {
    Load.INJECT: _("always in the context"),
    Load.BY_STRATEGY: _("as the context strategy says"),
    Load.ON_DEMAND: _("when the agent asks for it"),
    Load.OPTIONAL: _("when the agent is set up to read it"),
    Load.WINDOW: _("for today and yesterday"),
    Load.NEVER: _("never"),
}

CUT_ENDS: Labels = {CutEnd.START: _("from the beginning"), CutEnd.END: _("from the end")}

LIMITS: Labels = {LimitState.NEAR: _("near its limit"), LimitState.OVER: _("over its limit")}

OPERATIONS: Labels = {
    "created": pgettext_lazy("operation", "created"),
    "edited": pgettext_lazy("operation", "edited"),
    "appended": pgettext_lazy("operation", "added to"),
    "restored": pgettext_lazy("operation", "restored"),
    "undone": pgettext_lazy("operation", "one change undone"),
    "renamed": pgettext_lazy("operation", "renamed"),
    "deleted": pgettext_lazy("operation", "deleted"),
    "adopted": pgettext_lazy("operation", "taken over from the store"),
    "imported": pgettext_lazy("operation", "imported"),
    "dreamed": pgettext_lazy("operation", "dreamed"),
    "redacted": pgettext_lazy("operation", "redacted"),
}

VIAS: Labels = {
    "page": _("on a page"),
    "command": _("by a command"),
    "import": _("by an import"),
    "api": _("through the interface for agents"),
    "demo": _("with the demo"),
}

LINE_ENDS: Labels = {
    "lf": "LF",
    "crlf": "CR LF",
    "cr": "CR",
    "mixed": _("mixed"),
    "none": _("a single line"),
}

# The state of the copy that agents mount, as the file page tells it.
COPIES: Labels = {
    "current": _("current"),
    "behind": _("behind, on its way"),
    "differs": _("changed from outside"),
    "withheld": _("none, the file is in quarantine"),
}

FINDINGS: Labels = {
    "zero_width": _("characters without width"),
    "bidi_control": _("characters that change the direction of writing"),
    "tag_character": _("tag characters"),
    "soft_hyphen": _("soft hyphens"),
    "variation_selector": _("variation selectors"),
    "control": _("control characters"),
}

# Why a name was refused, by `PathRefusedError.reason`.
PATHS: Labels = {
    PathReason.EMPTY: _("A file needs a name."),
    PathReason.ABSOLUTE: _("A name begins with a letter or a folder, not with a slash or a drive."),
    PathReason.BACKSLASH: _("Folders are separated by / and not by a backslash."),
    PathReason.EMPTY_SEGMENT: _("A name has no empty part: no // and no slash at its end."),
    PathReason.DOT_SEGMENT: _("No part of a name is made of dots or blanks alone."),
    PathReason.HIDDEN_CHARACTER: _("The name holds a character that nobody can see."),
    PathReason.NOT_NORMALISED: _("The name holds letters in a form that some systems do not keep. Type it by hand."),
    PathReason.SEGMENT_TOO_LONG: _("One part of the name is too long."),
    PathReason.PATH_TOO_LONG: _("The name is too long."),
}

# Why an uploaded archive was refused, by `ArchiveRefusedError.reason`.
ARCHIVES: Labels = {
    ArchiveReason.NOT_ZIP: _("This is not a ZIP file."),
    ArchiveReason.BROKEN: _("The ZIP file is damaged: %(entry)s"),
    ArchiveReason.EMPTY: _("There is no file in the archive."),
    ArchiveReason.ENCRYPTED: _("The archive needs a password: %(entry)s"),
    ArchiveReason.METHOD: _("This is packed in an unusual way; pack the folder as an ordinary ZIP: %(entry)s"),
    ArchiveReason.UNREADABLE_NAME: _("This name cannot be read: %(entry)s"),
    ArchiveReason.UNSAFE_NAME: _("This name leads out of the folder: %(entry)s"),
    ArchiveReason.LINK: _("This is a link and not a file; links are never followed: %(entry)s"),
    ArchiveReason.TWICE: _("Two files have this name: %(entry)s"),
    ArchiveReason.TOO_MANY: _("The archive holds more than 5,000 files, and more are not taken at once. %(entry)s"),
    ArchiveReason.TOO_LARGE: _("Unpacked, the archive has more than 100 MB; the limit was reached at: %(entry)s"),
    ArchiveReason.RATIO: _("This unpacks to far more than it is packed, as no text does: %(entry)s"),
}

# Audited acts as whole sentences; {who} and {what} become links where the reader may follow them.
ACTIONS: Labels = {
    "file.created": _("{who} created {what}"),
    "file.edited": _("{who} edited {what}"),
    "file.appended": _("{who} added to {what}"),
    "file.restored": _("{who} restored an earlier version of {what}"),
    "file.undone": _("{who} undid one change of {what}"),
    "file.renamed": _("{who} renamed {what}"),
    "file.deleted": _("{who} deleted {what}"),
    "file.adopted": _("{who} took over a change to {what} from the store"),
    "file.imported": _("{who} imported {what}"),
    "file.dreamed": _("{who} applied a dream's change to {what}"),
    "file.secret_confirmed": _("{who} wrote what looks like a secret into {what}, knowingly"),
    "file.released": _("{who} released {what} from quarantine"),
    "file.redacted": _("{who} redacted {what}"),
    "project.created": _("{who} created the project {what}"),
    "project.edited": _("{who} changed the project {what}"),
    "project.archived": _("{who} archived the project {what}"),
    "project.unarchived": _("{who} brought back the project {what}"),
    "agent.created": _("{who} created the agent {what}"),
    "agent.edited": _("{who} changed the agent {what}"),
    "agent.archived": _("{who} archived the agent {what}"),
    "agent.unarchived": _("{who} brought back the agent {what}"),
    "member.owner": _("{who} made {what} an owner"),
    "member.reviewer": _("{who} made {what} a reviewer"),
    "member.member": _("{who} made {what} a member"),
    "member.removed": _("{who} took {what} out of the project"),
    "person.created": _("{who} created the user {what}"),
    "person.edited": _("{who} changed the user {what}"),
    "person.roles_changed": _("{who} changed what {what} may do in this installation"),
    "person.archived": _("{who} closed the account of {what}"),
    "person.unarchived": _("{who} opened the account of {what} again"),
    "person.signed_in": _("{who} signed in"),
    "access.refused": _("{who} was refused: {what}"),
}
OTHER_ACTION = _("{who} did something that this page has no words for: {what}")

# What the audit list can be narrowed to: an action's namespace.
NAMESPACES: Labels = {
    "file": _("Files"),
    "project": _("Projects"),
    "agent": _("Agents"),
    "member": _("Members"),
    "person": _("Users"),
    "access": _("Refusals"),
}
