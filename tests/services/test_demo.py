"""The demo loads whole, shows what the product is for, and its texts agree with themselves."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.contrib.auth import authenticate
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from memoryadmin.domain.actors import Person
from memoryadmin.domain.errors import NotAllowedError
from memoryadmin.domain.limits import LimitState
from memoryadmin.domain.scanning import find_hidden, find_secrets
from memoryadmin.models import AuditRecord, Job, MemoryFile, Version
from memoryadmin.models import Person as PersonRow
from memoryadmin.services import audit, demo, files, people, verification
from memoryadmin.services.demo.calendar import Calendar
from memoryadmin.services.demo.company import FOLDER, DemoBrokenError, edited, read_company, read_stories
from tests.cast import OPERATOR

pytestmark = pytest.mark.django_db

STORIES = read_stories()
NOW = datetime(2026, 7, 20, 8, 30, tzinfo=UTC)  # a Monday morning: everything else happened last week or before


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[demo.Demo]:
    """The demo in the database, once for this module, and taken back at its end."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield demo.load(now=NOW)
        transaction.set_rollback(True)


def actor(login: str) -> Person:
    found = people.find_by_login(login=login)
    assert found is not None
    return found


def found(prefix_end: str, path: str) -> MemoryFile:
    """The newest life of a file, by the end of its scope's prefix."""
    rows = MemoryFile.objects.filter(scope__prefix__endswith=f"{prefix_end}/workspace/", path=path)
    return rows.order_by("-created_at")[0]


def texts_of(file: MemoryFile) -> list[str]:
    versions = file.versions.select_related("text__blob").order_by("seq")
    return [bytes(one.text.blob.content).decode() if one.text.blob else "" for one in versions]


def every_text() -> list[tuple[str, str]]:
    rows = Version.objects.select_related("text__blob", "text__reason", "file__scope")
    return [
        (f"{row.file.scope.prefix}{row.text.path} v{row.seq}", bytes(blob.content).decode())
        for row in rows
        for blob in (row.text.blob, row.text.reason)
        if blob
    ]


# Before anything is loaded


def test_where_somebody_is_already_it_does_nothing() -> None:
    people.create(actor=OPERATOR, fields=people.PersonFields(name="Alice"), now=NOW)
    before = AuditRecord.objects.count()
    assert demo.load(now=NOW) == demo.Demo(is_loaded=False)
    assert AuditRecord.objects.count() == before


# The folder


def test_every_text_of_the_folder_belongs_to_exactly_one_story() -> None:
    begun = [story.path for story in STORIES]
    kept = sorted(str(path.relative_to(FOLDER / "files")) for path in (FOLDER / "files").rglob("*.md"))
    with_text_beside = [path for path in begun if (FOLDER / "files" / path).is_file()]
    assert kept == sorted(set(with_text_beside))
    assert len(begun) >= 80


def test_an_edit_that_does_not_fit_is_refused_and_says_where() -> None:
    assert edited("- a\n- b\n", "-- b\n+- c\n", where="here") == "- a\n- c\n"
    for script in ("-- x\n+- c\n", "-\n+- c\n", "no sign\n"):
        with pytest.raises(DemoBrokenError, match="here"):
            edited("- a\n\n- b\n\n", script, where="here")


@given(st.datetimes(min_value=datetime(2024, 1, 1), max_value=datetime(2036, 1, 1)))  # noqa: DTZ001
def test_whenever_it_is_loaded_its_history_is_past_and_in_order(moment: datetime) -> None:
    now = moment.replace(tzinfo=UTC)
    calendar = Calendar(now)
    for story in STORIES:
        told = [calendar.at(step.at) for step in story.steps]
        assert told == sorted(set(told))
        assert told[-1] < now
    begun = max(calendar.at(project.begun) for project in read_company().projects)
    assert now - begun > timedelta(weeks=7)


def test_dates_are_written_for_the_language_of_the_text() -> None:
    calendar = Calendar(NOW)
    assert calendar.fill("{0d} {1d en}, до {-8d ru}") == "2026-07-20 17 July, до 30 июля"


# The loading


def test_it_loads_a_company_with_its_people_projects_and_agents(loaded: demo.Demo) -> None:
    assert (loaded.is_loaded, loaded.people, loaded.projects, loaded.agents) == (True, 10, 3, 12)
    assert loaded.files == MemoryFile.objects.count() >= 80
    assert loaded.versions == Version.objects.count() >= 200


def test_a_second_load_does_nothing(loaded: demo.Demo) -> None:
    before = AuditRecord.objects.count()
    assert demo.load(now=NOW) == demo.Demo(is_loaded=False)
    assert AuditRecord.objects.count() == before


def test_the_accounts_that_are_printed_can_sign_in(loaded: demo.Demo) -> None:
    first, *others = demo.accounts()
    for one in (first, others[-1]):
        person = authenticate(username=one.login, password=one.password)
        assert isinstance(person, PersonRow)
        assert people.names([person.pk]) == {person.pk: one.display_name}
    cards = people.listing(actor=actor("vera"))
    assert {card.login for card in cards} == {one.login for one in demo.accounts()}
    assert all(card.email.endswith(".example") for card in cards)
    assert [sum(card.is_admin for card in cards), sum(card.is_auditor for card in cards)] == [1, 1]


def test_ledger_and_audit_are_whole_and_every_version_is_in_the_past(loaded: demo.Demo) -> None:
    assert verification.verify_ledger().faults == ()
    assert [report.breaks for report in audit.verify_chains()] == [()] * 4
    assert Version.objects.latest("at").at < NOW
    assert Version.objects.earliest("at").at < NOW - timedelta(weeks=8)
    assert list(AuditRecord.objects.order_by("pk").values_list("at", flat=True)) == sorted(
        AuditRecord.objects.values_list("at", flat=True)
    )


def test_every_file_waits_to_be_put_where_agents_read_it(loaded: demo.Demo) -> None:
    assert Job.objects.filter(kind="project").count() == MemoryFile.objects.count()


# What it shows


def test_one_memory_is_over_its_limit_and_one_is_near_it(loaded: demo.Demo) -> None:
    over = found("projects/rounds", "MEMORY.md")
    near = found("agents/letter-desk", "MEMORY.md")
    assert files.read(actor=actor("vera"), file_id=over.pk).card.limit is LimitState.OVER
    assert files.read(actor=actor("vera"), file_id=near.pk).card.limit is LimitState.NEAR
    assert [row.pk for row in MemoryFile.objects.filter(is_over_limit=True)] == [over.pk]


def test_one_memory_was_compacted_when_it_had_grown_over_its_limit(loaded: demo.Demo) -> None:
    sizes = [len(text) for text in texts_of(found("agents/clock-doctor", "MEMORY.md"))]
    assert any(old > 5_000 and new < old / 2 for old, new in pairwise(sizes))


def test_a_bad_edit_waits_to_be_undone_by_a_restore(loaded: demo.Demo) -> None:
    file = found("projects/selga", "MEMORY.md")
    *earlier, last = texts_of(file)
    assert "Never polish the iron" in earlier[-1]
    assert "Never polish the iron" not in last
    note = files.Note(reason="An article was pasted over the memory")
    files.restore(actor=actor("ilze"), file_id=file.pk, seq=file.seq - 1, base_seq=file.seq, note=note, now=NOW)
    assert texts_of(file) == [*earlier, last, earlier[-1]]


def test_files_were_renamed_deleted_brought_back_and_begun_anew(loaded: demo.Demo) -> None:
    paths = found("projects/rounds", "memory/k-44-osterby-station.md").versions.values_list("text__path", flat=True)
    assert "memory/osterby-station.md" in paths
    assert found("projects/desk", "memory/old-price-list.md").deleted_at is not None
    brought_back = found("projects/rounds", "memory/ladders-and-keys.md")
    assert {"deleted", "restored"} <= set(brought_back.versions.values_list("operation", flat=True))
    assert brought_back.deleted_at is None
    assert MemoryFile.objects.filter(scope__prefix="projects/rounds/workspace/", path="HANDOFF.md").count() == 2
    tone = texts_of(found("agents/night-bell", "SOUL.md"))
    assert tone[-1] == tone[1] != tone[-2]


def test_people_agents_and_the_system_wrote_side_by_side(loaded: demo.Demo) -> None:
    versions = found("projects/rounds", "MEMORY.md").versions
    assert {"person", "runtime"} == set(versions.values_list("actor_kind", flat=True))
    assert versions.filter(actor_kind="person").values("actor_id").distinct().count() >= 4
    assert set(Version.objects.values_list("actor_kind", flat=True)) == {"person", "runtime", "system"}


def test_what_agents_remember_about_a_person_is_closed_to_the_admin(loaded: demo.Demo) -> None:
    file = found(f"users/{actor('pavel').id}", "USER.md")
    assert "колен" not in texts_of(file)[-1]
    assert "knee" not in texts_of(file)[-1]
    with pytest.raises(NotAllowedError):
        files.read(actor=actor("vera"), file_id=file.pk)
    assert files.read(actor=actor("pavel"), file_id=file.pk).can_edit


# The texts


def test_no_text_holds_a_secret_a_hidden_sign_or_an_unfilled_date(loaded: demo.Demo) -> None:
    for where, text in every_text():
        assert find_secrets(text) == (), where
        assert find_hidden(text) == (), where
        assert not re.search(r"\{-?\d+d|https?://|@(?!@)\w+\.(?!example)", text), where


def test_links_between_pages_lead_to_pages(loaded: demo.Demo) -> None:
    index = found("agents/archive-guide", "MEMORY.md")
    targets = re.findall(r"\]\(([^)]+)\)", texts_of(index)[-1])
    assert len(targets) == 3
    live = MemoryFile.objects.filter(scope=index.scope_id, deleted_at=None).values_list("path", flat=True)
    assert set(targets) <= set(live)


def test_sums_are_right(loaded: demo.Demo) -> None:
    for text in texts_of(found("projects/selga", "memory/budget.md")):
        rows = [row.strip("| *").split("|") for row in text.splitlines() if re.search(r"\d \|", row) or "**" in row]
        agreed = [int(cells[1].strip(" *").replace(",", "")) for cells in rows]
        spent = [int(cells[2].strip(" *").replace(",", "")) for cells in rows]
        assert (sum(agreed[:-1]), sum(spent[:-1])) == (agreed[-1], spent[-1])
    quote = texts_of(found("projects/desk", "memory/how-we-quote.md"))[-1]
    parts = [float(amount) for amount in re.findall(r"^(?:visit|road|stairs) .*? (\d+\.\d\d)$", quote, re.MULTILINE)]
    assert round(sum(parts), 2) == 300.88
    assert "before VAT                  300.88" in quote
