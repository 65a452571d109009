"""Loading the demo: the company's history performed act by act, in order of time, through the services.

So versions, audit records and jobs are what they would be had people and agents worked here for weeks. Called
by `up` in an empty installation and by the command `load_demo`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import NamedTuple, Protocol

from django.db import transaction
from django.utils.timezone import get_default_timezone

from memoryadmin.services import files, people, scopes
from memoryadmin.services.demo.calendar import Calendar, Moment, moment
from memoryadmin.services.demo.company import (
    Added,
    Created,
    Deleted,
    Renamed,
    Restored,
    Rewritten,
    Step,
    Story,
    read_company,
    read_stories,
)
from memoryadmin.services.demo.stage import DEMO, Stage

VIA = "demo"
_FIRST_DAY = moment("45d 08:30")


class Account(NamedTuple):
    """A way into the demo: what to type, whose it is, and what that person may do."""

    login: str
    password: str
    display_name: str
    what: str


@dataclass(frozen=True, slots=True)
class Demo:
    """What `load` did; where somebody had been here before, `is_loaded` is False and all counts are 0."""

    is_loaded: bool
    people: int = 0
    projects: int = 0
    agents: int = 0
    files: int = 0
    versions: int = 0


def accounts() -> tuple[Account, ...]:
    """Return the accounts of the demo company; reads its folder, not the database."""
    company = read_company()
    return tuple(Account(one.login, company.password, one.name, one.what) for one in company.people)


def load(*, now: datetime) -> Demo:
    """Build the demo company as of `now` with weeks of history behind it, all of it or nothing.

    Does nothing where there is any person or project: accounts whose password is printed have no place there.
    """
    if people.has_anybody() or _has_projects():
        return Demo(is_loaded=False)
    stage, stories = Stage(read_company()), read_stories()
    calendar = Calendar(now.astimezone(get_default_timezone()))
    placed = [(calendar.at(when), perform) for when, perform in _events(stage, stories, calendar)]
    with transaction.atomic():
        for at, perform in sorted(placed, key=lambda event: event[0]):
            perform(now=at)
    return Demo(
        is_loaded=True, people=len(stage.company.people), projects=len(stage.company.projects),
        agents=sum(len(one.agents) for one in stage.company.projects), files=len(stories),
        versions=sum(len(one.steps) for one in stories),
    )  # fmt: skip


def _has_projects() -> bool:
    return any(scopes.projects(actor=DEMO, is_archived=answer, limit=1) for answer in (False, True))


class _Perform(Protocol):
    def __call__(self, *, now: datetime) -> None: ...


def _events(stage: Stage, stories: tuple[Story, ...], calendar: Calendar) -> Iterator[tuple[Moment, _Perform]]:
    """Yield everything that happens; what shares a moment happens in this order."""
    for person in stage.company.people:
        yield _FIRST_DAY, partial(stage.hire, person)
    for project in stage.company.projects:
        yield project.begun, partial(stage.begin, project)
    for story in stories:
        life = _Life(stage, calendar, story)
        for step in story.steps:
            yield step.at, partial(life.perform, step)


@dataclass
class _Life:
    """One memory file while it is being loaded: its id and present version, 0 before its first step."""

    stage: Stage
    calendar: Calendar
    story: Story
    file_id: int = 0
    seq: int = 0

    def perform(self, step: Step, *, now: datetime) -> None:
        """Do one step as whoever did it."""
        saved = self._act(step, now)
        self.file_id, self.seq = saved.file_id, saved.seq

    def _act(self, step: Step, now: datetime) -> files.Saved:
        scope, path = self.stage.place(self.story.path)
        actor, fill = self.stage.actor(step.by, scope), self.calendar.fill
        note = files.Note(reason=fill(step.why), via=VIA)
        match step.act:
            case Created(text):
                scope_id = scopes.ensure(actor=actor, scope=scope)
                return files.create(
                    actor=actor, scope_id=scope_id, path=fill(path), text=fill(text), note=note, now=now
                )
            case Rewritten(text):
                return files.save(
                    actor=actor, file_id=self.file_id, text=fill(text), base_seq=self.seq, note=note, now=now
                )
            case Added(text):
                return files.append(actor=actor, file_id=self.file_id, text=fill(text), note=note, now=now)
            case Renamed(name):
                return files.rename(
                    actor=actor, file_id=self.file_id, path=fill(name), base_seq=self.seq, note=note, now=now
                )
            case Restored(seq):
                return files.restore(actor=actor, file_id=self.file_id, seq=seq, base_seq=self.seq, note=note, now=now)
            case Deleted():
                return files.delete(actor=actor, file_id=self.file_id, base_seq=self.seq, note=note, now=now)
