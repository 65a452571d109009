"""Line diffs cut into hunks that a person can accept or reject one by one.

Equal texts give equal hunks on every machine, so a decision made on a hunk's index holds for as long as the
base does.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.domain.lines import split_lines
from memoryadmin.domain.matching import match


class BaseMovedError(MemoryAdminError):
    """The text no longer holds what hunk number `index` was cut from."""

    code = "base_moved"

    def __init__(self, index: int) -> None:
        super().__init__(f"the lines of hunk {index} are no longer there")
        self.index = index


@dataclass(frozen=True, slots=True)
class Hunk:
    """One changed region: lines [start, stop) of the base become `new`.

    `start` and `stop` count base lines from 0; lines keep their newline. `old` is what the base had there:
    empty for a pure insertion. The hunks of a diff are in order, with an unchanged line between any two.
    """

    index: int
    start: int
    stop: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def cut_hunks(base: str, proposed: str) -> tuple[Hunk, ...]:
    """Return the hunks that lead from `base` to `proposed`, numbered from 0; none when the two are equal."""
    old, new = split_lines(base), split_lines(proposed)
    return tuple(
        Hunk(
            index=index,
            start=change.start,
            stop=change.stop,
            old=tuple(old[change.start : change.stop]),
            new=tuple(new[change.new_start : change.new_stop]),
        )
        for index, change in enumerate(match(old, new).changes)
    )


def apply_hunks(base: str, hunks: Sequence[Hunk], accepted: Collection[int]) -> str:
    """Return `base` with only those hunks put in whose index is in `accepted`.

    Accepting every hunk gives the proposed text, accepting none gives `base`.

    :raises BaseMovedError: `base` no longer holds a hunk's old lines, accepted or not.
    """
    lines = split_lines(base)
    for hunk in reversed(hunks):
        if hunk.stop > len(lines) or tuple(lines[hunk.start : hunk.stop]) != hunk.old:
            raise BaseMovedError(hunk.index)
        if hunk.index in accepted:
            lines[hunk.start : hunk.stop] = hunk.new
    return "".join(lines)
