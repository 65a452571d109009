"""How an imported file stands to the file that is already there."""

from collections.abc import Sequence
from enum import StrEnum


class Standing(StrEnum):
    """What an import would do to one file; only OLDER and CHANGED can lose something and are worth a question."""

    NEW = "new"  # nothing is there
    SAME = "same"  # the head has these bytes
    NEWER = "newer"  # the head is one of the versions that come with the file
    OLDER = "older"  # the file is a version that has been left behind
    CHANGED = "changed"  # neither knows the other


def standing(known: Sequence[str], chain: Sequence[str]) -> Standing:
    """Return how a file stands whose versions have the digests `chain` to one with the digests `known`.

    Both are oldest first and end with the present state; `known` is empty when there is no such file. Times are
    not asked: a copied file is as young as the copying. Source: case IE-02.
    """
    if not known:
        return Standing.NEW
    if chain[-1] == known[-1]:
        return Standing.SAME
    if known[-1] in chain:
        return Standing.NEWER
    if chain[-1] in known:
        return Standing.OLDER
    return Standing.CHANGED
