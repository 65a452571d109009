"""The Celery application. It carries only "look now": what there is to do stands in the job table."""

import os
from pathlib import Path

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryadmin.settings")

app = Celery("memoryadmin")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Without Redis the messages are files: a command run before the first `up` must find the folders too.
for name, value in app.conf.broker_transport_options.items():
    if name in {"data_folder_in", "data_folder_out", "control_folder"}:
        Path(value).mkdir(parents=True, exist_ok=True)
# One fixed beat entry: the tick finds every due job, also one whose wake-up message was lost.
app.conf.beat_schedule = {
    "run-due-jobs": {"task": "memoryadmin.tasks.run_jobs_task", "schedule": 15.0, "options": {"expires": 15.0}},
}
