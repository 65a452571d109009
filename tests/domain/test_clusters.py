"""Signs and words (DR-03): compared with another implementation of the same annex."""

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from memoryadmin.domain.clusters import boundary_after, boundary_before, is_boundary, words
from tests.domain.texts import SIGNS, any_sign, texts

sign_heavy = st.lists(st.sampled_from(SIGNS) | any_sign, max_size=12).map("".join)


def boundaries_by_another_tool(text):
    return {0} | {found.end() for found in regex.finditer(r"\X", text)}


class TestBoundary:
    @given(sign_heavy | texts)
    @example("👩\u200d\u2139")
    @example("🇷🇺🇩🇪🇷")
    @example("\r\n\r\n\n\r")
    @example("a\u200b\u0301")
    def test_DR_03_never_falls_inside_a_sign(self, text):
        ours = {place for place in range(len(text) + 1) if is_boundary(text, place)}
        assert ours <= boundaries_by_another_tool(text)

    @pytest.mark.parametrize("sign", [sign for sign in SIGNS if len(sign) > 1])
    def test_falls_on_both_sides_of_each_sign_and_not_within(self, sign):
        text = f"x{sign}x{sign}{sign}\n{sign}"
        ours = {place for place in range(len(text) + 1) if is_boundary(text, place)}
        assert ours == boundaries_by_another_tool(text)

    @given(texts, st.data())
    def test_before_and_after_are_the_nearest(self, text, data):
        place = data.draw(st.integers(0, len(text)))
        before, after = boundary_before(text, place), boundary_after(text, place)
        assert before <= place <= after
        assert is_boundary(text, before)
        assert is_boundary(text, after)
        assert not any(is_boundary(text, inner) for inner in range(before + 1, after))


class TestWords:
    @given(sign_heavy | texts)
    def test_together_are_the_text_and_meet_between_signs(self, text):
        pieces = words(text)
        assert "".join(pieces) == text
        assert all(pieces)
        place = 0
        for piece in pieces:
            assert is_boundary(text, place)
            place += len(piece)

    def test_of_the_empty_text_are_none(self):
        assert words("") == []

    @pytest.mark.parametrize(
        ("text", "pieces"),
        [
            ("Don't  panic_2\r\n", ["Don", "'", "t", "  ", "panic_2", "\r\n"]),
            ("не\u0301т, да", ["не\u0301т", ",", " ", "да"]),
            ("漢字かな", ["漢", "字", "か", "な"]),
            ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
            ("👍🏻🇷🇺🇩🇪", ["👍🏻", "🇷🇺", "🇩🇪"]),
            ("\t x\ry\n", ["\t ", "x", "\r", "y", "\n"]),
            ("क्षि कम", ["क्षि", " ", "कम"]),
        ],
    )
    def test_are_runs_of_letters_where_the_script_has_words(self, text, pieces):
        assert words(text) == pieces

    def test_a_long_run_of_marks_or_flags_costs_no_more_than_its_length(self):
        assert len(words("a" + "\u0301" * 200_000)) == 1
        assert len(words("🇷🇺" * 50_000)) == 50_000
