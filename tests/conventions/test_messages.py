"""Languages: every message of the sources is in the catalogs, translated whole, and compiled as committed.

Collecting is done by `manage.py messages`; here its results are compared with what is committed, and Python's own
parser looks for the calls that it could have missed.
"""

import ast
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from memoryadmin.management import messages
from tests.conventions.sources import expect_kept, parsed, under

CATALOGS = messages.catalogs()
UPDATE = "run `make messages`, translate what it names, and run it again"
_MARKING = {"gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy", "_"}
# What comes ready from elsewhere: refusals of services, which are collected where they are raised.
_PASSED_ON = {"gettext(str(error))"}
_PLACE = re.compile(r"%\(\w+\)[a-z]|%%|\{\w*\}|</?\w+[^>]*>")
# Words that a calm page does without; see docs/glossary-ru.md.
_LOUD = re.compile(r"!|(?i:успешно|пожалуйста)|(?<=[а-яё,] )В(?:ы|ас|ам|аш\w*)\b")


@pytest.fixture(scope="module", params=CATALOGS, ids=[path.parts[-3] for path in CATALOGS])
def path(request) -> Path:
    return request.param


@pytest.fixture(scope="module")
def found() -> Catalog:
    return messages.collected()


def ids(catalog: Catalog) -> set:
    return {(message.context, message.id) for message in catalog if message.id}


def forms_of(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string)


def changed_places(message: Message) -> bool:
    """Whether a form of the translation holds other placeholders or tags than the message it translates."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    allowed = [sorted(_PLACE.findall(source)) for source in sources]
    return any(sorted(_PLACE.findall(form)) not in allowed for form in forms_of(message))


def changed_ends(message: Message) -> bool:
    """Whether a blank that joins the message to its neighbour came or went."""
    source = message.id if isinstance(message.id, str) else message.id[0]
    blanks = (source[:1].isspace(), source[-1:].isspace())
    return any((form[:1].isspace(), form[-1:].isspace()) != blanks for form in forms_of(message))


def message_of(source: str) -> Message:
    (_, message) = read_po(source.splitlines(), locale="ru")
    return message


def unmarkable_calls(path: str, text: str) -> list[str]:
    """Find marks whose text no catalog can hold: put together, or inside a formatted string."""
    tree, found = parsed(text), []
    for formatted in (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)):
        inside = [node for node in ast.walk(formatted) if isinstance(node, ast.Call)]
        found += [f"{path}:{call.lineno} is marked inside a formatted string" for call in inside if _is_mark(call)]
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_mark(node)):
        words = call.args[1:] if "pgettext" in ast.unparse(call.func) else call.args[:1]
        is_plain = all(isinstance(word, ast.Constant) and isinstance(word.value, str) for word in words)
        if not is_plain and ast.unparse(call) not in _PASSED_ON:
            found.append(f"{path}:{call.lineno} marks a text that is put together")
    return found


def _is_mark(call: ast.Call) -> bool:
    return ast.unparse(call.func).rsplit(".", 1)[-1] in _MARKING


def unsayable_refusals(path: str, text: str) -> list[str]:
    """Find reasons of services that are put together, so that no page can say them in another language."""
    calls = [node for node in ast.walk(parsed(text)) if isinstance(node, ast.Call)]
    raised = [call for call in calls if ast.unparse(call.func) in messages.REFUSALS]
    return [
        f"{path}:{call.lineno} refuses with a text that is put together"
        for call in raised
        if any(isinstance(word, ast.JoinedStr | ast.BinOp) for word in call.args[:1])
    ]


def test_every_language_of_the_pages_has_a_catalog() -> None:
    assert {path.parts[-3] for path in CATALOGS} == {code for code, _ in settings.LANGUAGES} - {"en"}


def test_every_message_of_the_sources_is_in_the_catalog_and_no_other(path, found) -> None:
    kept = ids(messages.read(path))

    assert {"new": ids(found) - kept, "gone": kept - ids(found)} == {"new": set(), "gone": set()}, UPDATE


def test_the_catalog_is_as_it_is_written(path, found) -> None:
    assert messages.written(messages.kept_up(messages.read(path), found)) == path.read_bytes(), UPDATE


def test_every_message_is_translated_whole_and_none_is_a_guess(path) -> None:
    catalog = messages.read(path)

    assert [message.id for message in messages.untranslated(catalog)] == []
    assert [message.id for message in catalog if message.id and message.fuzzy] == []
    assert not catalog.fuzzy


def test_the_compiled_catalog_is_what_the_source_says(path) -> None:
    assert messages.compiled(messages.read(path)) == path.with_suffix(".mo").read_bytes(), UPDATE


def test_placeholders_tags_and_outer_blanks_are_those_of_the_message(path) -> None:
    translated = [message for message in messages.read(path) if message.id and all(forms_of(message))]
    found = [message.id for message in translated if changed_places(message) or changed_ends(message)]

    assert found == []


def test_every_plural_has_all_of_its_forms(path) -> None:
    catalog = messages.read(path)
    plurals = [message for message in catalog if not isinstance(message.id, str)]

    assert plurals
    assert {len(message.string) for message in plurals} == {catalog.num_plurals}


def test_russian_is_calm() -> None:
    russian = messages.read(messages.LOCALES / "ru" / "LC_MESSAGES" / "django.po")

    assert [form for one in russian if one.id for form in forms_of(one) if _LOUD.search(form)] == []


def test_what_is_marked_can_be_collected() -> None:
    expect_kept(unmarkable_calls, under("memoryadmin/", ".py"))


def test_what_a_service_refuses_with_can_be_translated() -> None:
    paths = under(("memoryadmin/domain/", "memoryadmin/services/"), ".py")
    expect_kept(unsayable_refusals, [one for one in paths if not one.startswith("memoryadmin/services/demo/")])


def test_refusals_of_services_are_collected(found) -> None:
    assert (None, "a name is needed") in ids(found)


@pytest.mark.parametrize(
    "line",
    [
        "gettext(f'{count} files')",
        "gettext('Saved ' + name)",
        "f'<b>{escape(gettext(\"done\"))}</b>'",
        "pgettext('operation', words)",
        "ngettext(one, 'files', n)",
    ],
)
def test_a_planted_text_that_cannot_be_collected_is_found(line: str) -> None:
    assert len(unmarkable_calls("planted.py", line)) == 1


def test_a_planted_refusal_that_cannot_be_translated_is_found() -> None:
    assert (
        len(unsayable_refusals("planted.py", "raise InvalidFieldError(f'more than {most} files', field='path')")) == 1
    )
    assert unsayable_refusals("planted.py", "raise InvalidFieldError('too many files', field='path')") == []


@pytest.mark.parametrize(
    ("source", "is_changed"),
    [
        ('msgid "%(n)s of %(all)s"\nmsgstr "%(n)s из %(all)s"', False),
        ('msgid "%(n)s of %(all)s"\nmsgstr "%(n)s из %(al)s"', True),
        ('msgid "{who} created {what}"\nmsgstr "{what} создан"', True),
        ('msgid "<bdi>%(path)s</bdi> went"\nmsgstr "<b>%(path)s</b> исчез"', True),
        ('msgid "%(p)s %% full"\nmsgstr "%(p)s процентов"', True),
        ('msgid "%(n)s file"\nmsgid_plural "%(n)s files"\nmsgstr[0] "файл"\nmsgstr[1] "а"\nmsgstr[2] "ов"', True),
    ],
)
def test_a_planted_change_of_a_placeholder_is_found(source: str, is_changed: bool) -> None:
    assert changed_places(message_of(source)) is is_changed


def test_a_planted_lost_blank_is_found() -> None:
    assert changed_ends(message_of('msgid "Person: "\nmsgstr "Человек:"'))
    assert not changed_ends(message_of('msgid "Person: "\nmsgstr "Человек: "'))


def test_a_new_message_is_untranslated_and_one_that_is_gone_is_dropped() -> None:
    catalog = read_po(['msgid "Save"', 'msgstr "Сохранить"', "", 'msgid "Old"', 'msgstr "Старое"'], locale="ru")
    found = Catalog()
    for words in ("Save", "Saved"):
        found.add(words)

    kept = messages.kept_up(catalog, found)

    assert {message.id: message.string or "" for message in kept if message.id} == {"Save": "Сохранить", "Saved": ""}
    assert [message.id for message in messages.untranslated(kept)] == ["Saved"]
    assert b"Old" not in messages.written(kept)
