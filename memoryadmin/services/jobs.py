"""The queue of record and the only lease system: what there is to do, who does it now, and until when.

Services enqueue in the transaction of their change; workers claim by a conditional update, and every effect
carries the fence of its claim, so a job that was handed out twice takes effect once. Celery only says "look
now", through the callback given to `on_wake`. Knows no kind of work: services register theirs with `handles`.
Killing a worker loses nothing: its lease ends, and the next one takes the job over. See ADR 0003.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When

from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.models import Job

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
FIRST_WAIT = timedelta(seconds=2)
LONGEST_WAIT = timedelta(minutes=5)
# Done jobs are kept this long for whoever asks what happened; failed ones stay until someone looks.
KEEP_DONE = timedelta(days=7)
_OPEN = Q(state__in=[Job.State.PENDING, Job.State.RUNNING])
_CANDIDATES = 10


class FenceLostError(MemoryAdminError):
    """The claim is no longer ours: its lease ended and another worker took the job over."""

    code = "fence_lost"


class NotInTransactionError(MemoryAdminError):
    """A job was enqueued on its own: it could then exist without its change, or the change without it."""

    code = "not_in_transaction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One worker's hold on a job. `attempts` counts this one; `fence` is what every effect must carry."""

    job_id: int
    kind: str
    key: str
    subject_id: int
    fence: int
    attempts: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What one `run_due` did: jobs done, and jobs put off because their attempt failed."""

    done: int
    put_off: int

    @property
    def total(self) -> int:
        """How many jobs were claimed."""
        return self.done + self.put_off


Clock = Callable[[], datetime]
Handler = Callable[[Claim, Clock], None]
HANDLERS: dict[str, Handler] = {}
_wake_callbacks: list[Callable[[], None]] = []


def handles(kind: str) -> Callable[[Handler], Handler]:
    """Register the decorated function as what runs jobs of `kind`."""

    def register(handler: Handler) -> Handler:
        HANDLERS[kind] = handler
        return handler

    return register


def on_wake(callback: Callable[[], None]) -> None:
    """Have `callback` called after each commit that enqueued work, instead of the one given before."""
    _wake_callbacks[:] = [callback]


def _wake() -> None:
    for callback in _wake_callbacks:
        callback()


def enqueue(*, kind: str, key: str, subject_id: int, now: datetime) -> None:
    """Make sure that work of `kind` runs after the caller's transaction; an open job with `key` absorbs it.

    A job that is running already is marked to run once more, because it may have read what this change
    replaces.

    :raises NotInTransactionError: called outside a transaction.
    """
    connection = transaction.get_connection()
    if not connection.in_atomic_block:
        raise NotInTransactionError("a job belongs to the transaction of its change")
    job = Job(kind=kind, key=key, subject_id=subject_id, run_after=now, created_at=now)
    # Also a pending row is updated: that locks it until this transaction ends, so that no worker can claim it
    # and read the state before this change. No row to update means that the open job ended in between: insert
    # anew.
    while True:
        Job.objects.bulk_create([job], ignore_conflicts=True)
        is_running = Case(When(state=Job.State.RUNNING, then=Value(value=True)), default=Value(value=False))
        if Job.objects.filter(_OPEN, key=key).update(is_wanted_again=is_running):
            break
    if not any(entry[1] is _wake for entry in reversed(connection.run_on_commit)):
        transaction.on_commit(_wake, robust=True)


def _due(now: datetime) -> Q:
    return Q(state=Job.State.PENDING, run_after__lte=now) | Q(state=Job.State.RUNNING, lease_until__lte=now)


def claim(*, now: datetime, lease: timedelta = LEASE) -> Claim | None:
    """Take the job that has been due longest and return the hold on it; None when nothing is due.

    A running job whose lease ended is taken over. Kinds without a handler are left for a worker that knows
    them.
    """
    due = Job.objects.filter(_due(now), kind__in=list(HANDLERS)).order_by("run_after", "pk")
    while candidates := list(due[:_CANDIDATES]):
        for job in candidates:
            # The fence rises with every claim, so of two workers that saw the same row exactly one matches
            # it.
            taken = Job.objects.filter(_due(now), pk=job.pk, fence=job.fence).update(
                state=Job.State.RUNNING, fence=F("fence") + 1, attempts=F("attempts") + 1, heartbeat_at=now,
                lease_until=now + lease, is_wanted_again=False,
            )  # fmt: skip
            if taken:
                return Claim(
                    job_id=job.pk, kind=job.kind, key=job.key, subject_id=job.subject_id, fence=job.fence + 1,
                    attempts=job.attempts + 1,
                )  # fmt: skip
    return None


def _held(claimed: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=claimed.job_id, fence=claimed.fence, state=Job.State.RUNNING)


def heartbeat(*, claimed: Claim, now: datetime, lease: timedelta = LEASE) -> None:
    """Extend the lease; in the transaction of an effect, also keep other workers out until it commits.

    :raises FenceLostError: another worker took the job over; the effect must not happen.
    """
    if not _held(claimed).update(heartbeat_at=now, lease_until=now + lease):
        raise FenceLostError(claimed.key)


def finish(*, claimed: Claim, now: datetime) -> None:
    """Close the job; when work for its key arrived while it ran, make it due again instead.

    :raises FenceLostError: another worker took the job over, and will finish it.
    """
    again = Q(is_wanted_again=True)
    ended = _held(claimed).update(
        state=Case(When(again, then=Value(Job.State.PENDING)), default=Value(Job.State.DONE)),
        finished_at=Case(When(again, then=Value(None)), default=Value(now)),
        run_after=now, lease_until=None, is_wanted_again=False, attempts=0, error="",
    )  # fmt: skip
    if not ended:
        raise FenceLostError(claimed.key)


def fail(*, claimed: Claim, error: str, now: datetime, is_final: bool = False) -> None:
    """Put the job off, or close it when `is_final`.

    Each failed attempt doubles the wait, up to `LONGEST_WAIT`.
    `error` is shown to operators and must hold no memory text. Even a final failure runs again when work for
    the key arrived meanwhile.

    :raises FenceLostError: another worker took the job over.
    """
    wait = min(FIRST_WAIT * 2 ** min(claimed.attempts - 1, 16), LONGEST_WAIT)
    again = Q(is_wanted_again=True)
    ended_state = Value(Job.State.FAILED if is_final else Job.State.PENDING)
    ended = _held(claimed).update(
        state=Case(When(again, then=Value(Job.State.PENDING)), default=ended_state),
        finished_at=Case(When(again, then=Value(None)), default=Value(now if is_final else None)),
        run_after=now + wait, lease_until=None, is_wanted_again=False, error=error[:500],
    )  # fmt: skip
    if not ended:
        raise FenceLostError(claimed.key)


def run_due(*, clock: Clock, limit: int = 500, time_budget: timedelta = timedelta(minutes=5)) -> Tally:
    """Run what is due, one job after another, and say how many ended well and how many were put off.

    Stops when nothing is due, after `limit` jobs, or when `time_budget` is used up.
    """
    done = put_off = 0
    stop_at = clock() + time_budget
    while done + put_off < limit and (now := clock()) < stop_at:
        claimed = claim(now=now)
        if claimed is None:
            Job.objects.filter(state=Job.State.DONE, run_after__lt=now - KEEP_DONE).delete()
            break
        if _run(claimed, clock):
            done += 1
        else:
            put_off += 1
    return Tally(done=done, put_off=put_off)


def _run(claimed: Claim, clock: Clock) -> bool:
    """Return whether the job ended well. Whatever a handler raises, the other jobs go on."""
    try:
        HANDLERS[claimed.kind](claimed, clock)
        finish(claimed=claimed, now=clock())
    except FenceLostError:
        logger.warning("job %s was taken over while it ran", claimed.key)
        return False
    except MemoryAdminError as error:
        return _put_off(claimed, f"{error.code}: {error}", clock)
    except Exception as error:
        logger.exception("job %s failed", claimed.key)
        return _put_off(claimed, type(error).__name__, clock)
    return True


def _put_off(claimed: Claim, error: str, clock: Clock) -> bool:
    logger.warning("job %s put off after attempt %d: %s", claimed.key, claimed.attempts, error)
    try:
        fail(claimed=claimed, error=error, now=clock())
    except FenceLostError:
        logger.warning("job %s was taken over while it ran", claimed.key)
    return False
