"""Which names a memory file may have, and the two ways of seeing them: as imported, and as compared.

Called by every service that is given a path, and by imports. `clean_path` never repairs: it returns what it
was given or says why not. Knows nothing of scopes; a clean path stays inside whatever prefix it is put
behind.

Source: cases SE-04 and ST-04.
"""

import re
import unicodedata
from enum import StrEnum
from urllib.parse import unquote

from memoryadmin.domain.errors import PathRefusedError

MAX_SEGMENT_BYTES = 240  # file systems stop at 255; the folder store needs room for the suffix of a temporary file
MAX_PATH_BYTES = 840  # an object key has 1,024; the longest prefix takes the rest

_REFUSED_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


class PathReason(StrEnum):
    """Why a name was refused; stable, so that interfaces can say it in the reader's language."""

    EMPTY = "empty"
    ABSOLUTE = "absolute"
    BACKSLASH = "backslash"
    EMPTY_SEGMENT = "empty_segment"
    DOT_SEGMENT = "dot_segment"
    HIDDEN_CHARACTER = "hidden_character"
    NOT_NORMALISED = "not_normalised"
    SEGMENT_TOO_LONG = "segment_too_long"
    PATH_TOO_LONG = "path_too_long"


_MESSAGES = {
    PathReason.EMPTY: "the name is empty",
    PathReason.ABSOLUTE: "the name must be relative: it may not begin with a slash or a drive",
    PathReason.BACKSLASH: "the name holds a backslash; folders are separated by /",
    PathReason.EMPTY_SEGMENT: "the name holds an empty part: // or a slash at its end",
    PathReason.DOT_SEGMENT: "the name holds a part made only of dots or blanks",
    PathReason.HIDDEN_CHARACTER: "the name holds a character that cannot be seen",
    PathReason.NOT_NORMALISED: "the name is not in Unicode's composed form (NFC)",
    PathReason.SEGMENT_TOO_LONG: f"one part of the name is longer than {MAX_SEGMENT_BYTES} bytes",
    PathReason.PATH_TOO_LONG: f"the name is longer than {MAX_PATH_BYTES} bytes",
}


def clean_path(path: str) -> str:
    """Return `path` unchanged when a memory file may have it as its name inside a scope.

    :raises PathRefusedError: it could leave the scope, be lost or not be shown; `reason` says which.
    """
    reason = refusal(path)
    if reason is not None:
        raise PathRefusedError(_MESSAGES[reason], field="path", reason=reason)
    return path


def refusal(path: str) -> PathReason | None:
    """Return why `path` cannot be a memory file's name, or None when it can."""
    if not path:
        return PathReason.EMPTY
    if len(path) > MAX_PATH_BYTES:
        return PathReason.PATH_TOO_LONG
    if any(_is_hidden(character) for character in path):
        return PathReason.HIDDEN_CHARACTER
    if "\\" in path:
        return PathReason.BACKSLASH
    segments = path.split("/")
    if not segments[0] or _is_drive(segments[0]):
        return PathReason.ABSOLUTE
    return _form_refusal(path, segments) or _segments_refusal(segments)


def normalise_import_path(path: str) -> tuple[str, tuple[str, ...]]:
    """Return `path` with repeated slashes collapsed and in NFC, and a code for each change made.

    The codes are `double_slash` and `composed`. The result may still be one that `clean_path` refuses.
    Labels used as paths carry double slashes: two keys in an object store, one on a file system.

    >>> normalise_import_path("system//references/lettabot")
    ('system/references/lettabot', ('double_slash',))
    """
    notes = []
    collapsed = re.sub("//+", "/", path)
    if collapsed != path:
        notes.append("double_slash")
    composed = unicodedata.normalize("NFC", collapsed)
    if composed != collapsed:
        notes.append("composed")
    return composed, tuple(notes)


def fold_path(path: str) -> str:
    """Return the form in which two paths that clash on a file system that ignores case are equal.

    >>> fold_path("grey/HEARTBEAT.md") == fold_path("grey/heartbeat.md")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def _form_refusal(path: str, segments: list[str]) -> PathReason | None:
    if unicodedata.normalize("NFC", path) != path:
        return PathReason.NOT_NORMALISED
    if max(len(segment.encode()) for segment in segments) > MAX_SEGMENT_BYTES:
        return PathReason.SEGMENT_TOO_LONG
    if len(path.encode()) > MAX_PATH_BYTES:
        return PathReason.PATH_TOO_LONG
    return None


def _segments_refusal(segments: list[str]) -> PathReason | None:
    if not all(segments):
        return PathReason.EMPTY_SEGMENT
    if any(_is_dots(part) for segment in segments for part in _decoded(segment).split("/")):
        return PathReason.DOT_SEGMENT
    if any(_is_hidden(character) for segment in segments for character in _decoded(segment)):
        return PathReason.HIDDEN_CHARACTER
    return None


def _is_drive(segment: str) -> bool:
    return len(segment) == 2 and segment[0].isascii() and segment[0].isalpha() and segment[1] == ":"


def _is_hidden(character: str) -> bool:
    # The last two code points of every plane, and one block, are no characters and never will be.
    is_nothing = ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF
    return is_nothing or unicodedata.category(character) in _REFUSED_CATEGORIES


def _is_dots(segment: str) -> bool:
    return all(character == "." or character.isspace() for character in segment)


def _decoded(segment: str) -> str:
    """Return what a proxy or a store that decodes percent signs, however often, would take `segment` for."""
    decoded = unquote(segment)
    while decoded != segment:
        segment, decoded = decoded, unquote(decoded)
    return decoded.replace("\\", "/")
