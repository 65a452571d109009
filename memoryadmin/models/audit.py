"""Who did what to which scope and when: append-only, hash-chained, without any memory text."""

from typing import NoReturn, TypeVar

from django.db import models

_Row = TypeVar("_Row", bound=models.Model, covariant=True)


class AppendOnlyQuerySet(models.QuerySet[_Row]):
    """Refuses what the triggers refuse, with a clearer message and before the database is asked."""

    def update(self, **_kwargs: object) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are append-only")

    def delete(self) -> NoReturn:
        raise TypeError(f"{self.model.__name__} rows are append-only")


class AuditChain(models.Model):
    """The head of one chain: one per project, and `installation`. Its row is the chain's lock."""

    name = models.CharField(primary_key=True, max_length=80)
    last_seq = models.BigIntegerField(default=0)
    last_hash = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.name


class AuditRecord(models.Model):
    """One act. Ids only: names live in the identity row, reasons in a blob."""

    chain = models.ForeignKey(AuditChain, on_delete=models.PROTECT, related_name="records")
    seq = models.BigIntegerField()
    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=80)
    action = models.CharField(max_length=40)
    object_type = models.CharField(max_length=20)
    object_id = models.CharField(max_length=80)
    # Plain numbers and ids, not foreign keys: a record outlives its subject.
    scope_id = models.BigIntegerField(null=True)
    project_id = models.CharField(max_length=63, blank=True, default="")
    person_id = models.CharField(max_length=22, blank=True, default="")
    before_version_id = models.BigIntegerField(null=True)
    after_version_id = models.BigIntegerField(null=True)
    reason_blob_id = models.BigIntegerField(null=True)
    request_id = models.CharField(max_length=36, blank=True, default="")
    # Shared by every record that one click caused.
    cause = models.CharField(max_length=36)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["chain", "seq"], name="one_record_per_place"),)
        indexes = (
            models.Index(fields=["-at", "-id"], name="audit_newest"),
            models.Index(fields=["project_id", "-at", "-id"], name="audit_by_project"),
            models.Index(fields=["scope_id", "-at", "-id"], name="audit_by_scope"),
        )

    def __str__(self) -> str:
        return f"{self.chain_id} {self.seq} {self.action}"
