"""Rows: what the database keeps, its constraints, and the filters over it. Nothing here calls storage."""

from memoryadmin.models.accounts import Identity, Membership, Person
from memoryadmin.models.audit import AuditChain, AuditRecord
from memoryadmin.models.files import Blob, Change, MemoryFile, ObjectState, Version, VersionText
from memoryadmin.models.jobs import Job
from memoryadmin.models.scopes import Agent, Project, ScopeRow

__all__ = [
    "Agent", "AuditChain", "AuditRecord", "Blob", "Change", "Identity", "Job", "Membership", "MemoryFile",
    "ObjectState", "Person", "Project", "ScopeRow", "Version", "VersionText",
]  # fmt: skip
