"""Entries of graphs, exported lists and agent files, and the turns of a conversation."""

import json
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.entries import EntryForm, parse_entries, read_transcript
from tests.domain import corpus

GRAPH = "\n".join(
    json.dumps(line, ensure_ascii=False)
    for line in [
        {
            "name": "Ольга",
            "entityType": "Person",
            "observations": ["любит чай", 7, "met 2026-02-28"],
            "createdAt": "2026-01-02T03:04Z",
        },
        {"type": "entity", "name": "Shop", "entityType": "Project"},
        {"from": "Ольга", "to": "Shop", "relationType": "owns"},
        {"name": "no kind"},
        {"from": "half", "relationType": "x"},
        ["a list"],
        "a string",
    ]
)  # fmt: skip

EXPORT = {
    "version": "1.0",
    "memories": [
        {"id": "a1", "text": "Факт", "category": "preference", "scope": "agent:x", "importance": 0.65,
         "timestamp": 1775555632762, "metadata": '{"l0":"x"}'},
        {"id": "b2", "memory": "Other", "created_at": "2026-02-28T01:02:03Z", "metadata": {"nested": 1}},
        {"id": "c3"},
        "no record",
        {"text": "too late", "timestamp": 1e30},
        {"text": "no time", "timestamp": "soon"},
    ],
}  # fmt: skip
AGENT_FILE = {
    "blocks": [
        {"label": "persona", "value": "I am", "limit": 5000},
        {"label": "system//notes", "value": "x" * 12, "limit": 10},
        {"label": "open", "value": None, "limit": None},
        {"value": "no label"},
        "no block",
    ]
}


class TestGraphs:
    def test_entities_observations_and_relations(self):
        entries = parse_entries(GRAPH + "\n\nnot json\n", "memory.jsonl")
        assert [(entry.form, entry.line, entry.text, entry.key) for entry in entries] == [
            (EntryForm.ENTITY, 1, "Ольга", "Person"),
            (EntryForm.OBSERVATION, 1, "любит чай", "Ольга"),
            (EntryForm.OBSERVATION, 1, "met 2026-02-28", "Ольга"),
            (EntryForm.ENTITY, 2, "Shop", "Project"),
            (EntryForm.RELATION, 3, "Ольга owns Shop", "owns"),
        ]
        assert [entry.date for entry in entries[:3]] == [date(2026, 1, 2), None, date(2026, 2, 28)]
        assert (entries[-1].source, entries[-1].target) == ("Ольга", "Shop")

    @pytest.mark.corpus
    def test_expectation_18_a_graph_of_a_real_project(self):
        entries = parse_entries(corpus.text("mcp-memory-vi/memory.jsonl"), "memory.jsonl")
        counts = Counter(entry.form for entry in entries)
        assert counts == {EntryForm.ENTITY: 68, EntryForm.RELATION: 91, EntryForm.OBSERVATION: 619}


class TestLists:
    def test_each_memory_is_a_record(self):
        text = json.dumps(EXPORT, ensure_ascii=False, indent=1)
        first, second, late, untimed = parse_entries(text, "memories.json")
        assert (first.form, first.text, first.key, first.date) == (
            EntryForm.RECORD,
            "Факт",
            "preference",
            date(2026, 4, 7),
        )
        assert first.marks == (("id", "a1"), ("scope", "agent:x"), ("importance", "0.65"), ("metadata", '{"l0":"x"}'))
        assert (second.text, second.date, second.marks) == ("Other", date(2026, 2, 28), (("id", "b2"),))
        assert [text.split("\n")[entry.line - 1].strip(' ",') for entry in (first, second)] == ['id": "a1', 'id": "b2']
        assert [entry.date for entry in (late, untimed)] == [None, None]

    def test_a_bare_list_and_things_that_are_none(self):
        assert [entry.text for entry in parse_entries('[{"text": "x"}]', "export.json")] == ["x"]
        for text in ("", "{", "7", '{"memories": 7}', "[" * 100_000, '"\\"inner\\""'):
            assert parse_entries(text, "export.json") == ()


class TestAgentFiles:
    @pytest.mark.parametrize("text", [json.dumps(AGENT_FILE), json.dumps(json.dumps(AGENT_FILE))])
    def test_each_block_is_an_entry_with_its_limit(self, text):
        persona, notes, empty = parse_entries(text, "x.af")
        assert (persona.form, persona.key, persona.text) == (EntryForm.BLOCK, "persona", "I am")
        assert persona.marks == (("chars", "4"), ("limit", "5000"))
        assert (notes.key, notes.mark("over_limit"), notes.mark("label")) == ("system/notes", "2", "system//notes")
        assert (empty.text, empty.marks) == ("", (("chars", "0"),))

    def test_lines_are_those_of_the_labels(self):
        text = json.dumps(AGENT_FILE, indent=1)
        assert [text.split("\n")[entry.line - 1].strip() for entry in parse_entries(text, "x.af")] == [
            '"label": "persona",',
            '"label": "system//notes",',
            '"label": "open",',
        ]

    @pytest.mark.corpus
    def test_expectation_17_a_real_agent_file(self):
        entries = parse_entries(corpus.text("letta-af/agents/@letta-ai/ezra/ezra.af"), "ezra.af")
        assert len(entries) == 56
        assert sum(len(entry.text) > 5_000 for entry in entries) == 8
        over = {entry.key for entry in entries if entry.mark("over_limit")}
        assert "corrections/ezra-mistakes" in over
        assert [entry.mark("label") for entry in entries if entry.key == "system/references/lettabot"] == [
            "system//references/lettabot"
        ]


class TestTranscripts:
    def test_turns_are_told_from_lines_that_are_none(self):
        parts = [{"text": "Привет"}, {"type": "image"}, "x", 7, {}]
        lines = [
            {"type": "user", "timestamp": "2026-02-28T10:00", "message": {"content": parts}},
            {"type": "assistant", "message": {"content": "<b>hello</b>"}, "timestamp": 5},
            {"role": "user", "content": "plain"},
            {"type": "user", "message": "error"},
            {"type": "summary", "summary": "All said"},
            {"type": "user", "message": {"content": None}},
            {"type": "attachment"},
            {"type": ["user"]},
            [1],
            42,
        ]  # fmt: skip
        text = "\n".join(json.dumps(line) for line in lines) + "\n\n{broken"
        transcript = read_transcript(text)
        assert [(turn.line, turn.speaker, turn.said_at, turn.text) for turn in transcript.turns] == [
            (1, "user", "2026-02-28T10:00", "Привет\n[image]\nx"),
            (2, "assistant", "", "<b>hello</b>"),
            (3, "user", "", "plain"),
            (4, "user", "", "error"),
            (5, "summary", "", "All said"),
            (6, "user", "", ""),
        ]
        assert transcript.skipped == (7, 8, 9, 10, 12)

    @pytest.mark.corpus
    def test_expectation_19_a_conversation_with_odd_lines(self):
        transcript = read_transcript(corpus.text("sessions-jsonl-a/test/test_data/edge_cases.jsonl"))
        assert Counter(turn.speaker for turn in transcript.turns) == {"user": 10, "assistant": 4, "summary": 1}
        assert len(transcript.skipped) == 4


values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            [
                "blocks", "label", "value", "limit", "memories", "text", "id", "type", "message",
                "content", "name", "entityType", "observations", "from", "to", "relationType",
                "timestamp", "summary",
            ]
        ),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(values | st.lists(values), st.sampled_from(["x.json", "x.jsonl", "x.af"]))
def test_nothing_that_JSON_can_hold_is_too_odd(value, path):
    text = json.dumps(value)
    assert all(1 <= entry.line <= 1 for entry in parse_entries(text, path))
    transcript = read_transcript(text)
    assert len(transcript.turns) + len(transcript.skipped) == 1
