"""Sizes and limits, and the cut that tells the truth (AP-02)."""

import re

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from memoryadmin.domain.errors import TooLargeError
from memoryadmin.domain.files import FILE_KINDS, CutEnd
from memoryadmin.domain.limits import LimitState, Size, cut, limit_state, measure, require_hard_limit
from tests.domain import corpus
from tests.domain.texts import texts

MARKER = re.compile(r"\[…truncated: kept ([\d,]+) of ([\d,]+) characters of (.+)…\]")
UNITS = {
    "Cyrillic": "ж",
    "emoji": "🧠",
    "CRLF": "строка\r\n",
    "families": "👨‍👩‍👧",
    "flags": "🇷🇺",
    "accents": "е\u0301",
}


def text_of(unit, chars):
    """Return `chars` characters made of whole units, filled up with letters at the front."""
    return "x" * (chars % len(unit)) + unit * (chars // len(unit))


def signs_end_at(text):
    return {0} | {found.end() for found in regex.finditer(r"\X", text)}


class TestMeasure:
    @given(texts)
    def test_agrees_with_other_ways_of_counting(self, text):
        size = measure(text)
        assert size.chars == len(list(text))
        assert size.bytes == len(text.encode("utf-8"))
        assert size.lines == len(re.findall(r"[^\n]*\n|[^\n]+$", text))

    def test_counts_signs_of_several_characters_by_characters(self):
        assert measure("👨‍👩‍👧\r\né") == Size(chars=8, bytes=22, lines=2)


class TestLimitState:
    @pytest.mark.parametrize(
        ("chars", "state"),
        [
            (0, LimitState.FINE),
            (1_599, LimitState.FINE),
            (1_600, LimitState.NEAR),
            (2_000, LimitState.NEAR),
            (2_001, LimitState.OVER),
        ],
    )
    def test_warns_from_four_fifths_and_is_over_past_the_limit(self, chars, state):
        assert limit_state(FILE_KINDS["user"], Size(chars, bytes=chars, lines=1)) is state

    @pytest.mark.parametrize(
        ("size", "state"),
        [
            (Size(chars=100, bytes=100, lines=200), LimitState.NEAR),
            (Size(chars=100, bytes=100, lines=201), LimitState.OVER),
            (Size(chars=100, bytes=20_000, lines=1), LimitState.NEAR),
            (Size(chars=100, bytes=25_001, lines=1), LimitState.OVER),
            (Size(chars=3_999, bytes=3_999, lines=159), LimitState.FINE),
        ],
    )
    def test_the_worst_of_several_limits_counts(self, size, state):
        assert limit_state(FILE_KINDS["memory"], size) is state

    def test_a_kind_without_limits_is_always_fine(self):
        assert limit_state(FILE_KINDS["daily_log"], Size(10**9, 10**9, 10**9)) is LimitState.FINE


def is_refused(size_bytes, base_bytes):
    try:
        require_hard_limit(size_bytes=size_bytes, base_bytes=base_bytes, limit_bytes=100)
    except TooLargeError:
        return True
    return False


class TestHardLimit:
    @pytest.mark.parametrize(("size", "base"), [(100, 0), (150, 150), (149, 150), (0, 0)])
    def test_accepts_what_fits_and_what_does_not_grow(self, size, base):
        assert not is_refused(size, base)

    @pytest.mark.parametrize(("size", "base"), [(101, 0), (101, 100), (151, 150)])
    def test_refuses_growth_beyond_it_with_both_sizes(self, size, base):
        with pytest.raises(TooLargeError) as refused:
            require_hard_limit(size_bytes=size, base_bytes=base, limit_bytes=100)
        assert (refused.value.size_bytes, refused.value.limit_bytes) == (size, 100)


class TestCut:
    @pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
    @pytest.mark.parametrize("cut_end", CutEnd)
    @pytest.mark.parametrize("chars", [1_999, 2_000])
    def test_AP_02_a_text_up_to_the_limit_is_whole(self, unit, cut_end, chars):
        text = text_of(unit, chars)
        result = cut(text, limit_chars=2_000, cut_end=cut_end, name="USER.md")
        assert result.text == text
        assert (result.is_cut, result.kept_chars, result.total_chars) == (False, chars, chars)
        assert (result.start, result.stop) == (0, chars)

    @pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
    @pytest.mark.parametrize("cut_end", CutEnd)
    @pytest.mark.parametrize("chars", [2_001, 5_000])
    def test_AP_02_one_character_more_is_cut_with_one_true_marker(self, unit, cut_end, chars):
        text = text_of(unit, chars)
        result = cut(text, limit_chars=2_000, cut_end=cut_end, name="USER.md")
        kept, total, name = MARKER.search(result.text).groups()
        assert len(MARKER.findall(result.text)) == 1
        assert len(result.text) <= 2_000
        assert (int(kept.replace(",", "")), int(total.replace(",", ""))) == (result.kept_chars, chars)
        assert name == "USER.md"
        assert result.is_cut
        assert MARKER.sub("", result.text).strip("\n") == text[result.start : result.stop].strip("\n")
        assert {result.start, result.stop} <= signs_end_at(text)

    @given(texts, st.integers(-1, 120), st.sampled_from(CutEnd))
    @example("x" * 130, 64, CutEnd.END)
    def test_AP_02_is_within_the_limit_and_parts_no_sign(self, text, limit, cut_end):
        text *= 3
        result = cut(text, limit_chars=limit, cut_end=cut_end, name="a.md")
        assert len(result.text) <= max(limit, 0)
        assert text[result.start : result.stop] in result.text
        assert result.kept_chars == result.stop - result.start
        assert result.total_chars == len(text)
        assert result.is_cut == (len(text) > limit)
        assert {result.start, result.stop} <= signs_end_at(text)

    @given(texts, st.integers(60, 400))
    def test_a_document_keeps_its_beginning_and_a_log_its_end(self, text, limit):
        text = text * 20
        document = cut(text, limit_chars=limit, cut_end=CutEnd.END, name="a.md")
        log = cut(text, limit_chars=limit, cut_end=CutEnd.START, name="a.md")
        assert document.start == 0
        assert log.stop == len(text)
        assert document.text.startswith(text[: document.stop])
        assert log.text.endswith(text[log.start :])

    def test_the_marker_reads_as_agreed(self):
        result = cut("x" * 3_412, limit_chars=2_000, cut_end=CutEnd.END, name="MEMORY.md")
        assert result.text.endswith("x\n[…truncated: kept 1,941 of 3,412 characters of MEMORY.md…]")
        assert len(result.text) == 2_000

    def test_a_document_is_cut_at_a_line_end_that_is_near(self):
        text = "".join(f"- fact number {number}\n" for number in range(500))
        result = cut(text, limit_chars=2_000, cut_end=CutEnd.END, name="MEMORY.md")
        assert text[: result.stop].endswith("\n")
        assert result.text.count("\n[…") == 1
        assert len(result.text) > 1_970

    def test_a_document_is_cut_inside_a_line_rather_than_losing_much(self):
        text = "short\n" + "long " * 1_000
        result = cut(text, limit_chars=2_000, cut_end=CutEnd.END, name="MEMORY.md")
        assert result.kept_chars > 1_900

    def test_a_log_is_cut_between_lines_even_where_they_are_long(self):
        text = "".join(f"2026-07-{day:02d} — {'event ' * 100}\r\n" for day in range(1, 29))
        result = cut(text, limit_chars=2_000, cut_end=CutEnd.START, name="log.md")
        assert text[: result.start].endswith("\r\n")
        assert result.text.split("\n")[1].startswith("2026-07-2")

    def test_a_log_of_one_endless_line_is_cut_inside_it(self):
        result = cut("ё" * 5_000, limit_chars=2_000, cut_end=CutEnd.START, name="log.md")
        assert result.kept_chars > 1_900

    @pytest.mark.parametrize(("limit", "text"), [(0, ""), (1, "["), (3, "[…]"), (20, "[…]")])
    def test_below_the_marker_a_short_one_stands_for_it(self, limit, text):
        result = cut("word " * 100, limit_chars=limit, cut_end=CutEnd.END, name="MEMORY.md")
        assert (result.text, result.kept_chars, result.is_cut) == (text, 0, True)


@pytest.mark.corpus
class TestRealFiles:
    @pytest.mark.parametrize(
        ("path", "limit", "cut_end"),
        [
            ("claude-ko-crlf/memory/MEMORY.md", 5_000, CutEnd.END),
            ("openclaw-en-huge/MEMORY.md", 5_000, CutEnd.END),
            ("rules-cline/.clinerules/c#-guide.md", 20_000, CutEnd.END),
            ("openclaw-en-huge/memory/2026-02-08.md", 5_000, CutEnd.START),
        ],
    )
    def test_AP_02_is_cut_at_a_line_end_within_the_limit(self, path, limit, cut_end):
        text = corpus.text(path)
        result = cut(text, limit_chars=limit, cut_end=cut_end, name=path.rpartition("/")[2])
        assert 0.95 * limit < len(result.text) <= limit
        edge = result.stop if cut_end is CutEnd.END else result.start
        assert text[edge - 1] == "\n"
        assert text[result.start : result.stop].encode().decode() in result.text

    def test_sizes_are_those_the_index_states(self):
        assert measure(corpus.text("claude-ko-crlf/memory/MEMORY.md")) == Size(19_216, 27_756, 249)
        assert measure(corpus.text("rules-cline/.clinerules/c#-guide.md")).lines == 1_519
