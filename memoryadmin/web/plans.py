"""What the pages of an import show: its files in groups, those that need a look first, and each group in parts.

Thousands of files stay readable: the first page shows the beginning of each group, and one group alone goes part by
part. Only what is shown is put into words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memoryadmin.domain.scopes import Scope
from memoryadmin.services import imports
from memoryadmin.services.imports import Outcome
from memoryadmin.services.scopes import ScopeCard
from memoryadmin.web import places
from memoryadmin.web.addresses import whole_number, with_query

# So many rows of each group on the first page, and so many on a page of one group alone.
SHOWN, PART = 60, 300
WRITTEN = "written"

Cards = Mapping[Scope, ScopeCard]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One file: its name in the archive, its place in words and its name there; `file_id` leads to what is there."""

    source: str
    place: str
    path: str
    kind: str
    file_id: int | None
    versions: int
    remarks: Sequence[str]


@dataclass(frozen=True, slots=True)
class Group:
    """Files with one outcome: its code and words, how its badge looks, how many there are, and those that are shown."""

    code: str
    word: str
    meaning: str | Promise
    state: str
    sign: str
    count: int
    rows: Sequence[Row]
    more_url: str
    next_url: str


@dataclass(frozen=True, slots=True)
class Groups:
    """All groups for the filters above the list, those that are shown below, and which alone was asked for."""

    all: Sequence[Group]
    shown: Sequence[Group]
    only: str
    first_url: str

    @property
    def count(self) -> int:
        return sum(group.count for group in self.all)


@dataclass(frozen=True, slots=True)
class _Look:
    """How a group looks, and what it means before and after the import."""

    state: str
    sign: str
    before: str | Promise = ""
    after: str | Promise = ""


# In the order of the page.
_LOOKS: dict[str, _Look] = {
    Outcome.REFUSED: _Look("del", "stop", _("Not taken, whatever you choose."), _("Not taken.")),
    Outcome.CONFLICT: _Look(
        "warn", "conflict",
        _("Changed here since the last import, and in the archive too. Stays as it is here unless you tick the box."),
        _("Changed here since the last import, and in the archive too. It stayed as it is here."),
    ),
    Outcome.DELETED: _Look(
        "warn", "trash", _("Deleted here. Stays deleted unless you tick the box."), _("Deleted here. It stayed so.")
    ),
    Outcome.OLDER: _Look(
        "warn", "history",
        _("The history here holds this text; the present one is newer. It stays unless you tick the box."),
        _("The history here holds this text; the present one is newer. It stayed."),
    ),
    WRITTEN: _Look("add", "check", after=_("Stored byte for byte, each with a line in its history.")),
    Outcome.CHANGED: _Look("accent", "edit", _("Gets another version; the ones before it stay.")),
    Outcome.NEW: _Look("add", "plus", _("Not here yet.")),
    Outcome.SAME: _Look(
        "", "check", _("Here already, byte for byte: nothing to do."), _("Was here already, byte for byte.")
    ),
}  # fmt: skip


def groups_of_plan(request: HttpRequest, plan: imports.Plan, cards: Cards) -> Groups:
    """Return the groups of what an import would do."""
    return _groups(request, _by_code(plan.files, lambda one: one.outcome), lambda one: _planned_row(one, cards))


def groups_of_result(request: HttpRequest, result: imports.Result, cards: Cards) -> Groups:
    """Return the groups of what an import did; everything that was written is one of them."""
    by_code = _by_code(result.files, lambda one: WRITTEN if one.is_written else one.outcome)
    return _groups(request, by_code, lambda one: _done_row(one, cards), is_done=True)


def _by_code(files: Iterable[T], code_of: Callable[[T], str]) -> dict[str, list[T]]:
    found: dict[str, list[T]] = {}
    for one in files:
        found.setdefault(code_of(one), []).append(one)
    return {code: found[code] for code in _LOOKS if code in found}


def _groups(
    request: HttpRequest, by_code: Mapping[str, list[T]], row_of: Callable[[T], Row], *, is_done: bool = False
) -> Groups:  # fmt: skip
    wanted = request.GET.get("outcome", "")
    only = wanted if wanted in by_code else ""
    start = (whole_number(request.GET.get("start")) or 0) if only else 0
    most = PART if only else SHOWN
    groups = []
    for code, files in by_code.items():
        look, shown = _LOOKS[code], files[start : start + most] if only in ("", code) else []
        goes_on = len(files) > start + most
        groups.append(Group(
            code=code, word=_word(code), meaning=look.after if is_done else look.before, state=look.state,
            sign=look.sign, count=len(files), rows=[row_of(one) for one in shown],
            more_url=with_query(request, outcome=code) if goes_on and not only else "",
            next_url=with_query(request, start=start + most) if goes_on and only else "",
        ))  # fmt: skip
    shown_groups = [group for group in groups if only in ("", group.code)]
    return Groups(groups, shown_groups, only, with_query(request, start=None) if start else "")


def _word(code: str) -> str:
    return str(_("written")) if code == WRITTEN else imports.outcome_word(Outcome(code))


def _planned_row(one: imports.Planned, cards: Cards) -> Row:
    placement = one.placement
    return Row(
        source=placement.source_path, place=_place(placement.scope, cards),
        path=placement.path, kind=placement.kind.name if placement.kind else "", file_id=one.file_id,
        versions=len(one.steps), remarks=imports.remarks(one),
    )  # fmt: skip


def _done_row(one: imports.Done, cards: Cards) -> Row:
    return Row(
        source=one.source_path, place=_place(one.scope, cards), path=one.path, kind="",
        file_id=one.file_id, versions=one.versions, remarks=[imports.note_sentence(one.refused)] if one.refused else [],
    )  # fmt: skip


def _place(scope: Scope | None, cards: Cards) -> str:
    card = cards.get(scope) if scope else None
    return places.title_of(card) if card else ""
