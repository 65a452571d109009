from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryadmin.services import verification


class Command(BaseCommand):
    help = "Check every version, text, blob and head against each other; print each fault and where it is."

    def handle(self, *args: Any, **options: Any) -> None:
        report = verification.verify_ledger()
        for fault in report.faults:
            self.stdout.write(f"{fault.where} {fault.what}")
        counts = f"{report.files} files, {report.versions} versions, {report.blobs} blobs"
        if report.faults:
            raise CommandError(f"{len(report.faults)} faults in {counts}")
        self.stdout.write(f"The ledger is whole: {counts}.")
