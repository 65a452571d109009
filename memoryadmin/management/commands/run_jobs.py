from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryadmin import tasks
from memoryadmin.services import jobs


class Command(BaseCommand):
    help = "Run every job that is due, once: what the worker does at each tick, for when there is no worker."

    def handle(self, *args: Any, **options: Any) -> None:
        tally = jobs.run_due(clock=timezone.now, limit=tasks.LIMIT)
        self.stdout.write(f"{tally.done} jobs done, {tally.put_off} put off.")
