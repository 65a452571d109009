from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memoryadmin.services import demo


class Command(BaseCommand):
    help = "Load the demo company into an empty installation and print its accounts."

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = demo.load(now=timezone.now())
        if not loaded.is_loaded:
            raise CommandError("This installation is not empty: the demo was not loaded.")
        self.stdout.write(
            f"Loaded {loaded.people} people, {loaded.projects} projects, {loaded.agents} agents, "
            f"{loaded.files} files and {loaded.versions} versions. Sign in as:"
        )
        for one in demo.accounts():
            self.stdout.write(f"  {one.login:<8} {one.password:<20} {one.display_name}: {one.what}")
