"""Imports: what shows only when files are seen together, chains of versions, and ids made from names."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.imports import Standing, slug_for, standing
from memoryadmin.domain.scopes import is_slug
from tests.domain.importing import a_file, a_folder, notes_of, places, proposed, refusal_of

segments = st.sampled_from(
    [
        "SOUL.md", "USER.md", "memory", "agents", "ali", "@versions", "001-2026-01-01.md", "x.jsonl", "..", "", "Ё.md",
        "ё.md", "identity", "2026-01-02.md", "workspace-a", ".claude", "_archive", "Shared", "a.af", "workspace",
    ]
) | st.text(max_size=3)  # fmt: skip
folders = st.lists(st.lists(segments, min_size=1, max_size=4).map("/".join), unique=True, max_size=12)


class TestRemarks:
    def test_of_two_sources_for_one_place_the_first_is_taken(self):
        proposal = proposed([a_file("a//x.md", "1"), a_file("a/x.md", "2"), *a_folder("b.md")])
        assert refusal_of(proposal, "a/x.md") == ("same_target", {"other": "a//x.md"})
        assert places(proposal)["a//x.md"] == "project:a/x.md"

    def test_names_that_differ_in_case_alone_are_both_taken_and_noted(self):
        proposal = proposed(a_folder("grey/HEARTBEAT.md", "grey/heartbeat.md"))
        assert notes_of(proposal, "grey/HEARTBEAT.md") == [("case_clash", {"other": "grey/heartbeat.md"})]
        assert notes_of(proposal, "grey/heartbeat.md") == [("case_clash", {"other": "grey/HEARTBEAT.md"})]

    def test_exact_duplicates_are_one_group_and_empty_files_none(self):
        proposal = proposed([a_file("a.md", "x"), a_file("b.md", "x"), a_file("c.md", ""), a_file("d.md", "")])
        group = [("same_bytes", {"first": "a.md", "count": "2"})]
        assert [notes_of(proposal, path) for path in ("a.md", "b.md")] == [group, group]
        assert [notes_of(proposal, path) for path in ("c.md", "d.md")] == [[("empty", {})]] * 2

    def test_two_dates_in_a_name_are_told_unless_they_are_the_same(self):
        proposal = proposed(a_folder("memory/2026-02-26-2026-03-01.md", "memory/2026-02-27-2026-02-27.md"))
        noted = notes_of(proposal, "memory/2026-02-26-2026-03-01.md")
        assert noted == [("two_dates", {"first": "2026-02-26", "second": "2026-03-01"})]
        assert notes_of(proposal, "memory/2026-02-27-2026-02-27.md") == []

    def test_a_log_alone_in_its_year_is_told(self):
        proposal = proposed(a_folder("memory/2025-02-09.md", "memory/2026-02-09.md", "memory/2026-02-10.md"))
        assert notes_of(proposal, "memory/2025-02-09.md") == [("lone_year", {"year": "2025", "others": "2026"})]
        assert notes_of(proposal, "memory/2026-02-09.md") == []

    def test_a_year_with_several_logs_is_no_slip(self):
        days = ("2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03")
        proposal = proposed(a_folder(*(f"memory/{day}.md" for day in days)))
        assert all(notes_of(proposal, f"memory/{day}.md") == [] for day in days)


class TestVersions:
    def test_a_chain_comes_in_order_with_its_days(self):
        proposal = proposed(
            a_folder(
                "SOUL.md",
                "@versions/SOUL.md/010-2026-03-08-2c811e4e.md",
                "@versions/SOUL.md/2-2026-02-25.md",
                "@versions/SOUL.md/001.md",
            )
        )
        (placement,) = proposal.placements
        assert [(one.number, one.day) for one in placement.versions] == [
            (1, None),
            (2, date(2026, 2, 25)),
            (10, date(2026, 3, 8)),
        ]

    def test_days_order_a_chain_without_numbers(self):
        names = ("2026-03-08.md", "2025-12-23-first.md", "2026-01-01T10.md")
        proposal = proposed(a_folder("x/y.md", *(f"@versions/x/y.md/{name}" for name in names)))
        assert [one.day.isoformat() for one in proposal.placements[-1].versions] == [
            "2025-12-23",
            "2026-01-01",
            "2026-03-08",
        ]

    def test_a_chain_in_a_folder_belongs_to_the_file_in_that_folder(self):
        proposal = proposed(a_folder("agents/ali/SOUL.md", "agents/ali/@versions/SOUL.md/001.md"))
        (placement,) = proposal.placements
        assert (placement.scope.agent, placement.path, len(placement.versions)) == ("ali", "SOUL.md", 1)

    def test_a_chain_without_its_file_ends_with_its_last_version(self):
        proposal = proposed(a_folder("@versions/SOUL.md/001.md", "@versions/SOUL.md/002.md"))
        (placement,) = proposal.placements
        assert (placement.source_path, placement.path) == ("@versions/SOUL.md/002.md", "SOUL.md")
        assert [one.number for one in placement.versions] == [1]
        assert notes_of(proposal, placement.source_path) == [("history_only", {})]

    def test_a_version_that_says_no_order_is_refused(self):
        proposal = proposed(a_folder("SOUL.md", "@versions/SOUL.md/draft.md"))
        assert refusal_of(proposal, "@versions/SOUL.md/draft.md") == ("version_unordered", {})

    def test_a_version_cannot_lead_out(self):
        path = "@versions/../../etc/passwd/001.md"
        assert refusal_of(proposed(a_folder(path)), path) == ("unsafe_name", {"reason": "dot_segment"})


class TestLaws:
    @given(folders, st.booleans(), st.booleans())
    def test_every_source_is_placed_once_and_no_place_is_given_twice(self, paths, has_agent, has_person):
        given_agent = {} if has_agent else {"agent": None}
        given_person = {} if has_person else {"person": None}
        proposal = proposed(a_folder(*paths), **given_agent, **given_person)
        found = [one.source_path for one in proposal.placements]
        found += [version.source.path for one in proposal.placements for version in one.versions]
        assert sorted(found) == sorted(paths)
        targets = [(one.scope, one.path) for one in proposal.taken]
        assert len(targets) == len(set(targets))
        agents = {one.scope.agent for one in proposal.taken if one.scope.agent}
        assert {one.slug for one in proposal.agents} == agents

    @given(folders, st.randoms())
    def test_the_order_in_which_a_folder_is_read_does_not_matter(self, paths, random):
        files = a_folder(*paths)
        shuffled = list(files)
        random.shuffle(shuffled)
        assert proposed(files) == proposed(shuffled)


class TestSlugFor:
    @pytest.mark.parametrize("name", ["ali", "customer_support", "agent_2_2026-08-06", "9f1c0000-0000-4000-8000-01"])
    def test_an_id_stays_itself(self, name):
        assert slug_for(name) == name

    @pytest.mark.parametrize(
        ("name", "beginning"),
        [("Forge", "forge-x"), ("Main 15", "main-15-x"), ("遺書", "agent-x"), ("Łuka é", "uka-e-x"), ("", "agent-x")],
    )
    def test_what_can_be_read_of_a_name_is_kept(self, name, beginning):
        assert slug_for(name).startswith(beginning)

    def test_the_word_stands_for_a_name_of_which_nothing_is_left(self):
        assert slug_for("…", word="session").startswith("session-x")

    @given(st.text())
    def test_every_name_has_an_id_and_it_is_its_own(self, name):
        assert is_slug(slug_for(name))
        assert slug_for(slug_for(name)) == slug_for(name)

    @given(st.text(), st.text())
    def test_two_names_have_two_ids(self, one, other):
        if one not in {other, slug_for(other)} and other != slug_for(one):
            assert slug_for(one) != slug_for(other)


class TestStanding:
    @pytest.mark.parametrize(
        ("known", "chain", "expected"),
        [
            ("", "a", Standing.NEW),
            ("ab", "b", Standing.SAME),
            ("ab", "abc", Standing.NEWER),
            ("abc", "b", Standing.OLDER),
            ("abc", "ab", Standing.OLDER),
            ("aba", "a", Standing.SAME),
            ("ab", "xy", Standing.CHANGED),
        ],
    )
    def test_IE_02_an_older_file_is_told_from_a_newer(self, known, chain, expected):
        assert standing(list(known), list(chain)) is expected
