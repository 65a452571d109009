"""The template tags escape what they are given, and say states in words beside every sign."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.template import engines
from django.utils import timezone, translation

NOW = datetime(2026, 7, 20, 12, 0, tzinfo=UTC)


def shown(source: str, **context) -> str:
    return engines["django"].from_string(source).render(context)


def test_an_icon_is_decoration():
    html = shown('{% icon "home" %}')

    assert html == (
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="/static/img/icons.svg#home"></use></svg>'
    )


@pytest.mark.parametrize(
    ("kind", "word", "sign"),
    [
        ("person", "Person: ", "person"),
        ("runtime", "Agent: ", "agent"),
        ("dream", "Dream: ", "dream"),
        ("system", "System: ", "settings"),
    ],
)
def test_an_actor_is_told_by_a_word_and_a_sign(kind, word, sign):
    html = shown("{% actor kind id name %}", kind=kind, id="x", name="Oda")

    assert f'<span class="hidden-text">{word}</span><bdi>Oda</bdi>' in html
    assert f"#{sign}" in html


def test_DR_07_the_name_of_an_actor_is_escaped():
    assert "&lt;script&gt;" in shown("{% actor kind id name %}", kind="person", id="u_1", name="<script>")


def test_a_person_without_a_name_was_erased_and_a_part_of_the_system_has_its_own():
    assert "an erased person" in shown('{% actor "person" "u_1" "" %}')
    assert "<bdi>import</bdi>" in shown('{% actor "system" "import" %}')
    assert "<bdi>tests</bdi>" in shown('{% actor "system" "tests" %}')


@pytest.mark.parametrize(
    ("used", "state", "words"),
    [
        (100, "fine", "100 of 5,000 characters"),
        (4_000, "near", "4,000 of 5,000"),
        (5_000, "near", "5,000 of"),
        (5_214, "over", "214 over"),
    ],
)
def test_a_meter_says_its_state_in_words_too(used, state, words):
    html = shown("{% meter used 5000 %}", used=used)

    assert f"meter--{state}" in html
    assert words in html
    assert "style=" not in html


def test_a_meter_without_a_limit_is_a_number():
    assert shown("{% meter 1 None %}").count("1 character<") == 1
    assert "svg" not in shown("{% meter 1 None %}")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_svg_numbers_have_a_point_in_every_language(language):
    with translation.override(language):
        assert 'width="33.3"' in shown("{% meter 1 3 %}")


def test_a_counter_is_right_before_any_script_ran():
    html = shown('{% counter "id_text" text 3 %}', text="абвг")

    assert 'data-count="id_text" data-limit="3"' in html
    assert "<span data-used>4</span> of 3 characters" in html
    assert "<span data-over>" in html
    assert "<span data-over hidden>" in shown('{% counter "id_text" text 9 %}', text="абвг")


@time_machine.travel(NOW, tick=False)
def test_moments_are_local_and_carry_their_zone():
    with timezone.override("Europe/Moscow"):
        assert ">today 15:00</time>" in shown("{% when at %}", at=NOW)
        assert ">yesterday 15:00</time>" in shown("{% when at %}", at=NOW - timedelta(days=1))
        assert ">20 May, 15:00</time>" in shown("{% when at %}", at=datetime(2026, 5, 20, 12, tzinfo=UTC))
        html = shown("{% when at %}", at=datetime(2025, 7, 19, 21, 30, tzinfo=UTC))

    assert ">20 July 2025, 00:30</time>" in html
    assert 'datetime="2025-07-20T00:30:00+03:00"' in html
    assert 'title="20 July 2025, 00:30:00 Europe/Moscow"' in html


@time_machine.travel(NOW, tick=False)
def test_moments_are_told_in_the_reader_s_language():
    with translation.override("ru"):
        assert ">20 мая, 12:00</time>" in shown("{% when at %}", at=datetime(2026, 5, 20, 12, tzinfo=UTC))


def test_numbers_are_grouped_as_the_reader_is_used_to():
    assert shown("{{ 5214|number }}") == "5,214"
    with translation.override("ru"):
        assert shown("{{ 5214|number }}") == "5\xa0214"
    assert shown("{{ 1024|size }}") == "1.0\xa0KB"


def test_SE_05_hidden_characters_are_marked_and_the_rest_is_escaped():
    html = shown("{{ text|hidden_marks }}", text="a\u200b<b>&\u202e")

    assert html == ('a<span class="hidden-mark">U+200B</span>&lt;b&gt;&amp;<span class="hidden-mark">U+202E</span>')
