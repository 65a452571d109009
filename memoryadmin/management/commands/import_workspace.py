from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memoryadmin.domain.actors import Actor, System
from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.domain.imports import ImportTarget, RefusalCode
from memoryadmin.domain.scopes import prefix
from memoryadmin.services import imports, people


class Command(BaseCommand):
    help = (
        "Import the memory files of an agent's workspace: proposes a scope and a kind for each file, says what is new, "
        "changed, the same or refused and why, and writes what is new and changed. What was changed here since the "
        "last import stays, unless --overwrite is given; also then it stays in history."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="the folder to import")
        parser.add_argument("--project", required=True, help="id of the project it belongs to")
        parser.add_argument("--agent", help="id of the agent whose workspace the folder is; created when it is new")
        parser.add_argument("--user", help="sign-in name of the person whom USER.md and MEMORY.md are about")
        parser.add_argument("--as", dest="login", help="sign-in name of the person who imports, with their rights")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument("--overwrite", action="store_true", help="also write older, conflicting and deleted files")

    def handle(self, *args: Any, **options: Any) -> None:
        actor = _person(options["login"], "--as") if options["login"] else System("import")
        try:
            workspace = imports.open_workspace(options["path"])
            plan = imports.plan(actor=actor, workspace=workspace, target=_target(options))
            self._show(plan)
            if options["dry_run"]:
                self.stdout.write("Nothing was written (dry run).")
                return
            done = imports.apply(
                actor=actor, workspace=workspace, plan=plan, now=timezone.now(), should_overwrite=options["overwrite"]
            )
        except MemoryAdminError as refused:
            where = f"{refused.field}: " if refused.field else ""
            raise CommandError(f"{where}{refused}") from refused
        self._conclude(done)

    def _show(self, plan: imports.Plan) -> None:
        for agent in plan.new_agents:
            self.stdout.write(f"agent {agent.slug} will be created")
        for one in plan.files:
            self.stdout.write(f"{imports.outcome_word(one.outcome):>22}  {_place(one)}")
            for sentence in _remarks(one):
                self.stdout.write(f"{'':>22}    {sentence}")
        counts = Counter(one.outcome for one in plan.files)
        self.stdout.write(", ".join(f"{counts[o]} {imports.outcome_word(o)}" for o in imports.Outcome if counts[o]))

    def _conclude(self, done: tuple[imports.Imported, ...]) -> None:
        written = sum(1 for one in done if one.is_written)
        versions = sum(len(one.planned.steps) for one in done if one.is_written)
        self.stdout.write(f"Imported {written} files in {versions} versions.")
        for one in done:
            late = one.planned.outcome is imports.Outcome.REFUSED and one.planned.placement.refused is None
            if late and one.planned.refused:
                self.stdout.write(f"Not written: {_place(one.planned)}: {imports.note_sentence(one.planned.refused)}")


def _target(options: dict[str, Any]) -> ImportTarget:
    person = _person(options["user"], "--user").id if options["user"] else None
    return ImportTarget(project=options["project"], agent=options["agent"], person=person)


def _person(login: str, option: str) -> Actor:
    actor = people.find_by_login(login=login)
    if actor is None:
        raise CommandError(f"{option}: nobody signs in as {login}")
    return actor


def _place(one: imports.Planned) -> str:
    placement = one.placement
    source = placement.source_path.encode("utf-8", "backslashreplace").decode()
    if placement.scope is None or placement.kind is None:
        return source
    kind = f"{placement.kind.name}, {len(one.steps)} versions" if len(one.steps) > 1 else placement.kind.name
    return f"{source} -> {prefix(placement.scope)}{placement.path} ({kind})"


def _remarks(one: imports.Planned) -> list[str]:
    found = imports.remarks(one)
    if one.refused and one.refused.code is RefusalCode.AGENT_NEEDED:
        found.insert(1, "Name it with --agent.")
    return found
