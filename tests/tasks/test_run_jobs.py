import io
import logging
import runpy
import socket
import time

import kombu.pools
import pytest
from celery import current_app
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from memoryadmin import settings, tasks
from memoryadmin.models import Job
from memoryadmin.services import jobs


@pytest.fixture(autouse=True)
def awake(monkeypatch):
    """No test inherits the silence that follows an unreachable broker."""
    monkeypatch.setattr(tasks, "_quiet_until", 0.0)


@pytest.fixture
def ran(monkeypatch) -> list[int]:
    """Make `note` the only kind of work, and note the subject of each run."""
    noted: list[int] = []
    monkeypatch.setattr(jobs, "HANDLERS", {"note": lambda claimed, clock: noted.append(claimed.subject_id)})
    return noted


@pytest.fixture
def use_broker():
    """Have Celery send to another broker, with the settings' own options where none are given."""
    app = tasks.run_jobs_task.app
    before = {key: app.conf.get(key) for key in ("broker_url", "broker_transport_options")}

    def use(**changed):
        app.conf.update(changed)
        kombu.pools.reset()
        app._pool = app.amqp._producer_pool = None

    yield lambda url, options: use(broker_url=url, broker_transport_options=options)
    use(**before)


@pytest.fixture
def broker_folder(use_broker, tmp_path):
    """A broker that is a folder, as an installation without Redis has it."""
    folders = {name: tmp_path / name for name in ("queue", "control")}
    for folder in folders.values():
        folder.mkdir()
    queue = str(folders["queue"])
    options = {"data_folder_in": queue, "data_folder_out": queue, "control_folder": str(folders["control"])}
    use_broker("filesystem://localhost", options)
    return folders["queue"]


@pytest.fixture
def dead_broker(use_broker, monkeypatch):
    """A Redis that refuses: a port on which nothing listens, and the options that the settings have for Redis."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1/0")
    options = runpy.run_path(settings.__file__)["CELERY_BROKER_TRANSPORT_OPTIONS"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    use_broker(f"redis://127.0.0.1:{port}/0", options)


def enqueue(subject_id: int) -> None:
    with transaction.atomic():
        jobs.enqueue(kind="note", key=f"note:{subject_id}", subject_id=subject_id, now=timezone.now())


class TestTheTask:
    def test_has_its_name_and_both_time_limits(self):
        task = current_app.tasks["memoryadmin.tasks.run_jobs_task"]

        assert task.ignore_result
        assert 0 < task.soft_time_limit < task.time_limit

    def test_is_what_the_tick_sends(self):
        (entry,) = current_app.conf.beat_schedule.values()

        assert entry["task"] == tasks.run_jobs_task.name

    @pytest.mark.django_db(transaction=True)
    def test_GL_05_delivered_twice_has_one_effect(self, ran):
        enqueue(7)

        for _ in range(2):
            tasks.run_jobs_task(unknown_argument="of a later release")

        assert ran == [7]

    @pytest.mark.django_db
    def test_asks_for_another_look_when_there_may_be_more(self, ran, monkeypatch, broker_folder):
        monkeypatch.setattr(tasks, "LIMIT", 2)
        for subject_id in range(3):
            enqueue(subject_id)

        tasks.run_jobs_task()
        assert (ran, len(list(broker_folder.iterdir()))) == ([0, 1], 1)
        tasks.run_jobs_task()
        assert (ran, len(list(broker_folder.iterdir()))) == ([0, 1, 2], 1)


@pytest.mark.django_db(transaction=True)
class TestWaking:
    def test_sends_one_message_after_the_commit(self, ran, broker_folder):
        with transaction.atomic():
            enqueue(1)
            enqueue(2)
            assert list(broker_folder.iterdir()) == []

        (message,) = broker_folder.iterdir()
        assert tasks.run_jobs_task.name in message.read_text()

    def test_a_dead_broker_fails_no_change_and_is_asked_again_only_later(self, ran, dead_broker, caplog):
        begun_at = time.monotonic()
        with caplog.at_level(logging.WARNING):
            enqueue(1)
            enqueue(2)

        assert time.monotonic() - begun_at < 3  # not the six seconds of Celery's own patience
        assert Job.objects.count() == 2
        assert caplog.text.count("the broker cannot be reached") == 1
        assert jobs.run_due(clock=timezone.now).done == 2

    def test_a_broker_folder_that_is_gone_fails_no_change(self, ran, broker_folder, caplog):
        broker_folder.rmdir()
        enqueue(1)

        assert Job.objects.count() == 1
        assert "the broker cannot be reached" in caplog.text


@pytest.mark.django_db
class TestTheCommand:
    def test_runs_what_is_due_and_says_how_much(self, ran):
        enqueue(1)
        out = io.StringIO()

        call_command("run_jobs", stdout=out)

        assert (ran, out.getvalue()) == ([1], "1 jobs done, 0 put off.\n")
