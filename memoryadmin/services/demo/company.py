"""The demo company as its folder tells it: people, projects, agents, and what happened to each memory file.

Called by `loading`. Reads files only, not the clock and not the database; `memoryadmin/demo/company.toml`
explains the folder. A later version is told as its full text, as lines added at the end, or as an edit: lines
beginning with `-` become those with `+`, a blank keeps a line as a landmark, `@@` begins another place.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.domain.lines import split_lines
from memoryadmin.services.demo.calendar import Moment, moment

FOLDER = Path(__file__).resolve().parents[2] / "demo"


class DemoBrokenError(MemoryAdminError):
    """The demo's folder contradicts itself; the message names the file and the place."""

    code = "demo_broken"


@dataclass(frozen=True, slots=True)
class Employee:
    """A person of the company; `what` says in half a sentence why to sign in as them."""

    login: str
    name: str
    what: str
    is_admin: bool = False
    is_auditor: bool = False


@dataclass(frozen=True, slots=True)
class Helper:
    """An agent of a project."""

    id: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Undertaking:
    """A project: `members` maps sign-in names to roles, one of them owner."""

    id: str
    name: str
    description: str
    begun: Moment
    members: Mapping[str, ProjectRole]
    agents: tuple[Helper, ...]

    @property
    def owner(self) -> str:
        """The sign-in name of the owner."""
        return next(login for login, role in self.members.items() if role is ProjectRole.OWNER)


@dataclass(frozen=True, slots=True)
class Created:
    """The file begins with `text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The file's text becomes `text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Added:
    """`text` is added at the end."""

    text: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """The file is called `path` in its scope from now on."""

    path: str


@dataclass(frozen=True, slots=True)
class Restored:
    """Version `seq` is brought back, of a deleted file too."""

    seq: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """The file is deleted."""


Act = Created | Rewritten | Added | Renamed | Restored | Deleted


@dataclass(frozen=True, slots=True)
class Step:
    """One version: when, by whom (a sign-in name, `agent:<id>` or `system:<part>`), why, and what."""

    at: Moment
    by: str
    why: str
    act: Act


@dataclass(frozen=True, slots=True)
class Story:
    """The life of one memory file; `path` is laid out like the bucket, with sign-in names as person ids."""

    path: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Company:
    """The whole demo."""

    password: str
    people: tuple[Employee, ...]
    projects: tuple[Undertaking, ...]


def read_company(folder: Path = FOLDER) -> Company:
    """Return who works there and on what; the memory files are read by `read_stories`."""
    told = _toml(folder / "company.toml")
    return Company(
        password=told["password"],
        people=tuple(Employee(**one) for one in told["person"]),
        projects=tuple(_undertaking(one) for one in told["project"]),
    )


def _undertaking(told: dict[str, Any]) -> Undertaking:
    return Undertaking(
        id=told["id"], name=told["name"], description=told["description"], begun=moment(told["at"]),
        members={login: ProjectRole(role) for login, role in told["members"].items()},
        agents=tuple(Helper(**one) for one in told["agent"]),
    )  # fmt: skip


def read_stories(folder: Path = FOLDER) -> tuple[Story, ...]:
    """Return the life of every memory file, each with its steps in order.

    :raises DemoBrokenError: an edit does not fit the text it edits, or a file's text is missing.
    """
    found = []
    for history in sorted((folder / "history").glob("*.toml")):
        found += [_story(folder, told) for told in _toml(history)["file"]]
    return tuple(found)


def _story(folder: Path, told: dict[str, Any]) -> Story:
    path, created = told["path"], told["created"]
    source = folder / "files" / path
    if "text" not in created and not source.is_file():
        raise DemoBrokenError(f"{path}: the first text is missing")
    text = created["text"] if "text" in created else source.read_text(encoding="utf-8")
    steps = [_step(created, Created(text))]
    for later in told.get("step", ()):
        act = _act(path, text, later)
        text = _text_after(text, act, steps)
        steps.append(_step(later, act))
    return Story(path, tuple(steps))


def _step(told: dict[str, Any], act: Act) -> Step:
    return Step(at=moment(told["at"]), by=told["by"], why=told.get("why", ""), act=act)


def _act(path: str, text: str, told: dict[str, Any]) -> Act:
    match told:
        case {"edit": script}:
            return Rewritten(edited(text, script, where=f"{path} at {told['at']}"))
        case {"text": whole}:
            return Rewritten(whole)
        case {"append": more}:
            return Added(more)
        case {"rename": name}:
            return Renamed(name)
        case {"restore": seq}:
            return Restored(seq)
        case {"delete": True}:
            return Deleted()
    raise DemoBrokenError(f"{path} at {told['at']}: says nothing that happens")


def _text_after(text: str, act: Act, steps: list[Step]) -> str:
    """Return the file's text after `act`; `steps` are those before it."""
    match act:
        case Created() | Rewritten():
            return act.text
        case Added():
            return text + act.text
        case Restored():
            return _text_of(steps, act.seq)
        case _:
            return text


def _text_of(steps: list[Step], seq: int) -> str:
    text = ""
    for number, step in enumerate(steps[:seq]):
        text = _text_after(text, step.act, steps[:number])
    return text


def edited(text: str, script: str, *, where: str) -> str:
    """Return `text` after an edit script as the module's docstring explains it.

    :raises DemoBrokenError: a place of the script is not in the text exactly once.
    """
    for place in script.split("@@\n"):
        lines = split_lines(place)
        if any(line[0] not in " -+" for line in lines):
            raise DemoBrokenError(f"{where}: every line of an edit begins with a blank, '-' or '+'")
        old = "\n" + "".join(line[1:] for line in lines if line[0] in " -")
        new = "\n" + "".join(line[1:] for line in lines if line[0] in " +")
        if ("\n" + text).count(old) != 1:
            raise DemoBrokenError(f"{where}: {old.strip()[:60]!r} is not there exactly once")
        text = ("\n" + text).replace(old, new)[1:]
    return text


def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as opened:
        return tomllib.load(opened)
