"""Memory is read as its writers meant it, which is looser than the parser's rules."""

import re
from html import unescape

from memoryadmin.web.markdown import render


def shape(html: str) -> str:
    """The HTML without attributes and without the white space between elements."""
    return re.sub(r">\s+<", "><", re.sub(r"<(\w+)[^>]*>", r"<\1>", html)).replace("\n", "")


def test_lists_nested_by_two_blanks_are_nested():
    nested = "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"

    assert shape(render("- a\n  - b\n    - c\n- d\n").html) == nested
    assert shape(render("- a\n    - b\n        - c\n- d\n").html) == nested
    assert shape(render("- a\n\t- b\n\t\t- c\n- d\n").html) == nested


def test_numbers_and_dots_of_other_forms_are_lists():
    assert shape(render("1) a\n   - b\n2) c\n").html) == "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"


def test_a_list_right_under_a_line_of_text_is_a_list():
    assert shape(render("**Done:**\n1. a\n2. b\n").html) == "<p><strong>Done:</strong></p><ol><li>a</li><li>b</li></ol>"


def test_a_year_at_the_beginning_of_a_line_is_no_list():
    assert "<ol" not in render("It was in\n1986. A good year.\n").html


def test_a_table_right_under_a_line_of_text_is_a_table():
    assert "<table>" in render("Prices:\n| a | b |\n|---|---|\n| 1 | 2 |\nNext line\n").html


def test_lines_that_were_not_wrapped_stay_lines():
    assert (
        shape(render("Name: Oda\nRole: planner\nZone: Riga\n").html)
        == "<p>Name: Oda<br>Role: planner<br>Zone: Riga</p>"
    )


def test_wrapped_prose_is_one_paragraph():
    line = "a line of prose that somebody wrapped at about seventy characters, as one does"

    assert "<br" not in render(f"{line}\n{line}\nand its end\n").html


def test_a_tag_is_no_heading():
    html = render("#project x\n\n# Heading\n\n#42\n").html

    assert html.count("<h2") == 1
    assert "#project x" in html
    assert "#42" in html


def test_headings_begin_below_the_page_and_keep_their_order():
    html = render("# a\n## b\n###### c\n").html

    assert re.findall(r"<(h\d)", html) == ["h2", "h3", "h6"]


def test_equal_headings_have_different_anchors():
    html = render("# a\n# a\n# a-1\n# a\n").html

    assert re.findall(r'id="([^"]+)"', html) == ["doc-a", "doc-a-1", "doc-a-1-1", "doc-a-2"]


def test_code_blocks_are_kept_exactly_also_in_lists_and_quotes():
    html = render("- a\n\n  ```py\n  x = [1\n\n    y *z*\n  ```\n- b\n\n> ~~~\n> q\n> ~~~\n").html

    assert "<code>x = [1\n\n  y *z*\n</code>" in html
    assert "<code>q\n</code>" in html
    assert '<p class="doc__code-name" dir="auto">py</p>' in html


def test_a_code_block_that_is_never_closed_is_text():
    assert "<code>" not in render("```\nabc\n").html


def test_front_matter_is_shown_as_stored_even_when_it_is_no_yaml():
    html = render("---\nname: [broken\n  - <b>: x\n---\n# Title\n").html

    assert "name: [broken\n  - &lt;b&gt;: x</pre>" in html
    assert "Title</h2>" in html


def test_a_rule_at_the_beginning_is_no_front_matter():
    assert "doc__front" not in render("---\n\ntext: a\n\n---\nmore\n").html
    assert "doc__front" not in render("---\nno end: here\n").html


def test_tasks_are_signs_with_a_word():
    html = render("- [ ] call\n- [x] write\n").html

    assert '<span class="doc__tick" role="img" aria-label="to do">☐</span> call' in html
    assert '<span class="doc__tick" role="img" aria-label="done">☑</span> write' in html


def test_line_ends_of_every_form_are_line_ends():
    assert shape(render("- a\r\n- b\r\n").html) == shape(render("- a\r- b\r").html) == "<ul><li>a</li><li>b</li></ul>"


def letters(text: str) -> str:
    return "".join(letter for letter in unescape(text) if letter.isalpha())


def holds_in_order(inside: str, wanted: str) -> bool:
    rest = iter(inside)
    return all(letter in rest for letter in wanted)


def test_no_letter_of_a_real_file_is_lost(corpus):
    for path in sorted(corpus.rglob("*.md")):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        # An address stands in the link, a tick is a sign: neither is in the text of the page.
        linked = re.sub(r'<a href="([^"]*)"[^>]*>(.*?)</a>', r"\2 \1", render(text).html, flags=re.DOTALL)
        shown = letters(re.sub(r"<[^>]*>", "", linked))
        assert holds_in_order(shown, letters(re.sub(r"\[[xX]\]", "", text))), path
