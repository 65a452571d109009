"""How SQLite is opened: saves queue instead of failing, and a commit survives a power cut."""

import json

from tests.serving import migrated, run_django


def test_the_database_is_opened_for_waiting_writers_and_durable_commits(tmp_path):
    code = """
import json
from django.db import connection
with connection.cursor() as cursor:
    found = {}
    for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
        cursor.execute(f"PRAGMA {pragma}")
        found[pragma] = cursor.fetchone()[0]
print(json.dumps({**found, "begins": connection.transaction_mode}))
"""
    found = json.loads(run_django(migrated(tmp_path), code).splitlines()[-1])
    assert found == {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20_000, "begins": "IMMEDIATE",
    }  # fmt: skip


def test_migrate_puts_back_a_trigger_that_is_gone_and_the_check_says_when_one_is(tmp_path):
    data_dir = migrated(tmp_path)
    code = """
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("DROP TRIGGER memoryadmin_version_no_update")
try:
    call_command("check", databases=["default"])
    print("silent")
except SystemCheckError as error:
    print("memoryadmin.E001" in str(error))
call_command("migrate", verbosity=0)
call_command("check", databases=["default"])
from memoryadmin.models import triggers
print(triggers.missing())
"""
    printed = run_django(data_dir, code).splitlines()
    assert [line for line in printed if line in {"True", "False", "silent", "[]"}] == ["True", "[]"]
