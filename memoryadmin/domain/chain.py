"""The hash chain of audit records: each record hashes the one before it, so that an edit, a removal or a swap shows.

Called by `services.audit` when it writes and by whoever verifies, also offline: the digest needs only the record's
own fields and the previous digest. Source: ADR 0013.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Link:
    """One record as the chain sees it: its place, what it claims, and the two digests stored beside it."""

    seq: int
    fields: Mapping[str, str | int | None]
    previous_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class Break:
    """Where a chain does not hold: `seq` is the first record (from 1) that fails, `what` says how."""

    seq: int
    what: str


def digest(previous_hash: str, fields: Mapping[str, str | int | None]) -> str:
    """Return the hex SHA-256 of a record: its fields as canonical JSON after the previous record's digest."""
    body = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{previous_hash}\n{body}".encode()).hexdigest()


def verify(links: Iterable[Link], *, last_seq: int, last_hash: str) -> list[Break]:
    """Return every place at which the chain breaks, in order; empty when it is whole.

    `links` come in ascending `seq`. `last_seq` and `last_hash` are what the chain's head row says, so that records
    cut from the end are found too.
    """
    breaks: list[Break] = []
    previous, expected = GENESIS, 1
    for link in links:
        if link.seq != expected:
            breaks.append(Break(expected, f"records {expected} to {link.seq - 1} are missing"))
        elif link.previous_hash != previous:
            breaks.append(Break(link.seq, "does not follow the record before it"))
        if digest(link.previous_hash, link.fields) != link.hash:
            breaks.append(Break(link.seq, "was changed after it was written"))
        previous, expected = link.hash, link.seq + 1
    if expected - 1 < last_seq:
        breaks.append(Break(expected, f"records {expected} to {last_seq} are missing"))
    elif previous != last_hash or expected - 1 > last_seq:
        breaks.append(Break(expected - 1, "the chain's head names another last record"))
    return breaks
