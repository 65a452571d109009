"""What an import says about a file, in the reader's language. Shared by the command and the page that show a plan."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryadmin.domain.imports import Note, NoteCode, RefusalCode
from memoryadmin.domain.paths import PathReason
from memoryadmin.services.imports.planning import Outcome, Planned

_OUTCOMES = {
    Outcome.NEW: gettext_lazy("new"),
    Outcome.CHANGED: gettext_lazy("changed"),
    Outcome.SAME: gettext_lazy("the same"),
    Outcome.OLDER: gettext_lazy("older than ours"),
    Outcome.CONFLICT: gettext_lazy("changed on both sides"),
    Outcome.DELETED: gettext_lazy("deleted here"),
    Outcome.REFUSED: gettext_lazy("refused"),
}

_SENTENCES = {
    NoteCode.DOUBLE_SLASH: gettext_lazy("The name held a double slash and was shortened."),
    NoteCode.COMPOSED: gettext_lazy("The name was brought into Unicode's composed form."),
    NoteCode.NO_PERSON: gettext_lazy("Personal by its name, but no person was named: it goes to the agent."),
    NoteCode.NO_SESSION_PERSON: gettext_lazy("A conversation of nobody: no person was named."),
    NoteCode.MAYBE_AGENT: gettext_lazy("The folder %(folder)s may be another agent's; it is taken as this one's."),
    NoteCode.ARCHIVED_AGENT: gettext_lazy("The folder %(folder)s lies among archived agents."),
    NoteCode.TWO_DATES: gettext_lazy("Two dates in the name, %(first)s and %(second)s: taken as the first."),
    NoteCode.LONE_YEAR: gettext_lazy("The only log of %(year)s; the others are of %(others)s."),
    NoteCode.SAME_BYTES: gettext_lazy("One of %(count)s files with the same bytes; the first is %(first)s."),
    NoteCode.CASE_CLASH: gettext_lazy("Differs from %(other)s in upper and lower case alone."),
    NoteCode.EMPTY: gettext_lazy("Empty."),
    NoteCode.HISTORY_ONLY: gettext_lazy("Only earlier versions were found; the last of them is taken."),
    RefusalCode.SYMLINK_ALIAS: gettext_lazy("A link to %(target)s, which is taken itself."),
    RefusalCode.SYMLINK_OUTSIDE: gettext_lazy("A link that leads out of the folder; links are never followed."),
    RefusalCode.AGENT_NEEDED: gettext_lazy("An agent's file, but no agent was named."),
    RefusalCode.SAME_TARGET: gettext_lazy("Has the same place as %(other)s."),
    RefusalCode.VERSION_UNORDERED: gettext_lazy("An earlier version whose name says neither a number nor a date."),
    RefusalCode.NOT_ALLOWED: gettext_lazy("You may not write there."),
    RefusalCode.ARCHIVED: gettext_lazy("The project or the agent is archived."),
    RefusalCode.TOO_LARGE: gettext_lazy("Larger than %(limit)s bytes."),
    RefusalCode.LOG_REWRITTEN: gettext_lazy("A log is only added to, and this text does not begin with ours."),
}

_UNSAFE = {
    PathReason.EMPTY: gettext_lazy("The name is empty."),
    PathReason.ABSOLUTE: gettext_lazy("The name begins with a slash or a drive."),
    PathReason.BACKSLASH: gettext_lazy("The name holds a backslash."),
    PathReason.EMPTY_SEGMENT: gettext_lazy("The name holds an empty part."),
    PathReason.DOT_SEGMENT: gettext_lazy("The name leads out of its folder."),
    PathReason.HIDDEN_CHARACTER: gettext_lazy("The name holds a character that cannot be seen."),
    PathReason.NOT_NORMALISED: gettext_lazy("The name is not in Unicode's composed form."),
    PathReason.SEGMENT_TOO_LONG: gettext_lazy("One part of the name is too long."),
    PathReason.PATH_TOO_LONG: gettext_lazy("The whole name is too long."),
}


def outcome_word(outcome: Outcome) -> str:
    """Return what becomes of a file, in a word or a few."""
    return str(_OUTCOMES[outcome])


def note_sentence(note: Note) -> str:
    """Return a note or a refusal as a whole sentence."""
    if note.code is RefusalCode.UNSAFE_NAME:
        return str(_UNSAFE[PathReason(note.named()["reason"])])
    return str(_SENTENCES[note.code]) % note.named()


def remarks(planned: Planned) -> list[str]:
    """Return everything there is to say of a file, each a whole sentence; why it is refused stands first."""
    said = [note_sentence(planned.refused)] if planned.refused else []
    said += [note_sentence(note) for note in planned.placement.notes]
    if planned.secrets:
        words = _("Holds what looks like a secret (%(count)s): kept, shown masked, loaded by no agent.")
        said.append(words % {"count": planned.secrets})
    if planned.is_opaque:
        said.append(_opaque_sentence(planned.encoding))
    if planned.is_over_limit:
        said.append(_("Longer than files of its kind should be: an agent is sent only a part of it."))
    return said


def _opaque_sentence(encoding: str) -> str:
    if not encoding:
        return _("Not UTF-8 text: kept as it is, neither edited nor loaded.")
    words = _("Not UTF-8 text, it looks like %(encoding)s: kept as it is, neither edited nor loaded.")
    return words % {"encoding": encoding}
