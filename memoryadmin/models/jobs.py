"""The queue of record and the only lease system."""

from django.db import models


class Job(models.Model):
    """One piece of work. `key` is unique while the job is open, which makes it the lock of its subject."""

    class State(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    key = models.CharField(max_length=120)
    kind = models.CharField(max_length=40)
    # Ids only, never text.
    subject_id = models.BigIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.PENDING)
    run_after = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    # Rises with every claim: an effect by an older holder is refused.
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    # Work for this key arrived while it ran: finishing makes it due again instead of done.
    is_wanted_again = models.BooleanField(default=False)
    error = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["key"], condition=models.Q(state__in=["pending", "running"]), name="one_open_job_per_key"
            ),
        )
        indexes = (models.Index(fields=["state", "run_after"], name="jobs_due"),)

    def __str__(self) -> str:
        return f"{self.key} {self.state}"
