"""Home: what needs this person, then what changed lately in the memory that they may read."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memoryadmin.domain.limits import LimitState
from memoryadmin.services import files, scopes
from memoryadmin.web.places import title_of
from memoryadmin.web.requests import SignedInRequest


@dataclass(frozen=True, slots=True)
class Line:
    """A file and where it is; `percent` of its limit in characters, when it has one."""

    file: files.FileCard
    place: str

    @property
    def is_over(self) -> bool:
        return self.file.limit is LimitState.OVER

    @property
    def percent(self) -> int:
        limit = self.file.kind.soft_limit_chars
        return self.file.size.chars * 100 // limit if limit else 0

    @property
    def over_chars(self) -> int:
        return max(0, self.file.size.chars - (self.file.kind.soft_limit_chars or self.file.size.chars))


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    pressing = files.pressing(actor=request.actor)
    recent = files.recent(actor=request.actor)
    cards = scopes.cards_by_id(actor=request.actor, scope_ids=[one.scope_id for one in (*pressing, *recent)])
    lines = _lines(pressing, cards)
    page = {
        "pressing": lines, "recent": _lines(recent, cards),
        "over": sum(line.is_over for line in lines), "near": sum(not line.is_over for line in lines),
    }  # fmt: skip
    return render(request, "home/home.html", page)


def _lines(found: Iterable[files.FileCard], cards: dict[int, scopes.ScopeCard]) -> list[Line]:
    return [Line(one, title_of(cards[one.scope_id])) for one in found if one.scope_id in cards]
