from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryadmin.services import audit


class Command(BaseCommand):
    help = "Recompute every audit chain; print each break and the record at which it is."

    def handle(self, *args: Any, **options: Any) -> None:
        reports = audit.verify_chains()
        for report in reports:
            for found in report.breaks:
                self.stdout.write(f"chain {report.name}, record {found.seq}: {found.what}")
        breaks = sum(len(report.breaks) for report in reports)
        counts = f"{sum(report.records for report in reports)} records in {len(reports)} chains"
        if breaks:
            raise CommandError(f"{breaks} breaks in {counts}")
        self.stdout.write(f"The audit chains are whole: {counts}.")
