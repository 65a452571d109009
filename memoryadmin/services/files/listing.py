"""Lists of files without their text: a scope's files, its trash, what changed lately, what is near its limit."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import NotVisibleError
from memoryadmin.domain.files import FILE_KINDS
from memoryadmin.domain.limits import LimitState
from memoryadmin.domain.permissions import Action
from memoryadmin.models import MemoryFile, VersionText
from memoryadmin.models.scopes import scope_filter
from memoryadmin.services import scopes
from memoryadmin.services.files.reading import cards
from memoryadmin.services.files.values import FileCard

PAGE = 200


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a scope's files by path; `next_after` is the path to go on from, None at the end.

    `case_clashes` are the paths on this page that differ from another live file's path in case alone.
    """

    files: tuple[FileCard, ...]
    next_after: str | None
    case_clashes: frozenset[str]


def listing(*, actor: Actor, scope_id: int, query: str = "", after: str = "", limit: int = PAGE) -> Listing:
    """Return the live files of a scope by path, at most `limit` after the path `after`.

    :raises NotVisibleError: there is no such scope, or `actor` may not know of it.
    """
    scopes.visible_row(actor, scope_id, Action.LIST)
    rows = MemoryFile.objects.filter(scope=scope_id, deleted_at__isnull=True)
    if query.strip():
        rows = rows.filter(path_folded__contains=query.strip().casefold())
    if after:
        rows = rows.filter(path__gt=after)
    found = list(rows.select_related("scope", "head").order_by("path", "pk")[: limit + 1])
    page = cards(found[:limit])
    return Listing(tuple(page), page[-1].path if len(found) > limit else None, _clashes(scope_id, found[:limit]))


def _clashes(scope_id: int, rows: Iterable[MemoryFile]) -> frozenset[str]:
    folded = [row.path_folded for row in rows]
    same = MemoryFile.objects.filter(scope=scope_id, deleted_at__isnull=True, path_folded__in=folded)
    by_fold: dict[str, list[str]] = {}
    for path, fold in same.values_list("path", "path_folded"):
        by_fold.setdefault(fold, []).append(path)
    return frozenset(path for paths in by_fold.values() if len(paths) > 1 for path in paths)


def deleted(*, actor: Actor, scope_id: int, limit: int = PAGE) -> list[FileCard]:
    """Return the deleted files of a scope, latest first, at most `limit`.

    :raises NotVisibleError: there is no such scope, or `actor` may not know of it.
    """
    scopes.visible_row(actor, scope_id, Action.LIST)
    rows = MemoryFile.objects.filter(scope=scope_id, deleted_at__isnull=False).select_related("scope", "head")
    return cards(rows.order_by("-deleted_at", "-pk")[:limit])


@dataclass(frozen=True, slots=True)
class Found:
    """Where a path leads: the live file that has it, else the files that had it (moved away, or deleted)."""

    live: FileCard | None
    former: tuple[FileCard, ...]


def find(*, actor: Actor, scope_id: int, path: str, limit: int = PAGE) -> Found:
    """Return what `path` names, or the files that had it latest, at most `limit`, in a scope.

    :raises NotVisibleError: there is no such scope for `actor`, or no file ever had this path in it.
    """
    scopes.visible_row(actor, scope_id, Action.LIST)
    rows = MemoryFile.objects.filter(scope=scope_id).select_related("scope", "head")
    live = cards(rows.filter(path=path, deleted_at__isnull=True))
    if live:
        return Found(live[0], ())
    had = VersionText.objects.filter(path=path, version__file__scope=scope_id).values("version__file")
    former = cards(rows.filter(pk__in=had).order_by("-updated_at", "-pk")[:limit])
    if not former:
        raise NotVisibleError(field="path")
    return Found(None, tuple(former))


def _readable(actor: Actor) -> Q:
    return scope_filter(permissions.visible_to(Action.READ, actor), through="scope__")


def recent(*, actor: Actor, limit: int = 12) -> list[FileCard]:
    """Return the files `actor` may read that changed last, newest first, deleted ones included."""
    rows = MemoryFile.objects.filter(_readable(actor)).select_related("scope", "head")
    return cards(rows.order_by("-updated_at", "-pk")[:limit])


def pressing(*, actor: Actor, limit: int = 12) -> list[FileCard]:
    """Return the files `actor` may read that are over or near their limit, fullest first."""
    near = Q(is_over_limit=True)
    for kind in FILE_KINDS.values():
        if kind.soft_limit_chars:
            near |= Q(kind=kind.name, size_chars__gte=kind.soft_limit_chars * 8 // 10)
    rows = MemoryFile.objects.filter(_readable(actor), near, deleted_at__isnull=True).select_related("scope", "head")
    found = cards(rows.order_by("-is_over_limit", "-updated_at", "-pk")[: limit * 4])
    return sorted((one for one in found if one.limit is not LimitState.FINE), key=_fullness, reverse=True)[:limit]


def _fullness(one: FileCard) -> float:
    return one.size.chars / one.kind.soft_limit_chars if one.kind.soft_limit_chars else 1.0
