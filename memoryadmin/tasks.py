"""What Celery runs: each task is one service call and safe to run twice.

A message carries nothing but "look now"; what there is to do stands in the job table. A message that is lost
costs until the next tick of the beat, never the work.
"""

import logging
import time

from celery import shared_task
from django.utils import timezone

from memoryadmin.services import imports, jobs, projection

# Importing a service that has work of its own registers what runs it.
assert {projection.KIND, imports.PURGE_JOB} <= set(jobs.HANDLERS)  # noqa: S101

logger = logging.getLogger(__name__)

LIMIT = 500
# After a failed send, nobody's save waits for the broker again before this many seconds have passed.
_QUIET_SECONDS = 30.0
_quiet_until = 0.0


@shared_task(
    name="memoryadmin.tasks.run_jobs_task",
    ignore_result=True,
    acks_late=True,
    time_limit=600,
    soft_time_limit=540,
)
def run_jobs_task(**_: object) -> None:
    """Run the jobs that are due, and ask for another look when there may be more."""
    tally = jobs.run_due(clock=timezone.now, limit=LIMIT)
    if tally.total >= LIMIT:
        wake()


def wake() -> None:
    """Ask a worker to look at the job table; a broker that cannot be reached is logged, never raised."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return
    try:
        run_jobs_task.apply_async(retry=False, expires=60)
    except Exception:
        _quiet_until = time.monotonic() + _QUIET_SECONDS
        logger.warning("the broker cannot be reached; the next tick finds the work", exc_info=True)
