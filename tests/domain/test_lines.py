"""Lines, and the way of a text through a browser form and back (DR-06)."""

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memoryadmin.domain.lines import as_typed, count_lines, keep_line_ends, split_lines
from tests.domain import corpus
from tests.domain.texts import texts

SHOWN_END = re.compile(r"\r\n|\r|\n")

# What a person types into one line: no line end, and no mark, which a form shows to nobody.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\ufeff"), max_size=6)


def sent_by_a_browser(area):
    """Return what a form sends for a text area: every line end as CR LF."""
    return SHOWN_END.sub("\r\n", area)


def unlike(text, shown_lines):
    """Return `text` if no line is shown like it, else something that none is."""
    return text if text not in shown_lines else "".join(shown_lines) + "new"


class TestSplitLines:
    @given(texts)
    def test_joined_they_are_the_text(self, text):
        lines = split_lines(text)
        assert "".join(lines) == text
        assert all(line.endswith("\n") for line in lines[:-1])
        assert all(line.count("\n") == line.endswith("\n") for line in lines)

    @given(texts)
    def test_counting_agrees_with_splitting(self, text):
        assert count_lines(text) == len(split_lines(text))

    @pytest.mark.parametrize(
        ("text", "count"),
        [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\r\x0b\x0c\x85\u2028b", 1), ("\n\n", 2)],
    )
    def test_only_a_line_feed_ends_a_line(self, text, count):
        assert count_lines(text) == count


class TestAsTyped:
    @given(texts)
    def test_shows_no_carriage_return(self, text):
        assert "\r" not in as_typed(text)

    def test_drops_one_leading_mark_and_no_other(self):
        assert as_typed("\ufeff\ufeff# A\r\nb\rc\ufeff\n") == "\ufeff# A\nb\nc\ufeff\n"


class TestRoundTrip:
    @given(texts)
    @example("\ufeff")
    @example("\r\r\n\n\r")
    @example("\ufeff\ufeff\n\n  - item\r\n\ttab  \n\n")
    def test_DR_06_an_untouched_text_comes_back_byte_for_byte(self, text):
        assert keep_line_ends(text, sent_by_a_browser(as_typed(text))) == text

    @given(texts, texts)
    def test_what_was_typed_is_what_is_shown_again(self, base, typed):
        meant = as_typed(typed)
        assume(not meant.startswith("\ufeff") or base.startswith("\ufeff"))
        assert as_typed(keep_line_ends(base, sent_by_a_browser(meant))) == meant

    @given(texts, words, st.data())
    def test_DR_06_changing_one_line_changes_that_line_only(self, base, typed, data):
        shown = as_typed(base).split("\n")
        place = data.draw(st.integers(0, len(shown) - 1))
        # The bytes of the base, cut where a form shows line ends: contents at even places, ends at odd.
        parts = re.split(r"(\r\n|\r|\n)", base.removeprefix("\ufeff"))
        new = unlike(typed or "typed", shown)
        parts[2 * place] = new
        expected = base[: base.startswith("\ufeff")] + "".join(parts)
        edited = [*shown[:place], new, *shown[place + 1 :]]
        assert keep_line_ends(base, "\r\n".join(edited)) == expected

    @given(st.lists(words, unique=True, min_size=2, max_size=8), st.data())
    def test_lines_beside_a_removed_one_keep_their_ends(self, contents, data):
        ends = data.draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=len(contents), max_size=len(contents)))
        lines = [content + end for content, end in zip(contents, ends, strict=True)]
        place = data.draw(st.integers(0, len(lines) - 1))
        left = [*lines[:place], *lines[place + 1 :]]
        assert keep_line_ends("".join(lines), sent_by_a_browser("".join(left))) == "".join(left)

    @given(st.lists(words, max_size=8), words, st.sampled_from(["\n", "\r\n", "\r"]), st.data())
    def test_a_new_line_takes_the_end_that_the_others_have(self, contents, typed, end, data):
        shown = [*contents, ""]
        edited = [*shown]
        edited.insert(data.draw(st.integers(0, len(contents))), unlike(typed, shown))
        base = end.join(shown)
        assume(contents)
        assert keep_line_ends(base, "\r\n".join(edited)) == end.join(edited)

    @given(texts, words, st.data())
    def test_a_mark_at_the_start_survives_any_edit(self, base, typed, data):
        shown = as_typed(base)
        place = data.draw(st.integers(0, len(shown)))
        kept = keep_line_ends("\ufeff" + base.removeprefix("\ufeff"), shown[:place] + typed + shown[place:])
        assert kept.startswith("\ufeff")


class TestKeepLineEnds:
    def test_DR_06_one_word_of_a_bare_text(self):
        base = "\n  - indented\n\ttab\ntwo spaces  \nold word here\n\n\n"
        typed = sent_by_a_browser(base.replace("old", "new"))
        assert keep_line_ends(base, typed) == base.replace("old", "new")

    def test_an_empty_base_gets_line_feeds(self):
        assert keep_line_ends("", "one\r\ntwo\r\n") == "one\ntwo\n"

    def test_a_single_line_gets_line_feeds(self):
        assert keep_line_ends("one", "one\r\ntwo") == "one\ntwo"

    def test_a_text_emptied_of_everything_is_empty(self):
        assert keep_line_ends("one\r\ntwo\r\n", "") == ""

    @pytest.mark.parametrize(
        ("base", "typed", "expected"),
        [
            pytest.param("a\nb\r\nc\n", "a\r\nB\r\nB2\r\nc\r\n", "a\nB\r\nB2\r\nc\n", id="split line"),
            pytest.param("a\r\nb\nc\n", "ab\r\nc\r\n", "ab\nc\n", id="joined lines"),
            pytest.param("a\nb\r\nc\n", "a\r\nb\r\nnew\r\nc\r\n", "a\nb\r\nnew\r\nc\n", id="after its neighbour"),
            pytest.param("a\r\nb\n", "new\r\na\r\nb\r\n", "new\r\na\r\nb\n", id="first line"),
            pytest.param("say `\r` now\nb\n", "say `\r\n` now\r\nB\r\n", "say `\r` now\nB\n", id="lone CR kept"),
            pytest.param("x\ry\nz\n", "x\r\nnew\r\ny\r\nz\r\n", "x\rnew\ny\nz\n", id="lone CR not multiplied"),
            pytest.param("x\ry\nz\n", "x1\r\nx2\r\ny\r\nz\r\n", "x1\nx2\ry\nz\n", id="lone CR moved on by a split"),
            pytest.param("a\rb\r", "a\r\nb\r\nc\r\n", "a\rb\rc\r", id="nothing but lone CR"),
            pytest.param("x\rgone\n\nz", "x\r\n\r\nz", "x\n\nz", id="lone CR beside a line feed"),
            pytest.param("a\r\nb", "a\r\nb\r\n", "a\r\nb\r\n", id="final line end added"),
            pytest.param("a\r\nb\r\n", "a\r\nb", "a\r\nb", id="final line end removed"),
        ],
    )
    def test_decides_by_what_stood_there(self, base, typed, expected):
        assert keep_line_ends(base, typed) == expected


@pytest.mark.corpus
class TestRealFiles:
    def test_every_text_comes_back_byte_for_byte(self):
        seen = 0
        for file in corpus.files():
            try:
                text = file.text()
            except UnicodeDecodeError:
                continue
            seen += 1
            assert keep_line_ends(text, sent_by_a_browser(as_typed(text))) == text, file.path
        assert seen > 400

    def test_two_marks_and_two_crlf_survive_an_edit_elsewhere(self):
        base = corpus.text(
            "openclaw-de-mixed-eol/03-Agents/OpenClaw/sprints/v3-yellow-to-green-night-sprint-2026-04-29.md"
        )
        shown = as_typed(base).split("\n")
        edited = [*shown[:20], shown[20] + " changed", *shown[21:]]
        kept = keep_line_ends(base, "\r\n".join(edited)).encode()
        assert kept.count(b"\xef\xbb\xbf") == 2
        assert [place - 8 for place in (found.start() for found in re.finditer(b"\r\n", kept))] == [8154, 11444]
        assert kept.replace(b" changed", b"", 1) == base.encode()

    def test_a_crlf_file_without_a_final_line_end_stays_one(self):
        base = corpus.text("membank-crlf/AGENTS.md")
        word = re.search(r"\w{4,}", base)[0]
        kept = keep_line_ends(base, sent_by_a_browser(as_typed(base).replace(word, "edited", 1)))
        assert kept == base.replace(word, "edited", 1)
        assert kept.count("\r\n") == kept.count("\n")
        assert not kept.endswith("\n")

    def test_a_lone_carriage_return_is_no_line_and_survives(self):
        base = corpus.text("claude-en-topics/.claude/memory/scan-must-prove-it-had-a-subject.md")
        assert count_lines(base) == 98
        assert base.count("\r") == 1
        shown = as_typed(base)
        kept = keep_line_ends(base, sent_by_a_browser(shown + "one more\n"))
        assert kept == base + "one more\n"
