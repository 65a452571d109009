"""Entries: each form in which one fact is written down, and what its marks say."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.entries import EntryForm, parse_entries
from memoryadmin.domain.entries.days import first_day

FEB, MAR = date(2026, 2, 28), date(2026, 3, 15)


def only(text, path=""):
    (entry,) = parse_entries(text, path)
    return entry


def said(entry):
    """Return what an entry says apart from its place: only what is not at its default."""
    names = ("text", "key", "trust", "source", "used_on", "hits", "date", "target", "is_done", "marks")
    found = {name: getattr(entry, name) for name in names}
    return {name: value for name, value in found.items() if value not in ("", None, ())}


@pytest.mark.parametrize(
    ("line", "form", "expected"),
    [
        (
            "- [trust:0.9|src:direct|used:2026-03-15|hits:7] Ходить в `main` нельзя. [see]",
            EntryForm.TAGGED,
            {"text": "Ходить в `main` нельзя. [see]", "trust": 0.9, "source": "direct", "used_on": MAR, "hits": 7},
        ),
        ("- [trust:1|area:ops] x", EntryForm.TAGGED, {"text": "x", "trust": 1.0, "marks": (("area", "ops"),)}),
        (
            "- Decision: Use one index [2026-02-28] [system:memory]",
            EntryForm.TYPED,
            {"text": "Use one index", "key": "Decision", "date": FEB, "marks": (("scope", "system:memory"),)},
        ),
        (
            "* Решение: писать по-русски [команда] [2026-02-28]",
            EntryForm.TYPED,
            {"text": "писать по-русски", "key": "Решение", "date": FEB, "marks": (("scope", "команда"),)},
        ),
        ("- Task: no marks", EntryForm.TYPED, {"text": "no marks", "key": "Task"}),
        ("- [2026-02-28] Loop closed", EntryForm.DATED, {"text": "Loop closed", "date": FEB}),
        ("- 2026-02-28: Loop closed", EntryForm.DATED, {"text": "Loop closed", "date": FEB}),
        ("- **2026-02-28** — Loop closed", EntryForm.DATED, {"text": "Loop closed", "date": FEB}),
        (
            "- **[0.26]** `episodic` (2026-02-28T21:35:11 system#26e9) — 252 facts moved",
            EntryForm.SCORED,
            {
                "text": "252 facts moved",
                "key": "episodic",
                "source": "system#26e9",
                "date": FEB,
                "marks": (("score", "0.26"), ("time", "2026-02-28T21:35:11")),
            },
        ),
        ("- [ ] call Olga", EntryForm.TASK, {"text": "call Olga", "is_done": False}),
        ("+ [X] call Olga 2026-02-28", EntryForm.TASK, {"text": "call Olga 2026-02-28", "is_done": True, "date": FEB}),
        (
            "- [decision] four phases #plan #phases (agreed with Ivan)",
            EntryForm.OBSERVATION,
            {
                "text": "four phases",
                "key": "decision",
                "marks": (("tag", "plan"), ("tag", "phases"), ("context", "agreed with Ivan")),
            },
        ),
        ("- [fact] only text", EntryForm.OBSERVATION, {"text": "only text", "key": "fact"}),
        (
            "- derives from [[ADR 8#Choice|the choice]] (once)",
            EntryForm.RELATION,
            {
                "text": "derives from [[ADR 8#Choice|the choice]]",
                "key": "derives from",
                "target": "ADR 8",
                "marks": (("context", "once"),),
            },
        ),
        ("- [[../SOUL]]", EntryForm.RELATION, {"text": "[[../SOUL]]", "target": "../SOUL"}),
        (
            "- [Build rules](build.md) — how we build",
            EntryForm.INDEX,
            {"text": "how we build", "key": "Build rules", "target": "build.md"},
        ),
        (
            "- ★★ [**x [y] passed**](a/x.md): hook",
            EntryForm.INDEX,
            {"text": "hook", "key": "**x [y] passed**", "target": "a/x.md"},
        ),
        ("- [Alone](x.md)", EntryForm.INDEX, {"text": "Alone", "key": "Alone", "target": "x.md"}),
        ("- **Timezone:** Europe", EntryForm.KEYED, {"text": "Europe", "key": "Timezone"}),
        ("- **Имя**: Ольга", EntryForm.KEYED, {"text": "Ольга", "key": "Имя"}),
        ("- **Port** — 8080", EntryForm.KEYED, {"text": "8080", "key": "Port"}),
        ("- see [it](https://x.example) first", EntryForm.BULLET, {"text": "see [it](https://x.example) first"}),
        ("- [site](https://x.example)", EntryForm.BULLET, {"text": "[site](https://x.example)"}),
        ("- plain, on 28.02.2026", EntryForm.BULLET, {"text": "plain, on 28.02.2026", "date": FEB}),
        ("3. third step", EntryForm.STEP, {"text": "third step"}),
        ("3) third step, 2026-02-28", EntryForm.STEP, {"text": "third step, 2026-02-28", "date": FEB}),
        ("@docs/rules.md", EntryForm.FILE_IMPORT, {"text": "docs/rules.md", "target": "docs/rules.md"}),
    ],
)  # fmt: skip
def test_a_form_is_read_with_its_marks(line, form, expected):
    entry = only(line)
    assert entry.form is form
    assert said(entry) == expected


@pytest.mark.parametrize(
    "line",
    [
        "_Metadata: [trust:0-1|src:direct/observed/inferred|used:DATE|hits:N]_",
        "- [trust:0-1|src:direct/observed/inferred|used:DATE|hits:N] what it means",
        "- [trust:0.5|used:yesterday] x",
        "- [trust:0.5|hits:many] x",
        "- [trust:7] x",
        "- [trust:nan] x",
        "- Constraint: [description] [YYYY-MM-DD] [scope]",
        "- [Type]: [description] [YYYY-MM-DD] [scope]",
        "-",
        "-no blank after the sign",
        "---",
        "* * *",
        "# A heading",
        "just prose",
        "see @rules.md",
        "",
    ],
)
def test_legends_templates_and_prose_are_no_entries(line):
    assert parse_entries(line) == ()


class TestFirstDay:
    @pytest.mark.parametrize(
        ("text", "day"),
        [
            ("am 28.02.2026 und 2026-03-15", FEB),
            ("31.02.2026, dann 2026-03-15", MAR),
            ("2026年2月28日の記録", FEB),
            ("2026/02/28", FEB),
            ("12026-02-28", None),
            ("28.02", None),
            ("", None),
        ],
    )
    def test_the_first_day_with_a_year_counts(self, text, day):
        assert first_day(text) == day


words = (
    st.text(st.sampled_from("abcжя ,.:#"), min_size=1, max_size=20)
    .map(str.strip)
    .filter(lambda word: word[:1].isalpha())
)


class TestLaws:
    @given(words, st.floats(0, 1).map(lambda trust: round(trust, 2)), st.dates(), st.integers(0, 10**6))
    def test_a_tagged_fact_comes_back_as_it_was_written(self, text, trust, day, hits):
        entry = only(f"- [trust:{trust}|src:inferred|used:{day.isoformat()}|hits:{hits}] {text}")
        assert (entry.text, entry.trust, entry.source, entry.used_on, entry.hits) == (
            text,
            trust,
            "inferred",
            day,
            hits,
        )

    @given(words, st.lists(st.sampled_from("abc"), max_size=4))
    def test_the_tags_of_an_observation_keep_their_order(self, text, tags):
        entry = only(f"- [fact] {text.replace('#', '')} {' '.join(f'#{tag}' for tag in tags)}")
        assert entry.marks == tuple(("tag", tag) for tag in tags)
