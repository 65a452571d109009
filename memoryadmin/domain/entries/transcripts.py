"""Conversations as runtimes keep them: one JSON object a line. They are shown, never injected, and hold no entries."""

from collections.abc import Sequence
from dataclasses import dataclass

from memoryadmin.domain.entries.records import read_json
from memoryadmin.domain.lines import split_lines

_SPEAKERS = frozenset({"user", "assistant", "system", "summary", "tool"})


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: on which line it stands, who speaks, when (as written) and what was said, as text."""

    line: int
    speaker: str
    said_at: str
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns of a conversation, and the numbers of the lines that are none."""

    turns: tuple[Turn, ...]
    skipped: tuple[int, ...]


def read_transcript(text: str) -> Transcript:
    """Return the conversation in `text`; blank lines are nothing, other lines that are no turn are skipped."""
    turns: list[Turn] = []
    skipped: list[int] = []
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        turn = _turn(number, read_json(line))
        if turn is None:
            skipped.append(number)
        else:
            turns.append(turn)
    return Transcript(tuple(turns), tuple(skipped))


def _turn(number: int, record: object) -> Turn | None:
    if not isinstance(record, dict):
        return None
    speaker = record.get("type") or record.get("role")
    if not isinstance(speaker, str) or speaker not in _SPEAKERS:
        return None
    message = record.get("message", record)
    content = message.get("content") if isinstance(message, dict) else message
    said = record.get("summary") if speaker == "summary" else content
    said_at = record.get("timestamp")
    return Turn(number, speaker, said_at if isinstance(said_at, str) else "", _said(said))


def _said(content: object) -> str:
    """Return the text of a message; of its parts those that are text, others by their type in brackets."""
    if isinstance(content, str):
        return content
    parts: Sequence[object] = content if isinstance(content, list) else []
    return "\n".join(filter(None, map(_part, parts)))


def _part(part: object) -> str:
    if not isinstance(part, dict):
        return part if isinstance(part, str) else ""
    text = part.get("text")
    kind = part.get("type")
    if isinstance(text, str):
        return text
    return f"[{kind}]" if isinstance(kind, str) else ""
