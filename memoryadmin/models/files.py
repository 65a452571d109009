"""Memory files, their immutable versions, and the blobs that are the only home of memory text."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryadmin.models.audit import AppendOnlyQuerySet
from memoryadmin.models.scopes import ScopeRow


class Blob(models.Model):
    """Bytes, once per scope and content; never shared across scopes. Nothing else holds memory text."""

    scope = models.ForeignKey(ScopeRow, on_delete=models.PROTECT, related_name="blobs")
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    size_bytes = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["scope", "sha256"], name="one_blob_per_content"),)

    def __str__(self) -> str:
        return self.sha256


class Change(models.Model):
    """What one act did: groups the versions that one click made."""

    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=80)
    # How it came in: page, import, command, demo.
    via = models.CharField(max_length=20)
    cause = models.CharField(max_length=36)
    at = models.DateTimeField()

    objects = AppendOnlyQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.actor_kind}:{self.actor_id} {self.via}"


class MemoryFile(models.Model):
    """One life of a name in a scope. Slim: lists, limits and counts never touch text."""

    scope = models.ForeignKey(ScopeRow, on_delete=models.PROTECT, related_name="files")
    path = models.CharField(max_length=900)
    # The path folded for case, so that a clash of case can be seen.
    path_folded = models.CharField(max_length=900)
    kind = models.CharField(max_length=20)
    head = models.ForeignKey("memoryadmin.Version", on_delete=models.PROTECT, related_name="head_of", null=True)
    seq = models.PositiveIntegerField(default=0)
    size_chars = models.PositiveIntegerField(default=0)
    size_bytes = models.PositiveIntegerField(default=0)
    size_lines = models.PositiveIntegerField(default=0)
    is_over_limit = models.BooleanField(default=False)
    # Bytes that are not UTF-8 text: kept and exported, never edited or loaded.
    is_opaque = models.BooleanField(default=False)
    # Imported with what looks like a secret: shown masked, loaded by no agent until a person releases it.
    is_quarantined = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["scope", "path"], condition=Q(deleted_at__isnull=True), name="one_live_file_per_path"
            ),
        )
        indexes = (
            models.Index(fields=["scope", "path"], name="files_by_path"),
            models.Index(fields=["-updated_at", "-id"], name="files_newest"),
            models.Index(fields=["scope", "path_folded"], name="files_by_folded_path"),
        )

    def __str__(self) -> str:
        return f"{self.scope_id}:{self.path}"


class Version(models.Model):
    """One state of a file, for ever. Text, path and reason are in `VersionText`, which redaction may blank."""

    class Operation(models.TextChoices):
        CREATED = "created"
        EDITED = "edited"
        APPENDED = "appended"
        RESTORED = "restored"
        RENAMED = "renamed"
        DELETED = "deleted"
        IMPORTED = "imported"

    file = models.ForeignKey(MemoryFile, on_delete=models.PROTECT, related_name="versions")
    seq = models.PositiveIntegerField()
    parent = models.ForeignKey("self", on_delete=models.PROTECT, related_name="children", null=True)
    operation = models.CharField(max_length=10, choices=Operation.choices)
    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=80)
    # The version whose text a restore brought back.
    source = models.ForeignKey("self", on_delete=models.PROTECT, related_name="restored_as", null=True)
    change = models.ForeignKey(Change, on_delete=models.PROTECT, related_name="versions")
    at = models.DateTimeField()
    size_bytes = models.PositiveIntegerField()
    size_chars = models.PositiveIntegerField()
    size_lines = models.PositiveIntegerField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["file", "seq"], name="one_version_per_seq"),)

    def __str__(self) -> str:
        return f"{self.file_id} v{self.seq}"


class VersionText(models.Model):
    """What a version says: the only part of history that redaction may blank, and nothing else may change."""

    version = models.OneToOneField(Version, on_delete=models.PROTECT, primary_key=True, related_name="text")
    path = models.CharField(max_length=900)
    # Null where the version is a deletion, or was redacted.
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="texts", null=True)
    reason = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="reasons", null=True)
    # Written while in quarantine: masked for ever, also when a later version is clean, unless a person releases it.
    is_quarantined = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.version_id)


class ObjectState(models.Model):
    """What we believe the store holds under a key. The row is also a file's claim to that key: another file waits."""

    file = models.ForeignKey(MemoryFile, on_delete=models.PROTECT, related_name="object_states")
    key = models.CharField(max_length=1400, unique=True)
    # Empty, like `version` and `put_at`, from the claim until the first put is known to have landed.
    etag = models.CharField(max_length=80, blank=True, default="")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="object_states", null=True)
    put_at = models.DateTimeField(null=True)
    # When the store was last found to hold, under this key, something that is not ours.
    differs_at = models.DateTimeField(null=True)

    objects: ClassVar[models.Manager["ObjectState"]] = models.Manager()

    def __str__(self) -> str:
        return self.key
