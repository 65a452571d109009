"""Imports: whose memory each file of a folder becomes, and why some are not taken."""

import hashlib

import pytest

from memoryadmin.domain.errors import ScopeIncompleteError
from memoryadmin.domain.imports import ImportTarget, SourceFile, propose, wrapper_of
from tests.domain import corpus
from tests.domain.importing import PERSON, a_file, a_folder, a_link, notes_of, places, proposed, refusal_of

EDGE_CASES = "test/test_data/edge_cases.jsonl"


class TestAFolderAroundEverything:
    @pytest.mark.parametrize(
        ("paths", "wrapper"),
        [
            (["w-main/SOUL.md", "w-main/memory/a.md"], "w-main/"), (["SOUL.md", "w/SOUL.md"], ""),
            (["w/SOUL.md", "wider/SOUL.md"], ""), (["SOUL.md"], ""), ([], ""), (["memory/a.md", "memory/b.md"], ""),
            (["03-Agents/tug/SOUL.md"], ""), (["workspace-tug/SOUL.md"], ""), (["@versions/SOUL.md/001.md"], ""),
        ],
    )  # fmt: skip
    def test_is_told_from_a_folder_that_says_whose_the_files_are(self, paths, wrapper):
        assert wrapper_of(paths) == wrapper


class TestAWorkspace:
    FOLDER = a_folder(
        "SOUL.md", "IDENTITY.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "notes/plan.md", "USER.md",
        "MEMORY.md", "memory/clients.md", "memory/2026-07-25.md", "daily-logs/2026-07-24.md", "01-Daily/2026-07-23.md",
        "memory/.dreams/events.jsonl", "memory/heartbeat-state.json", ".openclaw/workspace.json", "memory/inbox.jsonl",
        "memory-bank/progress.md", "CLAUDE.md", ".claude/memory/MEMORY.md", ".cursor/rules/git.mdc", ".clinerules",
        "HANDOFF.md",
    )  # fmt: skip

    def test_an_agents_files_a_persons_files_and_a_repositorys_files_part(self):
        assert places(proposed(self.FOLDER)) == {
            "SOUL.md": "agent:planner:SOUL.md",
            "IDENTITY.md": "agent:planner:IDENTITY.md",
            "AGENTS.md": "agent:planner:AGENTS.md",
            "TOOLS.md": "agent:planner:TOOLS.md",
            "HEARTBEAT.md": "agent:planner:HEARTBEAT.md",
            "BOOTSTRAP.md": "agent:planner:BOOTSTRAP.md",
            "notes/plan.md": "agent:planner:notes/plan.md",
            "USER.md": "agent_user:planner:USER.md",
            "MEMORY.md": "agent_user:planner:MEMORY.md",
            "memory/clients.md": "agent_user:planner:memory/clients.md",
            "memory/2026-07-25.md": "agent_user:planner:memory/2026-07-25.md",
            "daily-logs/2026-07-24.md": "agent_user:planner:daily-logs/2026-07-24.md",
            "01-Daily/2026-07-23.md": "agent_user:planner:01-Daily/2026-07-23.md",
            "memory/inbox.jsonl": "agent_user:planner:memory/inbox.jsonl",
            "memory/.dreams/events.jsonl": "agent:planner:memory/.dreams/events.jsonl",
            "memory/heartbeat-state.json": "agent:planner:memory/heartbeat-state.json",
            ".openclaw/workspace.json": "agent:planner:.openclaw/workspace.json",
            "memory-bank/progress.md": "project:memory-bank/progress.md",
            "CLAUDE.md": "project:CLAUDE.md",
            ".claude/memory/MEMORY.md": "project:.claude/memory/MEMORY.md",
            ".cursor/rules/git.mdc": "project:.cursor/rules/git.mdc",
            ".clinerules": "project:.clinerules",
            "HANDOFF.md": "project:HANDOFF.md",
        }

    def test_a_kind_is_that_of_the_scope_a_file_goes_to(self):
        kinds = {one.source_path: one.kind.name for one in proposed(self.FOLDER).placements}
        assert kinds["AGENTS.md"] == "agents"
        assert kinds["CLAUDE.md"] == "rules"
        assert kinds["memory/.dreams/events.jsonl"] == "machine_state"

    def test_without_a_person_everything_is_the_agents_and_personal_files_say_so(self):
        proposal = proposed(self.FOLDER, person=None)
        assert not any(place.startswith("agent_user") for place in places(proposal).values())
        for path in ("USER.md", "MEMORY.md"):
            assert places(proposal)[path] == f"agent:planner:{path}"
            assert notes_of(proposal, path) == [("no_person", {})]

    def test_without_an_agent_its_files_are_refused_and_the_option_is_named(self):
        proposal = proposed(self.FOLDER, agent=None)
        assert refusal_of(proposal, "SOUL.md") == ("agent_needed", {"option": "--agent"})
        assert places(proposal)["USER.md"] == "user:USER.md"
        assert places(proposal)["CLAUDE.md"] == "project:CLAUDE.md"
        assert {one.source_path for one in proposal.taken} == {
            "USER.md", "CLAUDE.md", "HANDOFF.md", ".claude/memory/MEMORY.md", ".cursor/rules/git.mdc", ".clinerules",
            "memory-bank/progress.md",
        }  # fmt: skip
        assert len(proposal.taken) + len(proposal.refused) == len(self.FOLDER)

    def test_a_persons_file_of_nobody_and_no_agent_is_refused(self):
        assert refusal_of(proposed(self.FOLDER, agent=None, person=None), "USER.md")[0] == "agent_needed"

    def test_a_workspace_inside_a_folder_called_workspace_is_the_agents(self):
        found = places(proposed(a_folder("workspace/SOUL.md", "workspace/memory/x.md", "settings.json")))
        assert found == {
            "workspace/SOUL.md": "agent:planner:SOUL.md",
            "workspace/memory/x.md": "agent_user:planner:memory/x.md",
            "settings.json": "project:settings.json",
        }


class TestARepository:
    def test_its_files_are_the_projects(self):
        folder = a_folder("AGENTS.md", "src/app/CLAUDE.md", "docs/state.json", "README.md", "tests/memory/x.md")
        found = places(proposed(folder))
        assert set(found.values()) == {f"project:{file.path}" for file in folder}

    def test_instructions_alone_are_the_named_agents_unless_the_folder_looks_like_code(self):
        assert places(proposed(a_folder("AGENTS.md", "notes.md")))["AGENTS.md"] == "agent:planner:AGENTS.md"
        assert places(proposed(a_folder("AGENTS.md", "notes.md"), agent=None))["AGENTS.md"] == "project:AGENTS.md"
        assert places(proposed(a_folder("AGENTS.md", "HANDOFF.md")))["AGENTS.md"] == "project:AGENTS.md"


class TestOtherAgents:
    def test_folders_of_agents_are_not_the_root_agents(self):
        proposal = proposed(
            a_folder(
                "SOUL.md", "agents/ali/SOUL.md", "agents/ali/memory/x.md", "agents/ali/memory-bank/y.md",
                "agents/@team/ezra/ezra.af", "agents/_archive/old/USER.md", "workspace-finance/SOUL.md",
                "grey/heartbeat.md", "grey/memory/2026-01-02.md", "agents/README.md", "agents/shared/rules.md",
                "letta/x.af", "workspace-x.md",
            )
        )  # fmt: skip
        assert places(proposal) == {
            "SOUL.md": "agent:planner:SOUL.md",
            "agents/ali/SOUL.md": "agent:ali:SOUL.md",
            "agents/ali/memory/x.md": "agent_user:ali:memory/x.md",
            "agents/ali/memory-bank/y.md": "agent:ali:memory-bank/y.md",
            "agents/@team/ezra/ezra.af": "agent:ezra:ezra.af",
            "agents/_archive/old/USER.md": "agent_user:old:USER.md",
            "workspace-finance/SOUL.md": "agent:finance:SOUL.md",
            "grey/heartbeat.md": "agent:grey:heartbeat.md",
            "grey/memory/2026-01-02.md": "agent_user:grey:memory/2026-01-02.md",
            "agents/README.md": "agent:planner:agents/README.md",
            "agents/shared/rules.md": "agent:planner:agents/shared/rules.md",
            "letta/x.af": "agent:letta:x.af",
            "workspace-x.md": "agent:planner:workspace-x.md",
        }
        assert [(one.slug, one.name, one.folder) for one in proposal.agents] == [
            ("ali", "ali", "agents/ali/"),
            ("ezra", "ezra", "agents/@team/ezra/"),
            ("finance", "finance", "workspace-finance/"),
            ("grey", "grey", "grey/"),
            ("letta", "letta", "letta/"),
            ("old", "old", "agents/_archive/old/"),
            ("planner", "", ""),
        ]
        assert notes_of(proposal, "agents/_archive/old/USER.md") == [
            ("archived_agent", {"folder": "agents/_archive/old/"})
        ]

    def test_they_need_no_option(self):
        proposal = proposed(a_folder("agents/ali/SOUL.md"), agent=None, person=None)
        assert places(proposal) == {"agents/ali/SOUL.md": "agent:ali:SOUL.md"}

    def test_a_folder_that_may_be_one_is_asked_about_and_stays_the_root_agents(self):
        folder = [
            a_file("SOUL.md", "me"),
            a_file("identity/SOUL.md", "I"),
            a_file("identity/x.md", "x"),
            a_file("twin/SOUL.md", "me"),
        ]
        proposal = proposed(folder)
        assert places(proposal)["identity/SOUL.md"] == "agent:planner:identity/SOUL.md"
        assert notes_of(proposal, "identity/x.md") == [("maybe_agent", {"folder": "identity"})]
        assert ("maybe_agent", {"folder": "twin"}) in notes_of(proposal, "twin/SOUL.md")

    @pytest.mark.parametrize("path", ["docs/SOUL.md", ".hidden/SOUL.md", "a/b/SOUL.md", "templates/HEARTBEAT.md"])
    def test_folders_of_other_uses_are_none(self, path):
        assert places(proposed([*a_folder("SOUL.md"), a_file(path)]))[path] == f"agent:planner:{path}"


class TestSessions:
    def test_a_transcript_is_a_session_of_its_own_name(self):
        proposal = proposed(a_folder("-Users-demo/9f1c-01.jsonl", "-Users-demo/9f1c-01/sub/helper.jsonl"))
        assert places(proposal) == {
            "-Users-demo/9f1c-01.jsonl": "session:9f1c-01:9f1c-01.jsonl",
            "-Users-demo/9f1c-01/sub/helper.jsonl": "session:9f1c-01:sub/helper.jsonl",
        }
        assert {one.scope.owner for one in proposal.placements} == {PERSON}

    def test_the_same_name_in_two_folders_is_two_sessions(self):
        proposal = proposed(a_folder("a/run.jsonl", "b/run.jsonl"))
        sessions = {one.scope.session for one in proposal.placements}
        assert len(sessions) == 2
        assert all(one.startswith(("a-run-x", "b-run-x")) for one in sessions)

    def test_a_transcript_in_Markdown_keeps_the_folder_that_makes_it_one(self):
        proposal = proposed(a_folder(".specstory/history/2025-10-15_00-22z-start.md"))
        (placement,) = proposal.placements
        assert placement.scope.session == "2025-10-15_00-22z-start"
        assert (placement.path, placement.kind.name) == (placement.source_path, "transcript")

    def test_a_session_of_nobody_says_so(self):
        assert notes_of(proposed(a_folder("x.jsonl"), person=None), "x.jsonl") == [("no_session_person", {})]


class TestRefusals:
    def test_links_are_never_followed(self):
        proposal = proposed(
            [
                *a_folder("AGENTS.md", "docs/x.md"),
                a_link("CLAUDE.md", "AGENTS.md"),
                a_link("docs/CLAUDE.md", "../AGENTS.md"),
                a_link("TOOLS.md", "/srv/somebody/TOOLS.md"),
                a_link("up.md", "../../secrets.md"),
                a_link("loop.md", "loop.md"),
            ]
        )
        assert refusal_of(proposal, "CLAUDE.md") == ("symlink_alias", {"target": "AGENTS.md"})
        assert refusal_of(proposal, "docs/CLAUDE.md") == ("symlink_alias", {"target": "AGENTS.md"})
        for path in ("TOOLS.md", "up.md", "loop.md"):
            assert refusal_of(proposal, path) == ("symlink_outside", {})

    @pytest.mark.parametrize(
        ("path", "reason"),
        [
            ("../x.md", "dot_segment"),
            ("/etc/passwd", "absolute"),
            ("a\nb.md", "hidden_character"),
            ("x" * 300, "segment_too_long"),
        ],
    )
    def test_SE_04_unsafe_names_are_refused_with_the_reason(self, path, reason):
        assert refusal_of(proposed([a_file(path)]), path) == ("unsafe_name", {"reason": reason})

    def test_names_that_can_be_mended_are_and_say_so(self):
        proposal = proposed([a_file("system//references/е\u0308.md")])
        (placement,) = proposal.placements
        assert placement.path == "system/references/ё.md"
        assert notes_of(proposal, placement.source_path) == [("double_slash", {}), ("composed", {})]

    @pytest.mark.parametrize(
        ("target", "field"),
        [
            (ImportTarget(""), "project"),
            (ImportTarget("p", agent="Not A Slug"), "agent"),
            (ImportTarget("p", agent=""), "agent"),
            (ImportTarget("p", person="alice"), "person"),
        ],
    )
    def test_a_target_that_is_no_id_is_an_error_that_names_the_field(self, target, field):
        with pytest.raises(ScopeIncompleteError) as caught:
            propose([a_file("SOUL.md")], target)
        assert caught.value.field == field


@pytest.mark.corpus
class TestTheCorpus:
    @staticmethod
    def _proposal(source):
        files = [
            SourceFile(one.inner, len(one.read_bytes()), hashlib.sha256(one.read_bytes()).hexdigest())
            for one in corpus.files(source)
        ]
        return proposed(files)

    @pytest.mark.parametrize(
        ("source", "path", "place", "kind"),
        [
            ("membank-crlf", "AGENTS.md", "project:AGENTS.md", "rules"),
            ("hermes-fr", "memory/MEMORY.md", "agent_user:planner:memory/MEMORY.md", "memory"),
            ("openclaw-pt-caseclash", "grey/heartbeat.md", "agent:grey:heartbeat.md", "other"),
            ("openclaw-ar", "customer_support/SOUL.md", "agent:customer_support:SOUL.md", "soul"),
            ("letta-af", "agents/@letta-ai/ezra/ezra.af", "agent:ezra:ezra.af", "other"),
            (
                "sessions-jsonl-c",
                "tests/sample_session.jsonl",
                "session:sample_session:sample_session.jsonl",
                "transcript",
            ),
            ("openclaw-zh-dreams", "DREAMS.md", "agent:planner:DREAMS.md", "machine_state"),
            ("obsidian-en-graph", "identity/SOUL.md", "agent:planner:identity/SOUL.md", "other"),
            (
                "openclaw-de-mixed-eol",
                "03-Agents/Shared/decisions-log.md",
                "project:03-Agents/Shared/decisions-log.md",
                "episode_log",
            ),
            ("sessions-jsonl-a", EDGE_CASES, "session:edge_cases:edge_cases.jsonl", "transcript"),
        ],
    )
    def test_named_files_go_where_the_expectations_say(self, source, path, place, kind):
        proposal = self._proposal(source)
        assert places(proposal)[path] == place
        assert {one.source_path: one.kind.name for one in proposal.taken}[path] == kind

    @pytest.mark.parametrize("source", corpus.sources())
    def test_nothing_of_a_source_is_refused_or_lost(self, source):
        proposal = self._proposal(source)
        assert proposal.refused == ()
        found = [one.source_path for one in proposal.placements]
        found += [version.source.path for one in proposal.placements for version in one.versions]
        assert sorted(found) == sorted(one.inner for one in corpus.files(source))
