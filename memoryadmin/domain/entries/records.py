"""Entries of files that are data, not Markdown: knowledge graphs, exported lists, agent files.

Whatever is not what it should be is left out; nothing raises. Lines are those on which a record begins.
"""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime

from memoryadmin.domain.entries.days import first_day
from memoryadmin.domain.entries.values import Entry, EntryForm
from memoryadmin.domain.lines import split_lines
from memoryadmin.domain.paths import normalise_import_path


def read_json(text: str) -> object:
    """Return the value of a JSON text, or None when it is none; also of JSON that was put into a JSON string once."""
    try:
        value = json.loads(text)
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None


def graph_entries(text: str) -> Iterator[Entry]:
    """Yield the entities, their observations and the relations of a graph with one JSON object a line.

    A line says what it is by its fields; the `type` that some tools add is not needed.
    """
    for number, line in enumerate(split_lines(text), start=1):
        record = read_json(line)
        if not isinstance(record, dict):
            continue
        name, kind = _text(record, "name"), _text(record, "entityType")
        if name and kind:
            day = first_day(_text(record, "createdAt"))
            yield Entry(name, EntryForm.ENTITY, number, number, key=kind, date=day)
            for observation in _items(record, "observations"):
                if isinstance(observation, str):
                    day = first_day(observation)
                    yield Entry(observation, EntryForm.OBSERVATION, number, number, key=name, date=day)
        start, verb, end = _text(record, "from"), _text(record, "relationType"), _text(record, "to")
        if start and verb and end:
            yield Entry(f"{start} {verb} {end}", EntryForm.RELATION, number, number, key=verb, source=start, target=end)


def list_entries(text: str) -> Iterator[Entry]:
    """Yield the memories of an exported list: `{"memories": [{"text": …, "category": …, "timestamp": …}]}`."""
    export = read_json(text)
    memories = _items(export, "memories") if isinstance(export, dict) else export
    places = _Places(text)
    for record in memories if isinstance(memories, list) else []:
        content = _text(record, "text") or _text(record, "memory")
        if not isinstance(record, dict) or not content:
            continue
        names = ("id", "scope", "importance", "metadata")
        marks = tuple((name, value) for name in names if (value := _shown(record, name)))
        line = places.line_of(_text(record, "id") or content)
        day = _day_of_milliseconds(record.get("timestamp")) or first_day(_text(record, "created_at"))
        yield Entry(content, EntryForm.RECORD, line, line, key=_text(record, "category"), date=day, marks=marks)


def block_entries(text: str) -> Iterator[Entry]:
    """Yield the labelled blocks of an agent file, with their length and their own limit as marks.

    A label is a path; one that is not in its plain form is brought there, the mark `label` keeps it as it was.
    """
    agent_file = read_json(text)
    blocks = _items(agent_file, "blocks") if isinstance(agent_file, dict) else []
    places = _Places(text)
    for block in blocks:
        label = _text(block, "label")
        if not isinstance(block, dict) or not label:
            continue
        value, limit = _text(block, "value"), block.get("limit")
        path, changes = normalise_import_path(label)
        marks = [("chars", str(len(value)))]
        if isinstance(limit, int):
            marks.append(("limit", str(limit)))
            marks += [("over_limit", str(len(value) - limit))] if len(value) > limit else []
        if changes:
            marks.append(("label", label))
        line = places.line_of(label)
        yield Entry(value, EntryForm.BLOCK, line, line, key=path, marks=tuple(marks))


class _Places:
    """Finds the lines on which strings stand in a JSON text, going forward only."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._line = 1

    def line_of(self, value: str) -> int:
        """Return the line of the next place where `value` stands as a string, or of the last one found."""
        spellings = (json.dumps(value, ensure_ascii=False), json.dumps(value))
        found = [self._text.find(spelling, self._position) for spelling in spellings]
        position = min((place for place in found if place >= 0), default=self._position)
        self._line += self._text.count("\n", self._position, position)
        self._position = position
        return self._line


def _text(record: object, name: str) -> str:
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, str) else ""


def _items(record: object, name: str) -> list[object]:
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, list) else []


def _shown(record: dict[str, object], name: str) -> str:
    value = record.get(name)
    return "" if value is None or isinstance(value, dict | list) else str(value)


def _day_of_milliseconds(value: object) -> date | None:
    """Return the day, in UTC, of a time in milliseconds since 1970."""
    if not isinstance(value, int | float):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None
