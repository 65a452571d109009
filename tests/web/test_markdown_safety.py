"""Whatever stands in a memory file, the page runs nothing, fetches nothing and hides nothing."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.web.markdown import render, render_plain

SCHEMES = ("http:", "https:", "mailto:")
PIECES = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)",
    "JaVaScRiPt:alert(1)", "javascript&#58;alert(1)", "data:text/html,x", "vbscript:x", "//evil.example/x",
    "https://ok.example/?a=1&b=2", "[", "]", "(", ")", "![", "<", ">", '"', "'", "`", "```", "\n", "\n\n",
    " ", "  ", "\t", "# ", "- ", "1. ", "> ", "|", "|-|", "*", "**", "_", "~~", "\\", "&", "&lt;",
    "&#x6a;", ":", "[a]: ", "a", "б", "\u200b", "\ufeff", "\x02", "\x03", "\ufdd0", "\ufdd00\ufdd0",
    "klzzwxh:0001", "---", "[ ] ", "onclick=x", "style=x", "<a href='javascript:x'>", "\r", "\x00",
)  # fmt: skip


class Page(HTMLParser):
    """What a browser would make of the HTML: its elements, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data


def hrefs(html: str) -> list[str]:
    return [attributes["href"] for tag, attributes in Page(html).elements if "href" in attributes]


def assert_harmless(html: str) -> None:
    for tag, attributes in Page(html).elements:
        assert tag not in {"script", "img", "iframe", "style", "link", "svg", "form", "input", "object", "base", "meta"}
        assert not {"src", "srcset", "style", "poster", "action", "background", "xlink:href"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
        href = attributes.get("href", "#doc-")
        assert href.lower().startswith(SCHEMES) or href.startswith("#doc-"), href
        if "href" in attributes:
            assert set(attributes["rel"].split()) == {"noopener", "noreferrer", "nofollow"}


@pytest.mark.parametrize(
    "source",
    [
        "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](javascript&#58;alert(1))",
        "[x](&#x6a;avascript:alert(1))", "[a\nb](javascript:alert(1))", "[x]( javascript:alert(1))",
        "[x](java\tscript:alert(1))", "[x](<java script:alert(1)>)", "[a]\n\n[a]: javascript:alert(1)",
        "[x][a]\n\n[a]: javascript:alert(1)", "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:msgbox(1))", "<javascript:alert(1)>", "![x](javascript:alert(1))",
        "[x](//evil.example)", "[x](/\\evil.example)", "[x](\\\\evil.example)",
        "[x](\x01javascript:alert(1))", '<a href="javascript:alert(1)">x</a>',
        "[x](http&colon;//evil.example)", "[![x](javascript:alert(1))](javascript:alert(2))",
    ],
)  # fmt: skip
def test_DR_02_links_that_run_code_lead_nowhere_and_stay_readable(source):
    html = render(source).html

    assert_harmless(html)
    assert not [href for href in hrefs(html) if "script" in href.lower()]
    assert re.search("[xab]", Page(html).text)


def test_DR_02_ordinary_links_anchors_and_tables_still_work():
    html = render(
        "# Plan of June\n\n[site](https://ok.example/?a=1&b=2) [mail](mailto:a@b.example) [up](#plan-of-june) "
        "<https://auto.example>\n\n[ref][r]\n\n[r]: https://ref.example\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n"
    ).html

    assert hrefs(html) == [
        "https://ok.example/?a=1&b=2", "mailto:a@b.example", "#doc-plan-of-june", "https://auto.example", "https://ref.example",
    ]  # fmt: skip
    assert 'id="doc-plan-of-june"' in html
    assert '<th align="right" dir="auto">b</th>' in html


def test_a_relative_link_leads_to_the_page_that_the_caller_names():
    pages = {"notes/plan.md": "/files/7/"}

    html = render("[plan](notes/plan.md) [gone](notes/gone.md)", link_of=lambda path: pages.get(path, "")).html

    assert hrefs(html) == ["/files/7/"]
    assert "gone (notes/gone.md)" in Page(html).text


def test_the_links_of_one_text_do_not_reach_the_next():
    render("[r]\n\n[r]: https://r.example\n\n[x](a.md)", link_of=lambda _: "/files/1/")

    assert hrefs(render("[r] [x](a.md)").html) == []


def test_an_image_is_an_address_and_never_fetched():
    html = render('![pixel](https://evil.example/p.png?d=1 "seen")').html

    assert_harmless(html)
    assert hrefs(html) == ["https://evil.example/p.png?d=1"]
    assert "Image: pixel seen https://evil.example/p.png?d=1" in Page(html).text


@pytest.mark.parametrize(
    "source",
    [
        "<!-- add to SOUL.md -->", "<placeholder>", "<img src=x onerror=alert(1)>", "<div hidden>order</div>",
        "<details><summary>x</summary>y</details>", "[//]: # (order)", "[a]: https://a.example 'order'",
        "```order for the agent\ncode\n```",
    ],
)  # fmt: skip
def test_raw_html_comments_and_definitions_are_shown_as_text(source):
    html = render(source).html

    assert_harmless(html)
    for word in re.findall(r"\w+", source):
        assert word in Page(html).text


def test_the_title_of_a_link_is_shown():
    assert "site (an order)" in Page(render('[site](https://ok.example "an order")').html).text


def test_SE_05_hidden_characters_are_shown_as_marks():
    order = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    html = render(
        f"Likes tea{order} and se\u200bcrets, \u202eright to left, so\u00adft, &#x200b; and **\ufeffbom**"
    ).html

    for mark in ("U+E006F", "U+200B", "U+202E", "U+00AD", "U+FEFF"):
        assert f'<span class="hidden-mark">{mark}</span>' in html
    assert not re.search("[\u200b\u202e\u00ad\ufeff\U000e0000-\U000e007f]", html)


def test_SE_05_emoji_joiners_and_right_to_left_text_raise_no_mark():
    html = render("👨‍👩‍👧 👍🏿 ❤️ שלום עולם").html

    assert "hidden-mark" not in html
    assert 'dir="auto"' in html


def test_SE_05_the_plain_form_shows_hidden_characters_too():
    assert '<span class="hidden-mark">U+200B</span>' in render_plain("a\u200bb")


def test_the_byte_order_mark_at_the_beginning_is_not_shown():
    html = render("\ufeff# Title\n").html

    assert html == '<h2 dir="auto" id="doc-title">Title</h2>'


def test_control_characters_are_shown_as_pictures():
    assert "a␛[31mb␀" in render("a\x1b[31mb\x00").html


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=200))
def test_no_text_makes_a_page_that_runs_or_fetches_anything(source):
    assert_harmless(render(source).html)
    assert_harmless(render_plain(source))
