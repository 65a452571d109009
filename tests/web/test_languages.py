"""The pages in Russian: chosen by anybody, with the right plurals, dates and numbers, and without an English word."""

import re
from datetime import date
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from memoryadmin.domain.scopes import ScopeType
from memoryadmin.services import files
from memoryadmin.web import errors
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW, OPERATOR
from tests.web.visiting import Visitor, words_of

# Where names, ids, other languages and memory text stand, all of which are the same in every language.
_NOT_OURS = frozenset({"bdi", "code", "textarea", "pre", "script", "style", "article", "option", "title"})
_SHOWN = ("aria-label", "placeholder", "title", "alt")
_WORD = re.compile(r"[A-Za-z]{2,}")
_SAME = frozenset({"memoryadmin", "Markdown", "UTF", "LF", "md", "UTC", "USER", "MEMORY", "ZIP"})
_NAMES = frozenset(
    ["Harbour", "harbour", "Pilot", "pilot", "Lighthouse", "Alice", "alice", "Bob", "Carol", "Dana", "notes"]
)
# The reason and the actor that `tests.build` gives.
_BUILT = frozenset(["made", "for", "test", "tests"])


class _OurWords(HTMLParser):
    """Collects the words of a page that the product says itself."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag, attrs):
        language = dict(attrs).get("lang", "ru")
        if self._inside or tag in _NOT_OURS or language != "ru":
            self._inside += [tag] if tag not in ("input", "meta", "link", "br", "use", "rect", "col") else []
        self.said += [value for name, value in attrs if name in _SHOWN and value and tag != "time"]

    def handle_endtag(self, tag):
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data):
        if not self._inside:
            self.said.append(data)


def english_words(page: str) -> set[str]:
    reader = _OurWords()
    reader.feed(page)
    return {word for said in reader.said for word in _WORD.findall(said)} - _SAME - _NAMES - _BUILT


def in_russian(visitor: Visitor) -> Visitor:
    visitor.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ru"
    return visitor


@pytest.fixture
def scope_id(cast) -> int:
    return a_scope(cast)


class TestChoosing:
    def test_the_sign_in_page_is_switched_without_signing_in(self, client: Client, db):
        assert "<h1>Sign in</h1>" in client.get("/sign-in/").content.decode()

        answer = client.post(reverse("language"), {"language": "ru", "next": "/sign-in/?next=/audit/"})
        page = client.get("/sign-in/").content.decode()

        assert answer.headers["Location"] == "/sign-in/?next=/audit/"
        assert '<html lang="ru">' in page
        assert "<h1>Вход</h1>" in page
        assert "Имя для входа" in page
        assert english_words(page) == set()

    def test_a_browser_that_asks_for_russian_gets_it_at_once(self, client: Client, db):
        page = client.get("/sign-in/", headers={"accept-language": "ru,en;q=0.5"}).content.decode()

        assert '<html lang="ru">' in page

    def test_an_unknown_language_changes_nothing(self, client: Client, db):
        client.post(reverse("language"), {"language": "xx", "next": "/"})

        assert '<html lang="en">' in client.get("/sign-in/").content.decode()

    def test_the_language_stays_after_signing_in_and_out(self, client: Client, cast):
        client.post(reverse("language"), {"language": "ru", "next": "/"})
        alice = in_russian(Visitor(cast.alice))

        assert "Что требует внимания" in alice.read("home")
        alice.client.post(reverse("signout"))
        assert "<h1>Вход</h1>" in alice.client.get("/sign-in/").content.decode()

    @pytest.mark.parametrize(("address", "status"), [("/no/such/page/", 404), ("/files/999999/", 404)])
    def test_error_pages_speak_it_too(self, alice, address, status):
        answer = in_russian(alice).client.get(address)

        assert answer.status_code == status
        assert '<html lang="ru">' in answer.content.decode()
        assert "Здесь для вас ничего нет" in words_of(answer)


class TestPlurals:
    @pytest.mark.parametrize(
        ("count", "words"),
        [(1, "1 файл. "), (2, "2 файла. "), (5, "5 файлов. "), (11, "11 файлов. "), (21, "21 файл. ")],
    )
    def test_files_are_counted_as_russian_counts(self, alice, scope_id, count, words):
        for number in range(count):
            a_file(scope_id, path=f"notes-{number}.md")

        assert words in in_russian(alice).read("scopes:detail", scope_id)

    @pytest.mark.parametrize(
        ("added", "words"),
        [
            (1, "1 строка добавлена."),
            (2, "2 строки добавлены."),
            (5, "5 строк добавлено."),
            (21, "21 строка добавлена."),
        ],
    )
    def test_lines_are_counted_as_russian_counts(self, alice, scope_id, added, words):
        file_id = a_file(scope_id, "first\n")
        more_versions(file_id, "first\n" + "more\n" * added)

        assert words in in_russian(alice).read("files:compare", file_id)


class TestDatesAndNumbers:
    def test_months_are_declined_and_hours_have_no_noon(self, alice, scope_id):
        file_id = a_file(scope_id)

        page = in_russian(alice).open("files:history", file_id).content.decode()

        assert 'title="20 июля 2026, 12:00:00 UTC"' in page
        assert re.search(r">20 июля( 2026)?, 12:00</time>", page)
        assert date(2026, 7, 20) == NOW.date()

    def test_thousands_are_apart_by_a_blank_that_does_not_break(self, alice, scope_id):
        file_id = a_file(scope_id, "x" * 1850, path="MEMORY.md")

        assert "1\xa0850 из 5\xa0000 символов" in in_russian(alice).open("files:detail", file_id).content.decode()

    def test_quotation_marks_are_russian(self, alice, scope_id):
        file_id = a_file(scope_id)

        assert "«made for a test»" in in_russian(alice).read("files:history", file_id)


class TestRefusals:
    def test_a_service_refuses_in_the_language_of_the_reader(self, dana):
        answer = in_russian(dana).send("projects:create", name="Harbour", slug="Not An Id", description="")

        assert answer.status_code == 422
        assert "От 1 до 63 знаков" in words_of(answer)
        assert "Ничего не сохранено." in words_of(answer)

    def test_a_name_is_refused_with_its_reason(self, alice, scope_id):
        answer = in_russian(alice).send("files:create", scope_id, path="../secret.md", text="x", reason="")

        assert "Ни одна часть имени не может состоять из одних точек" in words_of(answer)

    def test_an_empty_field_is_refused_in_django_s_own_words(self, alice, scope_id):
        answer = in_russian(alice).send("files:create", scope_id, path="", text="x", reason="")

        assert "Обязательное поле." in words_of(answer)

    @pytest.mark.parametrize("code", sorted(code for code, answer in errors.ANSWERS.items() if answer.words))
    def test_every_error_with_words_has_russian_ones(self, code):
        from django.utils import translation

        with translation.override("ru"):
            said = str(errors.ANSWERS[code].words)

        assert re.search("[а-я]{3}", said)
        assert set(_WORD.findall(re.sub(r"%\(\w+\)s", "", said))) <= _SAME


class TestNoEnglishWord:
    PAGES = (
        "home", "projects:list", "projects:create", "agents:list", "people:list", "people:create", "audit:list",
    )  # fmt: skip
    OF_A_FILE = (
        "files:detail",
        "files:source",
        "files:history",
        "files:compare",
        "files:edit",
        "files:rename",
        "files:delete",
    )

    @pytest.mark.parametrize("address", PAGES)
    def test_stands_on_a_list_or_form_of_an_admin(self, dana, scope_id, address):
        a_file(scope_id, "первый\n")

        assert english_words(in_russian(dana).open(address).content.decode()) == set()

    @pytest.mark.parametrize("query", [{"q": "ничего"}, {"state": "archived"}])
    @pytest.mark.parametrize("address", ["projects:list", "agents:list", "people:list"])
    def test_stands_on_a_list_that_is_empty(self, carol, address, query):
        page = in_russian(carol).open(address, **query).content.decode()

        assert english_words(page) == set()

    @pytest.mark.parametrize("address", OF_A_FILE)
    def test_stands_on_a_page_of_a_file(self, alice, scope_id, address):
        file_id = a_file(scope_id, "первый\n")
        more_versions(file_id, "первый\n\nвторой\u200b\n", "второй\n")

        page = in_russian(alice).open(address, file_id).content.decode()

        assert english_words(page) == set()

    @pytest.mark.parametrize("address", ["files:version", "files:restore"])
    def test_stands_on_a_page_of_a_version(self, alice, scope_id, address):
        file_id = a_file(scope_id, "первый\n")
        more_versions(file_id, "второй\n")

        page = in_russian(alice).open(address, file_id, 1).content.decode()

        assert english_words(page) == set()

    def test_stands_on_the_pages_of_a_project_an_agent_and_a_person(self, dana, cast, scope_id):
        dana = in_russian(dana)
        pages = [dana.open(f"projects:{page}", cast.project) for page in ("detail", "edit", "archive")] + [
            dana.open(f"agents:{page}", cast.project, cast.agent) for page in ("detail", "edit", "archive")
        ]
        pages += [dana.open(f"people:{page}", cast.alice) for page in ("detail", "edit", "archive")]
        pages += [dana.open("projects:remove_member", cast.project, cast.bob), dana.open("agents:create", cast.project)]
        pages += [dana.open("imports:begin", cast.project)]

        assert {page.status_code for page in pages} == {200}
        assert [english_words(page.content.decode()) for page in pages] == [set()] * len(pages)

    def test_stands_on_the_page_of_a_conflict(self, alice, scope_id):
        file_id = a_file(scope_id, "второй\n")
        more_versions(file_id, "чужой\n")

        answer = in_russian(alice).send("files:edit", file_id, text="мой\n", base_seq=1, reason="")

        assert answer.status_code == 409
        assert english_words(answer.content.decode()) == set()

    def test_stands_on_the_page_of_a_deleted_file(self, alice, cast):
        scope_id = a_scope(cast, ScopeType.AGENT)
        file_id = a_file(scope_id, "первый\n")
        files.delete(actor=OPERATOR, file_id=file_id, base_seq=1, note=files.Note(), now=NOW)
        alice = in_russian(alice)

        for page in (alice.open("files:detail", file_id), alice.open("scopes:detail", scope_id)):
            assert english_words(page.content.decode()) == set()

    def test_a_planted_one_is_found(self):
        page = '<p>Файл <b>went</b> <bdi>Alice</bdi></p><a lang="en">English</a><input placeholder="Find">'

        assert english_words(page) == {"went", "Find"}
