"""The projection under kill -9 and with two workers: real processes, a real SQLite file, a real folder."""

import pytest

from tests.crashing import COMMIT, STATEMENT, Bench, Kill

pytestmark = pytest.mark.crash
HERE = "tests.services.mirrored:"
# Every statement and commit of the queue and the ledger, and every change that the folder makes.
POINTS = (STATEMENT, COMMIT, "os:rename", "os:unlink")


@pytest.fixture
def bench(tmp_path):
    with Bench(tmp_path) as started:
        yield started


@pytest.fixture
def scope_id(bench) -> int:
    return bench.run(HERE + "a_project").result


def require_converged(bench: Bench, expected: dict[str, str]) -> None:
    seen = bench.run(HERE + "settle_and_look").result
    assert seen["mirror"] == seen["heads"] == expected
    assert [key.removeprefix("projects/harbour/workspace/") for key in seen["keys"]] == sorted(expected)
    assert (seen["states"], seen["open"], seen["faults"]) == (["current"], 0, [])


def survive_every_kill(bench: Bench, expected: dict[str, str]) -> None:
    """Kill a worker at every point, from the same beginning; the next one has to end the work."""
    bench.remember()
    points = bench.fault_points(HERE + "work", POINTS)
    assert len(points) > 20
    for kill in points:
        assert bench.run(HERE + "work", kill=kill).was_killed, f"nothing died {kill}"
        try:
            require_converged(bench, expected)
        except AssertionError as error:
            error.add_note(f"killed {kill}")
            raise
        bench.restore()


class TestAWorkerKilledAtAnyStep:
    def test_of_a_first_put(self, bench, scope_id):
        bench.run(HERE + "create", scope_id=scope_id, path="план+1.md", text="one\n")

        survive_every_kill(bench, {"план+1.md": "one\n"})

    def test_of_a_later_put(self, bench, scope_id):
        file_id = bench.run(HERE + "create", scope_id=scope_id, path="a.md", text="one\n").result
        bench.run(HERE + "work")
        for text in ("two\n", "three\n"):
            bench.run(HERE + "save", file_id=file_id, text=text)

        survive_every_kill(bench, {"a.md": "three\n"})

    def test_of_a_rename(self, bench, scope_id):
        file_id = bench.run(HERE + "create", scope_id=scope_id, path="a.md", text="one\n").result
        bench.run(HERE + "work")
        bench.run(HERE + "rename", file_id=file_id, path="memory/b.md")

        survive_every_kill(bench, {"memory/b.md": "one\n"})

    def test_of_a_deletion_and_a_new_file_of_that_name(self, bench, scope_id):
        file_id = bench.run(HERE + "create", scope_id=scope_id, path="a.md", text="one\n").result
        bench.run(HERE + "work")
        bench.run(HERE + "delete", file_id=file_id)
        bench.run(HERE + "create", scope_id=scope_id, path="a.md", text="another life\n")

        survive_every_kill(bench, {"a.md": "another life\n"})


class TestWhatHappensBetweenTheKillAndTheNextRun:
    """A worker dies between the put and its record; then people go on."""

    @pytest.fixture
    def file_id(self, bench, scope_id) -> int:
        file_id = bench.run(HERE + "create", scope_id=scope_id, path="a.md", text="one\n").result
        assert bench.run(HERE + "work", kill=Kill("os:rename", 1, "after")).was_killed
        assert bench.run(HERE + "mirror").result == {"a.md": "one\n"}
        return file_id

    def test_a_save(self, bench, file_id):
        bench.run(HERE + "save", file_id=file_id, text="two\n")

        require_converged(bench, {"a.md": "two\n"})

    def test_a_rename_leaves_no_orphan(self, bench, file_id):
        bench.run(HERE + "rename", file_id=file_id, path="b.md")

        require_converged(bench, {"b.md": "one\n"})

    def test_a_rename_and_another_file_of_the_old_name(self, bench, scope_id, file_id):
        bench.run(HERE + "rename", file_id=file_id, path="b.md")
        bench.run(HERE + "create", scope_id=scope_id, path="a.md", text="one\n")

        require_converged(bench, {"a.md": "one\n", "b.md": "one\n"})

    def test_a_deletion(self, bench, file_id):
        bench.run(HERE + "delete", file_id=file_id)

        require_converged(bench, {})


class TestTwoWorkers:
    def test_GL_05_do_each_of_200_jobs_once(self, bench, scope_id):
        bench.run(HERE + "many_files", scope_id=scope_id, count=200)

        workers = [bench.start(HERE + "work_and_tell") for _ in range(2)]
        first, second = (worker.wait() for worker in workers)

        assert first.result + second.result == 200
        assert min(first.result, second.result) > 0
        put = first.acknowledged + second.acknowledged
        assert (len(put), len(set(put))) == (200, 200)
        require_converged(bench, {f"note-{index:03}.md": f"text {index}\n" for index in range(200)})

    def test_GL_05_one_of_them_killed_again_and_again(self, bench, scope_id):
        bench.run(HERE + "many_files", scope_id=scope_id, count=40)

        for call in range(1, 9):
            dying = bench.start(HERE + "work", kill=Kill("os:rename", call, "after"))
            bench.run(HERE + "work")
            dying.wait()

        require_converged(bench, {f"note-{index:03}.md": f"text {index}\n" for index in range(40)})
