"""DR-05: no small file can hang or crash the page.

The bound is on the time this thread computes, so that a busy machine fails nothing; each text is rendered as the
page would, and must come back either laid out or as it is stored, with a notice.
"""

import time

import pytest

from memoryadmin.web.markdown import render
from memoryadmin.web.markdown.rendering import MAX_CHARS

SECONDS = 3.0
COLUMNS = 5_000
ATTACKS = {
    "brackets": "[" * 8_000,
    "images": "![" * 8_000,
    "list marks on one line": "- " * 1_000 + "x",
    "numbers on one line": "1. " * 1_000 + "x",
    "quotes": ">" * 5_000,
    "quotes with blanks": "> " * 5_000,
    "nested lists": "".join("  " * depth + "- x\n" for depth in range(300)),
    "one long line": "x" * 2_000_000,
    "one long line of words": "word " * 50_000,
    "columns": f"|{'a|' * COLUMNS}\n|{'-|' * COLUMNS}\n|{'b|' * COLUMNS}\n",
    "columns without ends": f"{'a|' * COLUMNS}a\n{'-|' * COLUMNS}-\n{'b|' * COLUMNS}b\n",
    "stars": "*" * 100_000,
    "open emphasis": "**a " * 25_000,
    "closed emphasis": "*a* " * 25_000,
    "underscores": "_a " * 30_000,
    "backticks": "`" * 100_000,
    "code spans": "``a` " * 20_000,
    "tildes": "~~a " * 25_000,
    "open links": "[a](" * 25_000,
    "references": "[a][b" * 20_000,
    "definitions": "[a]: b\n" * 14_000,
    "open tags": "<a " * 30_000,
    "comments": "<!-- " * 20_000,
    "cdata": "<![CDATA[" * 11_000,
    "entities": "&amp;" * 20_000,
    "backslashes": "\\" * 100_000,
    "escaped brackets": "\\[" * 50_000,
    "equal headings": "# a\n" * 25_000,
    "fences": "```\n" * 25_000,
    "named fences": "```a\n" * 20_000,
    "fences of growing length": "\n".join("`" * length for length in range(3, 440)),
    "rules": "---\n" * 25_000,
    "hidden characters": "a\u200b" * 50_000,
    "blank items": "- \n" * 33_000,
    "tables": "a|b\n-|-\n" * 12_000,
    "quoted lists": "> - a\n" * 16_000,
    "a mix": ("> - [*a* ![b](c " * 6_000),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_DR_05_every_text_answers_in_time(name):
    text = ATTACKS[name]
    started = time.thread_time()

    shown = render(text)

    assert time.thread_time() - started < SECONDS
    assert bool(shown.notice) == shown.is_plain
    assert shown.html


@pytest.mark.parametrize("name", ["list marks on one line", "quotes", "nested lists", "one long line", "columns"])
def test_DR_05_what_cannot_be_laid_out_is_shown_as_stored_with_the_reason(name):
    shown = render(ATTACKS[name])

    assert shown.is_plain
    assert "shown as it is stored" in shown.notice
    assert "doc__plain" in shown.html


def test_a_passage_of_many_brackets_does_not_cost_the_rest_its_layout():
    shown = render(f"# Title\n\n{'[' * 8_000}\n\n[site](https://ok.example)\n")

    assert not shown.is_plain
    assert 'href="https://ok.example"' in shown.html
    assert "[" * 8_000 in shown.html


def test_a_text_just_within_the_limit_is_laid_out():
    assert not render("word " * (MAX_CHARS // 5)).is_plain


def test_a_log_of_two_and_a_half_thousand_lines_is_laid_out_in_time(corpus):
    text = (corpus / "openclaw-en-huge" / "memory" / "2026-02-08.md").read_text()
    started = time.thread_time()

    shown = render(text)

    assert not shown.is_plain
    assert time.thread_time() - started < 1.5


def test_every_file_of_the_corpus_is_laid_out(corpus):
    for path in sorted(corpus.rglob("*.md")):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        assert not render(text).is_plain, path
