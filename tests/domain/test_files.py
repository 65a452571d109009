"""File kinds: which row of the table a name falls into, and the day a name speaks of."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.files import (
    FILE_KINDS,
    CutEnd,
    Load,
    date_in_name,
    dates_in_name,
    kind_named,
    kind_of,
)
from memoryadmin.domain.scopes import ScopeType
from tests.domain import corpus

AGENT, PROJECT, AGENT_USER = ScopeType.AGENT, ScopeType.PROJECT, ScopeType.AGENT_USER


class TestKindOf:
    @pytest.mark.parametrize(
        ("path", "kind"),
        [
            ("SOUL.md", "soul"),
            ("ABOUT.md", "about"),
            ("IDENTITY.md", "about"),
            ("AGENTS.md", "agents"),
            ("CLAUDE.md", "agents"),
            ("TOOLS.md", "tools"),
            ("USER.md", "user"),
            ("memory/USER.md", "user"),
            ("MEMORY.md", "memory"),
            ("memory/MEMORY.md", "memory"),
            (".claude/memory/MEMORY.md", "memory"),
            ("HANDOFF.md", "handoff"),
            ("memory/2026-07-25.md", "daily_log"),
            ("memory/2026-07-25-встреча.md", "daily_log"),
            ("backup/memory/2026-02-26-2026-03-01.md", "daily_log"),
            ("memory/daily/2026-05-11.md", "daily_log"),
            ("daily-logs/2026-05-11.md", "daily_log"),
            ("01-Daily/2026/2026-05-11.md", "daily_log"),
            ("logs/2026/07/25.md", "daily_log"),
            ("memory/clients.md", "topic"),
            ("memory/people/olga.md", "topic"),
            ("memory-bank/activeContext.md", "topic"),
            ("MEMORY_BANK/decisions.md", "topic"),
            ("memory.jsonl", "topic"),
            ("incidents-log.md", "episode_log"),
            ("shared/decisions-log.md", "episode_log"),
            (".cursor/rules/git.mdc", "rules"),
            (".clinerules", "rules"),
            (".clinerules/c#-guide.md", "rules"),
            ("src/app/CLAUDE.md", "rules"),
            ("hooks/morning/hook.yaml", "hook"),
            ("hooks/morning/run.sh", "hook"),
            ("sessions/9f1c.jsonl", "transcript"),
            (".specstory/history/2025-10-14_22-48Z-start.md", "transcript"),
            ("memory/.dreams/events.jsonl", "machine_state"),
            ("memory/.dreams/2026-04-14.md", "machine_state"),
            ("memory/heartbeat-state.json", "machine_state"),
            (".openclaw/workspace.json", "machine_state"),
            ("DREAMS.md", "machine_state"),
            ("HEARTBEAT.md", "other"),
            ("notes.txt", "other"),
            ("a\nb", "other"),
            ("", "other"),
        ],
    )
    def test_a_name_falls_into_its_row(self, path, kind):
        assert kind_of(path, AGENT).name == kind

    @pytest.mark.parametrize("path", ["archive/SOUL.md", "soul.md", "SOUL.md.bak", "x/USER.md", "x/MEMORY.md"])
    def test_a_system_name_counts_only_at_the_root_and_as_written(self, path):
        assert kind_of(path, AGENT).name == "other"

    def test_instructions_of_a_project_are_rules_of_its_repository(self):
        assert kind_of("AGENTS.md", PROJECT).name == "rules"
        assert kind_of("CLAUDE.md", PROJECT).name == "rules"
        assert kind_of("AGENTS.md", ScopeType.ORGANIZATION).name == "agents"

    @given(st.text(), st.sampled_from(ScopeType))
    def test_every_name_has_a_kind_of_the_table(self, path, scope_type):
        assert kind_of(path, scope_type) is FILE_KINDS[kind_of(path, scope_type).name]

    @pytest.mark.corpus
    def test_every_corpus_file_that_carries_a_day_and_lies_in_memory_is_a_daily_log(self):
        logs = [one for one in corpus.files() if re.match(r"memory/20\d\d-", one.inner)]
        assert len(logs) > 20
        assert {kind_of(one.inner, AGENT_USER).name for one in logs} == {"daily_log"}


class TestTheTable:
    def test_limits_are_those_of_the_design(self):
        limits = {kind.name: kind.soft_limit_chars for kind in FILE_KINDS.values()}
        assert limits == {
            **dict.fromkeys(("soul", "about", "agents", "tools", "user", "handoff"), 2_000),
            "memory": 5_000,
            **dict.fromkeys(("topic", "rules", "hook", "other"), 20_000),
            **dict.fromkeys(("daily_log", "episode_log", "transcript", "machine_state")),
        }
        assert (FILE_KINDS["memory"].limit_lines, FILE_KINDS["memory"].limit_bytes) == (200, 25_000)

    def test_logs_lose_their_beginning_and_everything_else_its_end(self):
        from_start = {kind.name for kind in FILE_KINDS.values() if kind.cut_end is CutEnd.START}
        assert from_start == {"daily_log", "episode_log"}
        assert from_start == {kind.name for kind in FILE_KINDS.values() if kind.is_append_only}

    def test_only_kinds_that_can_be_sent_at_the_start_have_a_section(self):
        sent = {Load.INJECT, Load.BY_STRATEGY, Load.OPTIONAL, Load.WINDOW}
        assert all(bool(kind.tag) == (kind.load in sent) for kind in FILE_KINDS.values())
        tags = [kind.tag for kind in FILE_KINDS.values() if kind.tag]
        assert len(tags) == len(set(tags))

    def test_a_kind_is_found_by_its_name_and_an_unknown_one_is_other(self):
        assert kind_named("soul") is FILE_KINDS["soul"]
        assert kind_named("no_longer_there") is FILE_KINDS["other"]


class TestDatesInName:
    @pytest.mark.parametrize(
        ("path", "days"),
        [
            ("memory/2026-07-25.md", [date(2026, 7, 25)]),
            ("memory/2026-02-14-0804.md", [date(2026, 2, 14)]),
            ("backup/memory/2026-02-26-2026-03-01.md", [date(2026, 2, 26), date(2026, 3, 1)]),
            ("docs/SESSION-2026-02-05_01-sync.md", [date(2026, 2, 5)]),
            ("logs/2026/07/25.md", [date(2026, 7, 25)]),
            ("2026/07/25-release.md", [date(2026, 7, 25)]),
            ("logs/2026/07/2026-07-26.md", [date(2026, 7, 26)]),
            ("memory/2026-02-30.md", []),
            ("memory/0000-01-01.md", []),
            ("memory/12026-01-01.md", []),
            ("2026-07-25/notes.md", []),
            ("memory/٢٠٢٦-٠٧-٢٥.md", []),
            ("clients.md", []),
        ],
    )
    def test_days_are_read_from_the_name(self, path, days):
        assert list(dates_in_name(path)) == days
        assert date_in_name(path) == (days[0] if days else None)

    @given(
        st.dates(),
        st.sampled_from(["", "memory/", "2026-01-02/"]),
        st.sampled_from(["", "-заметки", "-0804"]),
    )
    def test_every_day_survives_the_way_into_a_name_and_back(self, day, folder, rest):
        assert date_in_name(f"{folder}{day.isoformat()}{rest}.md") == day
