import logging
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from memoryadmin.models import Job
from memoryadmin.services import jobs

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 7, 20, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class SteppingClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock():
    return SteppingClock()


@pytest.fixture(autouse=True)
def handlers(monkeypatch):
    """Only what the test registers runs, and nobody is woken."""
    monkeypatch.setattr(jobs, "HANDLERS", {})
    monkeypatch.setattr(jobs, "_wake_callbacks", [])
    return jobs.HANDLERS


@pytest.fixture
def ran(handlers) -> list[int]:
    """Register the kind `note`, which notes the subject of each run."""
    noted: list[int] = []
    jobs.handles("note")(lambda claimed, clock: noted.append(claimed.subject_id))
    return noted


def enqueue(subject_id: int = 1, *, kind: str = "note", now: datetime = NOW) -> None:
    with transaction.atomic():
        jobs.enqueue(kind=kind, key=f"{kind}:{subject_id}", subject_id=subject_id, now=now)


def claim(now: datetime = NOW) -> jobs.Claim:
    claimed = jobs.claim(now=now)
    assert claimed is not None
    return claimed


@contextmanager
def before_the_first_update(act):
    """Do `act` between what the code under test has read and what it is about to write."""
    acted = []

    def intervene(execute, sql, params, many, context):
        if sql.startswith("UPDATE") and not acted:
            acted.append(True)
            act()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(intervene):
        yield
    assert acted


class TestEnqueue:
    def test_belongs_to_a_transaction(self):
        with pytest.raises(jobs.NotInTransactionError):
            jobs.enqueue(kind="note", key="note:1", subject_id=1, now=NOW)

        assert not Job.objects.exists()

    def test_is_undone_with_its_transaction(self):
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            jobs.enqueue(kind="note", key="note:1", subject_id=1, now=NOW)
            raise ZeroDivisionError

        assert not Job.objects.exists()

    def test_an_open_job_absorbs_more_work_for_its_key(self, ran, clock):
        for _ in range(5):
            enqueue(1)
        enqueue(2)

        assert jobs.run_due(clock=clock) == jobs.Tally(done=2, put_off=0)
        assert ran == [1, 2]

    def test_a_done_job_does_not_absorb(self, ran, clock):
        enqueue()
        jobs.run_due(clock=clock)
        enqueue()
        jobs.run_due(clock=clock)

        assert ran == [1, 1]

    def test_work_that_arrives_while_the_job_runs_runs_after_it(self, handlers, clock):
        seen = []
        content = {"text": "first"}

        def read(claimed, clock):
            seen.append(content["text"])
            if len(seen) == 1:
                content["text"] = "second"
                enqueue()

        handlers["note"] = read
        enqueue()

        assert jobs.run_due(clock=clock).done == 2
        assert seen == ["first", "second"]
        assert Job.objects.get().state == Job.State.DONE

    def test_work_that_arrives_during_the_last_attempt_reopens_a_job_that_fails_for_good(self, ran):
        enqueue()
        claimed = claim()
        enqueue()

        jobs.fail(claimed=claimed, error="broken", now=NOW, is_final=True)

        assert Job.objects.get().state == Job.State.PENDING

    def test_the_database_refuses_two_open_jobs_of_one_key(self):
        enqueue()

        with pytest.raises(IntegrityError):
            Job.objects.create(kind="note", key="note:1", subject_id=1, run_after=NOW, created_at=NOW)


class TestWaking:
    @pytest.fixture
    def woken(self) -> list[int]:
        calls: list[int] = []
        jobs.on_wake(lambda: calls.append(Job.objects.count()))
        return calls

    def test_comes_after_the_commit_and_once(self, woken):
        with transaction.atomic():
            for subject_id in range(3):
                jobs.enqueue(kind="note", key=f"note:{subject_id}", subject_id=subject_id, now=NOW)
            assert woken == []

        assert woken == [3]

    def test_does_not_come_when_the_transaction_is_undone(self, woken):
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            jobs.enqueue(kind="note", key="note:1", subject_id=1, now=NOW)
            raise ZeroDivisionError

        assert woken == []

    def test_comes_for_work_after_a_savepoint_that_was_undone(self, woken):
        with transaction.atomic():
            with pytest.raises(ZeroDivisionError), transaction.atomic():
                jobs.enqueue(kind="note", key="note:1", subject_id=1, now=NOW)
                raise ZeroDivisionError
            jobs.enqueue(kind="note", key="note:2", subject_id=2, now=NOW)

        assert woken == [1]

    def test_a_callback_that_fails_does_not_fail_the_change(self, caplog):
        def broken():
            raise OSError("no broker")

        jobs.on_wake(broken)
        enqueue()

        assert Job.objects.count() == 1
        assert "no broker" in caplog.text


class TestClaim:
    def test_takes_what_has_been_due_longest(self, ran):
        enqueue(1, now=NOW + SECOND)
        enqueue(2, now=NOW)

        assert claim(NOW + SECOND).subject_id == 2

    def test_leaves_what_is_not_due_and_kinds_that_nobody_here_knows(self, ran):
        enqueue(1, now=NOW + SECOND)
        enqueue(2, kind="unknown")

        assert jobs.claim(now=NOW) is None

    def test_a_job_in_hand_is_not_given_out_again(self, ran):
        enqueue()
        claim()

        assert jobs.claim(now=NOW + jobs.LEASE - SECOND) is None

    def test_a_lease_that_ended_is_taken_over_under_a_higher_fence(self, ran):
        enqueue()
        first = claim()

        second = claim(NOW + jobs.LEASE)

        assert second.job_id == first.job_id
        assert (second.fence, second.attempts) == (first.fence + 1, 2)

    def test_a_heartbeat_keeps_the_lease(self, ran):
        enqueue()
        claimed = claim()

        jobs.heartbeat(claimed=claimed, now=NOW + SECOND)

        assert jobs.claim(now=NOW + jobs.LEASE) is None
        assert jobs.claim(now=NOW + jobs.LEASE + SECOND) is not None

    def test_a_job_that_ended_between_the_look_and_the_claim_is_looked_at_again(self, ran):
        enqueue()
        others = []

        def another_worker_does_it() -> None:
            others.append(claim())
            enqueue()
            jobs.finish(claimed=others[0], now=NOW)

        with before_the_first_update(another_worker_does_it):
            claimed = claim()

        assert claimed.fence == others[0].fence + 1
        jobs.heartbeat(claimed=claimed, now=NOW)

    def test_a_holder_that_shows_life_between_the_look_and_the_claim_keeps_its_job(self, ran):
        enqueue()
        holder = claim()
        late = NOW + jobs.LEASE

        with before_the_first_update(lambda: jobs.heartbeat(claimed=holder, now=late)):
            assert jobs.claim(now=late) is None

        jobs.finish(claimed=holder, now=late)

    def test_the_fence_goes_on_rising_when_a_job_runs_again(self, ran):
        enqueue()
        first = claim()
        enqueue()
        jobs.finish(claimed=first, now=NOW)

        assert claim().fence == first.fence + 1


class TestAHolderThatWasTooLate:
    @pytest.fixture
    def late(self, ran) -> jobs.Claim:
        enqueue()
        claimed = claim()
        claim(NOW + jobs.LEASE)
        return claimed

    @pytest.mark.parametrize(
        "act",
        [
            lambda claimed: jobs.heartbeat(claimed=claimed, now=NOW),
            lambda claimed: jobs.finish(claimed=claimed, now=NOW),
            lambda claimed: jobs.fail(claimed=claimed, error="x", now=NOW),
        ],
        ids=["heartbeat", "finish", "fail"],
    )
    def test_can_do_nothing_more(self, late, act):
        before = Job.objects.values().get()

        with pytest.raises(jobs.FenceLostError):
            act(late)

        assert Job.objects.values().get() == before

    def test_is_not_an_error_of_the_run(self, handlers, clock, caplog):
        def overtaken(claimed, clock):
            clock.now += jobs.LEASE
            handlers["note"] = lambda claimed, clock: None
            assert jobs.run_due(clock=clock).done == 1

        handlers["note"] = overtaken
        enqueue()

        with caplog.at_level(logging.WARNING):
            assert jobs.run_due(clock=clock) == jobs.Tally(done=0, put_off=1)
        assert Job.objects.get().state == Job.State.DONE
        assert "taken over" in caplog.text


class TestFailing:
    def test_waits_twice_as_long_each_time_up_to_the_longest(self, handlers, clock):
        def broken(claimed, clock):
            raise RuntimeError

        handlers["note"] = broken
        enqueue()
        waits = []
        for _ in range(10):
            jobs.run_due(clock=clock)
            waits.append((Job.objects.get().run_after - clock.now).total_seconds())
            clock.now = Job.objects.get().run_after

        assert waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]

    def test_does_not_stop_the_other_jobs_and_says_what_went_wrong(self, handlers, ran, clock):
        def broken(claimed, clock):
            raise RuntimeError("with a text that must not be kept")

        handlers["broken"] = broken
        enqueue(1, kind="broken")
        enqueue(2)

        assert jobs.run_due(clock=clock) == jobs.Tally(done=1, put_off=1)
        assert ran == [2]
        assert Job.objects.get(kind="broken").error == "RuntimeError"

    def test_a_success_forgets_the_attempts_and_the_error(self, handlers, clock):
        def broken(claimed, clock):
            raise RuntimeError

        handlers["note"] = broken
        enqueue()
        jobs.run_due(clock=clock)
        handlers["note"] = lambda claimed, clock: None
        clock.now += timedelta(minutes=1)
        jobs.run_due(clock=clock)

        job = Job.objects.get()
        assert (job.state, job.attempts, job.error) == (Job.State.DONE, 0, "")

    def test_for_good_closes_the_job_and_frees_its_key(self, ran, clock):
        enqueue()
        jobs.fail(claimed=claim(), error="broken", now=NOW, is_final=True)
        enqueue()

        assert jobs.run_due(clock=clock).done == 1
        assert sorted(Job.objects.values_list("state", flat=True)) == ["done", "failed"]


class TestRunDue:
    def test_stops_at_the_limit_and_when_its_time_is_used_up(self, handlers, ran, clock):
        for subject_id in range(6):
            enqueue(subject_id)

        assert jobs.run_due(clock=clock, limit=2).total == 2
        slow = handlers["note"]

        def slowly(claimed, clock):
            slow(claimed, clock)
            clock.now += SECOND

        handlers["note"] = slowly
        assert jobs.run_due(clock=clock, time_budget=2 * SECOND).total == 2
        assert ran == [0, 1, 2, 3]

    def test_forgets_jobs_done_long_ago_and_keeps_failed_ones(self, ran, clock):
        enqueue(1)
        jobs.run_due(clock=clock)
        enqueue(2)
        jobs.fail(claimed=claim(), error="broken", now=NOW, is_final=True)

        clock.now += jobs.KEEP_DONE + SECOND
        jobs.run_due(clock=clock)

        assert list(Job.objects.values_list("subject_id", "state")) == [(2, "failed")]
