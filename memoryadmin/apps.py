from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate


class MemoryAdminConfig(AppConfig):
    """Wiring that must exist before the first request: triggers, start-up checks, the wake callback."""

    name = "memoryadmin"
    label = "memoryadmin"

    def ready(self) -> None:
        from memoryadmin import celery, tasks  # noqa: F401, PLC0415
        from memoryadmin.models import triggers  # noqa: PLC0415
        from memoryadmin.services import jobs  # noqa: PLC0415

        post_migrate.connect(triggers.install_after_migrate, sender=self, dispatch_uid="memoryadmin.triggers")
        checks.register(triggers.check_installed, checks.Tags.database)
        jobs.on_wake(tasks.wake)
