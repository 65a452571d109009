"""kill -9 at every statement and commit of every act: nothing acknowledged is lost, nothing is half done."""

import pytest

from tests.crashing import COMMIT, STATEMENT, Bench

pytestmark = pytest.mark.crash
MODULE = "tests.services.ledgered"


@pytest.fixture
def bench(tmp_path):
    with Bench(tmp_path) as bench:
        yield bench


def prepared(bench, *names):
    found = bench.run(f"{MODULE}:prepare", names=list(names)).result
    bench.remember()
    return found


def verified(bench):
    found = bench.run(f"{MODULE}:verify").result
    assert found["faults"] == []
    return found["texts"]


class TestASaveThatIsKilled:
    def test_at_every_point_leaves_a_whole_ledger_with_every_acknowledged_text(self, bench):
        file_id = prepared(bench, "notes.md")["files"]["notes.md"]
        scenario, arguments = f"{MODULE}:save", {"file_id": file_id, "texts": ["one\n"]}
        points = bench.fault_points(scenario, [STATEMENT, COMMIT], **arguments)
        assert len(points) > 12
        outcomes = set()
        for kill in points:
            run = bench.run(scenario, kill=kill, **arguments)
            assert run.was_killed, kill
            texts = verified(bench)[str(file_id)]
            assert texts in (["base\n"], ["base\n", "one\n"]), kill
            assert [text for text in run.acknowledged if text not in texts] == [], kill
            outcomes.add(len(texts))
            # A retry after the crash makes exactly the versions that were missing.
            bench.run(scenario, **arguments)
            assert verified(bench)[str(file_id)] == ["base\n", "one\n"], kill
            bench.restore()
        assert outcomes == {1, 2}

    @pytest.mark.parametrize("name", ["create", "append", "rename", "delete", "restore"])
    def test_so_is_every_other_act(self, bench, name):
        found = prepared(bench, "notes.md")
        arguments = {"name": name, "scope_id": found["scope_id"], "file_id": found["files"]["notes.md"]}
        points = bench.fault_points(f"{MODULE}:act", [STATEMENT, COMMIT], **arguments)
        counts = set()
        for kill in points:
            run = bench.run(f"{MODULE}:act", kill=kill, **arguments)
            texts = verified(bench)
            counts.add(sum(len(of_file) for of_file in texts.values()))
            if name in run.acknowledged:
                assert max(counts) == sum(len(of_file) for of_file in texts.values()), kill
            bench.restore()
        assert len(counts) == (3 if name == "restore" else 2)

    def test_through_the_page_keeps_what_the_browser_was_told_is_saved(self, bench):
        found = prepared(bench, "notes.md")
        file_id = found["files"]["notes.md"]
        arguments = {"person": found["person"], "file_id": file_id, "text": "typed\r\n"}
        points = bench.fault_points(f"{MODULE}:post", [STATEMENT, COMMIT], **arguments)
        lengths = set()
        for kill in points:
            run = bench.run(f"{MODULE}:post", kill=kill, **arguments)
            texts = verified(bench)[str(file_id)]
            assert texts in (["base\n"], ["base\n", "typed\n"]), kill
            assert not run.acknowledged or texts[-1] == "typed\n", kill
            lengths.add(len(texts))
            bench.restore()
        assert lengths == {1, 2}


class TestSavesAtOnce:
    def test_of_four_processes_are_neither_lost_nor_refused(self, bench):
        names = ["shared.md", *(f"own-{n}.md" for n in range(4))]
        ids = prepared(bench, *names)["files"]
        count = 1000
        running = [
            bench.start(f"{MODULE}:save_many", worker=n, own=ids[f"own-{n}.md"], shared=ids["shared.md"], count=count)
            for n in range(4)
        ]
        acknowledged = [run.wait().acknowledged for run in running]
        assert [len(one) for one in acknowledged] == [count] * 4
        texts = verified(bench)
        for worker, told in enumerate(acknowledged):
            own = [text for where, text in told if where == "own"]
            assert texts[str(ids[f"own-{worker}.md"])] == ["base\n", *own]
            lines = [text for where, text in told if where == "shared"]
            kept = texts[str(ids["shared.md"])][-1].splitlines(keepends=True)
            assert [line for line in kept if line.startswith(f"worker {worker} ")] == lines
        assert len(texts[str(ids["shared.md"])]) == 1 + 4 * count // 2

    def test_EC_04_of_two_tabs_on_one_base_exactly_one_is_accepted(self, bench):
        file_id = prepared(bench, "AGENTS.md")["files"]["AGENTS.md"]
        rounds = 200
        running = [
            bench.start(f"{MODULE}:save_on_one_base", worker=n, file_id=file_id, rounds=rounds) for n in range(2)
        ]
        told = [entry for run in running for entry in run.wait().acknowledged]
        texts = verified(bench)[str(file_id)]
        for number in range(rounds):
            accepted = [text for outcome, of_round, text in told if outcome == "accepted" and of_round == number]
            assert len(accepted) == 1 and texts[2 * number + 1] == accepted[0]
        assert len(texts) == 1 + 2 * rounds
