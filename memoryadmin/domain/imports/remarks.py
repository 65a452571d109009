"""What only shows when placements are seen together: one place for two, names that clash, the same bytes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from memoryadmin.domain.files import date_in_name, dates_in_name
from memoryadmin.domain.imports.values import Note, NoteCode, Placement, RefusalCode, note
from memoryadmin.domain.paths import fold_path


def remarked(placements: Iterable[Placement]) -> list[Placement]:
    """Return `placements` with what they say about each other; of several for one place only the first is kept."""
    kept = _one_for_each_place(list(placements))
    notes: dict[int, list[Note]] = defaultdict(list)
    for look in (_empty, _two_dates, _lone_years, _case_clashes, _same_bytes):
        for index, remark in look(kept):
            notes[index].append(remark)
    return [
        replace(placement, notes=(*placement.notes, *notes[index])) if notes[index] else placement
        for index, placement in enumerate(kept)
    ]


def _one_for_each_place(placements: list[Placement]) -> list[Placement]:
    taken: dict[Hashable, Placement] = {}
    kept = []
    for placement in placements:
        if placement.refused is None:
            first = taken.setdefault((placement.scope, placement.path), placement)
            if first is not placement:
                reason = note(RefusalCode.SAME_TARGET, other=first.source.path)
                placement = replace(placement, scope=None, kind=None, refused=reason)
        kept.append(placement)
    return kept


_Remarks = Iterable[tuple[int, Note]]


def _groups(
    placements: Sequence[Placement], key: Callable[[Placement], Hashable | None]
) -> Iterable[list[tuple[int, Placement]]]:
    """Yield the taken placements that share a key, each group of at least two."""
    groups: dict[Hashable, list[tuple[int, Placement]]] = defaultdict(list)
    for index, placement in enumerate(placements):
        if placement.refused is None and (found := key(placement)) is not None:
            groups[found].append((index, placement))
    return (group for group in groups.values() if len(group) > 1)


def _empty(placements: Sequence[Placement]) -> _Remarks:
    for index, placement in enumerate(placements):
        if placement.refused is None and placement.source.size_bytes == 0:
            yield index, note(NoteCode.EMPTY)


def _two_dates(placements: Sequence[Placement]) -> _Remarks:
    for index, placement in enumerate(placements):
        days = dates_in_name(placement.path)
        if placement.refused is None and len(set(days)) > 1:
            yield index, note(NoteCode.TWO_DATES, first=days[0].isoformat(), second=days[1].isoformat())


def _lone_years(placements: Sequence[Placement]) -> _Remarks:
    """Yield the logs that are alone in their year where the others have another: a slip of the pen, often."""

    def dated_scope(placement: Placement) -> Hashable | None:
        is_log = placement.kind is not None and placement.kind.name == "daily_log"
        return placement.scope if is_log and date_in_name(placement.path) else None

    for group in _groups(placements, dated_scope):
        years = {index: day.year for index, placement in group if (day := date_in_name(placement.path))}
        counts = Counter(years.values())
        usual = max(counts, key=lambda year: (counts[year], year))
        for index, year in years.items():
            if year != usual and counts[year] == 1:
                yield index, note(NoteCode.LONE_YEAR, year=str(year), others=str(usual))


def _case_clashes(placements: Sequence[Placement]) -> _Remarks:
    for group in _groups(placements, lambda placement: (placement.scope, fold_path(placement.path))):
        for index, _ in group:
            other = next(placement for at, placement in group if at != index)
            yield index, note(NoteCode.CASE_CLASH, other=other.source.path)


def _same_bytes(placements: Sequence[Placement]) -> _Remarks:
    for group in _groups(
        placements, lambda placement: placement.source.sha256 if placement.source.size_bytes else None
    ):
        for index, _ in group:
            yield index, note(NoteCode.SAME_BYTES, first=group[0][1].source.path, count=str(len(group)))
