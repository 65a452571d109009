"""Entries: where they stand in a Markdown text, what belongs to them, and what is none of a person's facts."""

import time
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.entries import EntryForm, Tier, managed_blocks, parse_entries
from memoryadmin.domain.lines import count_lines
from tests.domain import corpus


def told(text, path=""):
    return [(entry.line, entry.end_line, entry.text) for entry in parse_entries(text, path)]


class TestWhatBelongsToAnEntry:
    def test_what_is_indented_under_it(self):
        text = "- [One](1.md) — hook\n  - more on it\n\n  and this\n- two\n"
        assert told(text) == [(1, 4, "hook\n- more on it\nand this"), (5, 5, "two")]

    def test_a_line_that_follows_without_a_blank(self):
        assert told("- one\ngoes on\n\nprose\n- two") == [(1, 2, "one\ngoes on"), (5, 5, "two")]

    def test_steps_and_plain_bullets_inside_it(self):
        assert told("1. first\n   - detail\n   1. inner\n2. second") == [
            (1, 3, "first\n- detail\n1. inner"),
            (4, 4, "second"),
        ]

    def test_but_not_a_bullet_of_a_form_of_its_own(self):
        text = "- [ ] all\n  - [x] part\n\t- **Key:** value\n- Plain\n    - [ ] inner task"
        assert [entry.form for entry in parse_entries(text)] == [
            EntryForm.TASK, EntryForm.TASK, EntryForm.KEYED, EntryForm.BULLET, EntryForm.TASK,
        ]  # fmt: skip

    def test_named_details_become_marks(self):
        (entry,) = parse_entries(
            "- [2026-04-18] Loop\n  closed\n  Contexto: status=done | owner=main\n  Fonte: agente=main\n"
        )
        assert entry.text == "Loop\nclosed"
        assert entry.marks == (("status", "done"), ("owner", "main"), ("agente", "main"))
        assert (entry.mark("owner"), entry.mark("nothing")) == ("main", "")

    def test_a_rule_or_a_heading_ends_it(self):
        assert told("- one\n---\nprose\n- two\n# Next\n  indented") == [(1, 1, "one"), (4, 4, "two")]


class TestHeadings:
    def test_an_entry_knows_its_section_and_its_tier(self):
        text = (
            "- before\n# Memory\n- a\n## Constitutional — never expires\n- b\n### Git\n- c\n"
            "## Стратегический уровень\n- d\n## Operational\n- e\n# Other #\n- f\n##\n- g\n"
        )
        assert [(entry.text, entry.section, entry.tier) for entry in parse_entries(text)] == [
            ("before", "", None),
            ("a", "Memory", None),
            ("b", "Constitutional — never expires", Tier.CONSTITUTIONAL),
            ("c", "Git", Tier.CONSTITUTIONAL),
            ("d", "Стратегический уровень", Tier.STRATEGIC),
            ("e", "Operational", Tier.OPERATIONAL),
            ("f", "Other", None),
            ("g", "", None),
        ]

    def test_prose_under_a_heading_with_a_day_is_an_entry(self):
        text = "## 2026-04-18 14:32 — Loop\n\nIt was closed.\nAll agreed.\n- a bullet\n\n## Later\n\nNot an entry.\n"
        section, bullet = parse_entries(text)
        assert (section.form, section.line, section.end_line) == (EntryForm.SECTION, 1, 4)
        assert (section.text, section.key) == ("It was closed.\nAll agreed.", "2026-04-18 14:32 — Loop")
        assert {section.date, bullet.date} == {date(2026, 4, 18)}

    def test_a_log_gives_its_day_to_what_has_none(self):
        days = [
            entry.date for entry in parse_entries("- a\n# 07.02.2026\n- b\n- 2026-01-01: c", "memory/2026-07-25.md")
        ]
        assert days == [date(2026, 7, 25), date(2026, 2, 7), date(2026, 1, 1)]


class TestTables:
    def test_each_row_is_an_entry_with_its_cells_by_name(self):
        text = "| Дата | Ошибка |\n|:-----|---:|\n| 2026-02-14 | a \\| b | extra |\n| | |\n| 15.02 |\nafter\n"
        first, second = parse_entries(text)
        assert (first.form, first.line, first.text, first.date) == (
            EntryForm.ROW,
            3,
            "2026-02-14 | a | b | extra",
            date(2026, 2, 14),
        )
        assert first.marks == (("Дата", "2026-02-14"), ("Ошибка", "a | b"), ("", "extra"))
        assert (second.line, second.marks) == (5, (("Дата", "15.02"),))

    @pytest.mark.parametrize("text", ["a | b\nc | d", "a | b\n\n---|---\n1 | 2", "a | b", "|---|---|"])
    def test_bars_alone_make_no_table(self, text):
        assert parse_entries(text) == ()

    def test_a_table_may_have_no_outer_bars_and_ends_with_the_file(self):
        assert told("a | b\n--|--\n1 | 2") == [(3, 3, "1 | 2")]


class TestWhatIsNoPersonsFact:
    def test_front_matter_code_and_comments(self):
        text = (
            "\ufeff---\n- yaml: list\n---\n- one <!-- why --> fact <!-- - two -->\n<!--\n- three\n-->\n- four\n"
            "```sh\n- five\n~~~\n```x\n```\n- six\n~~~\n- seven"
        )
        assert told(text) == [(4, 4, "one  fact"), (8, 8, "four"), (14, 14, "six")]

    def test_front_matter_that_is_never_closed_is_none(self):
        assert told("---\n- one\n") == [(2, 2, "one")]

    def test_a_comment_that_is_never_closed_is_none(self):
        assert told("- one <!-- two\n- three") == [(1, 1, "one <!-- two"), (2, 2, "three")]
        assert told("- one <!-- x -->\n- two <!-- three") == [(1, 1, "one"), (2, 2, "two <!-- three")]

    def test_managed_blocks_hold_machine_state(self):
        text = (
            "- mine\n<!-- tool:light:start -->\n- Candidate: a\n  - confidence: 0.00\n  - status: staged\n"
            "- Candidate: b\n- other\n<!-- tool:light:end -->\n- mine too\n"
            "<!-- BEGIN rules hash:1f -->\n- x\n<!-- END rules -->\n"
        )
        assert told(text) == [(1, 1, "mine"), (9, 9, "mine too")]
        light, rules = managed_blocks(text)
        assert (light.name, light.line, light.end_line, rules.name, rules.candidates) == (
            "tool:light",
            2,
            8,
            "rules",
            (),
        )
        first, second = light.candidates
        assert (first.form, first.text, first.line, first.end_line) == (EntryForm.CANDIDATE, "a", 3, 5)
        assert first.marks == (("confidence", "0.00"), ("status", "staged"))
        assert (second.text, second.line, second.marks) == ("b", 6, ())

    def test_blocks_inside_blocks_and_beginnings_without_an_end(self):
        text = (
            "<!-- a:start -->\n<!-- b:start -->\n<!-- b:end -->\n<!-- a:end -->\n"
            "<!-- c:start -->\n- mine\n<!-- d:end -->\n<!-- a note -->\n"
        )
        assert [(block.name, block.line, block.end_line) for block in managed_blocks(text)] == [("a", 1, 4)]
        assert told(text) == [(6, 6, "mine")]

    @pytest.mark.parametrize("path", ["DREAMS.md", "memory/.dreams/2026-01-01.md", "memory/heartbeat-state.json"])
    def test_machine_state_has_no_entries(self, path):
        assert parse_entries("- a fact", path) == ()


class TestPassages:
    def test_a_section_sign_alone_on_a_line_parts_them(self):
        text = "One,\n- with a bullet\n\n§\n\n  Two on 2026-02-28\r\n§\n\n§"
        assert told(text) == [(1, 2, "One,\n- with a bullet"), (6, 6, "  Two on 2026-02-28")]
        assert [entry.date for entry in parse_entries(text, "memory/2026-07-25.md")] == [
            date(2026, 7, 25),
            date(2026, 2, 28),
        ]


pieces = st.sampled_from(
    [
        "- fact", "  - inner", "* [ ] task", "1. step", "# 2026-02-28", "## Strategic", "prose", "", "---", "```",
        "~~~", "|a|b|", "|-|-|", "|1|2|", "<!-- t:start -->", "<!-- t:end -->", "<!--", "-->", "§", "@a.md", "- [[x]]",
        "- [t](a.md)", "- [trust:1] x", "\ttab", "- **K:** v", "- [c] t #g",
    ]
) | st.text(max_size=12)  # fmt: skip
texts = st.lists(pieces, max_size=20).map("\n".join)


class TestLaws:
    @given(texts)
    def test_entries_stand_in_order_on_lines_that_exist(self, text):
        entries = parse_entries(text)
        assert [entry.line for entry in entries] == sorted(entry.line for entry in entries)
        assert all(1 <= entry.line <= entry.end_line <= count_lines(text) for entry in entries)
        assert all(entry.text for entry in entries)

    @given(texts)
    def test_line_ends_and_a_byte_order_mark_change_nothing(self, text):
        plain = text.replace("\r", "")
        assert parse_entries("\ufeff" + plain.replace("\n", "\r\n")) == parse_entries(plain)

    @given(texts)
    def test_nothing_inside_a_managed_block_is_a_persons_fact(self, text):
        managed = {line for block in managed_blocks(text) for line in range(block.line, block.end_line + 1)}
        if "§" not in text:
            assert managed.isdisjoint(entry.line for entry in parse_entries(text))


@pytest.mark.parametrize(
    "piece",
    [
        "[a] ", "[", "**a", "[[a", "<!--", "<!-- -->", "|", "`", "- ", "#a ", "(a) ", "★ ", "word ", "[t](", " ",
        "a=b|", "2026-01-01 ",
    ],
)  # fmt: skip
def test_a_line_of_a_quarter_of_a_million_characters_is_read_in_time(piece):
    long = piece * (250_000 // len(piece))
    started = time.perf_counter()
    for start in ("- ", "- Task: ", "- [fact] x ", "- **", "# ", "<!-- ", "| "):
        parse_entries(f"{start}{long}\n|-|\n")
    assert time.perf_counter() - started < 20  # a second on an idle machine; anything not linear takes minutes


@pytest.mark.corpus
class TestTheCorpus:
    def test_expectation_8_a_file_of_passages(self):
        entries = parse_entries(corpus.text("hermes-fr/memory/MEMORY.md"), "memory/MEMORY.md")
        assert len(entries) == 8
        assert sum(line.endswith("  ") for entry in entries for line in entry.text.split("\n")) == 4

    def test_expectation_9_tagged_facts_by_tier(self):
        entries = parse_entries(corpus.text("openclaw-es-trust/agents/ali/long-term-memory.md"))
        assert {entry.form for entry in entries} == {EntryForm.TAGGED}
        tiers = Counter(entry.tier for entry in entries)
        assert tiers == {Tier.CONSTITUTIONAL: 10, Tier.STRATEGIC: 41, Tier.OPERATIONAL: 20}
        assert len({entry.text for entry in entries}) == 42

    def test_expectation_15_an_index_with_a_line_that_spills(self):
        path = "fixtures-claude-admin/test/fixtures/store/-Users-demo-repos-messy/memory/MEMORY.md"
        entries = parse_entries(corpus.text(path), "memory/MEMORY.md")
        assert [entry.form for entry in entries] == [EntryForm.INDEX] * 7
        targets = Counter(entry.target for entry in entries)
        assert (len(targets), max(targets.values())) == (6, 2)
        assert [entry.line for entry in entries if entry.end_line > entry.line] == [14]

    def test_expectation_16_staged_candidates_are_machine_state(self):
        text = corpus.text("openclaw-zh-dreams/memory/2026-04-17.md")
        light, rem = managed_blocks(text)
        assert (light.name, rem.name) == ("openclaw:dreaming:light", "openclaw:dreaming:rem")
        assert len(light.candidates) == 65
        assert {candidate.mark("status") for candidate in light.candidates} == {"staged"}
        assert parse_entries(text, "memory/2026-04-17.md") == ()

    @pytest.mark.parametrize(
        ("path", "form", "count"),
        [
            ("openclaw-de-mixed-eol/10-KB/memory-architecture.md", EntryForm.SCORED, 16),
            ("openclaw-en-canon/memory/10_CANON/preferences.md", EntryForm.TYPED, 2),
            ("openclaw-pt-consolidation/memory/institutional/decisions.md", EntryForm.DATED, 3),
            ("openclaw-ru-a/memory/mistakes.md", EntryForm.ROW, 6),
            ("sessions-jsonl-c/CLAUDE.md", EntryForm.FILE_IMPORT, 1),
        ],
    )
    def test_the_forms_seen_are_found_where_they_were_seen(self, path, form, count):
        assert sum(entry.form is form for entry in parse_entries(corpus.text(path), path)) == count

    def test_every_file_can_be_read_and_every_form_occurs(self):
        forms = Counter(entry.form for one in corpus.files() for entry in parse_entries(one.text(), one.inner))
        assert set(forms) == set(EntryForm) - {EntryForm.CANDIDATE}
