"""Rows: two texts side by side, with marks on words (DR-03), in bounded work (DR-04)."""

import random

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from memoryadmin.domain.diffs import Fold, RowKind, Span, compare, fold
from memoryadmin.domain.lines import count_lines
from tests.domain import corpus
from tests.domain.texts import documents, texts

pairs = st.tuples(documents, documents) | st.tuples(texts, texts)
DRAW = random.Random(20)


def old_text(rows):
    return "".join(span.text for row in rows for span in row.old)


def new_text(rows):
    return "".join(span.text for row in rows for span in row.new)


def marked(spans):
    return [span.text for span in spans if span.is_marked]


def kinds(diff):
    return [str(row.kind) for row in diff.rows]


def the_changed_row(old, new):
    diff = compare(old, new)
    (row,) = [row for row in diff.rows if row.kind is RowKind.CHANGED]
    assert (old_text(diff.rows), new_text(diff.rows)) == (old, new)
    return row


def some_words(count, letters="abcdefgh"):
    return ["".join(DRAW.choices(letters, k=DRAW.randint(2, 9))) for _ in range(count)]


class TestRows:
    @given(pairs)
    @example(("x" * 50, "y" * 50))
    def test_together_are_both_texts(self, both):
        rows = compare(*both).rows
        assert (old_text(rows), new_text(rows)) == both

    @given(pairs)
    def test_are_numbered_as_the_lines_are(self, both):
        rows = compare(*both).rows
        old_numbers = [row.old_number for row in rows if row.old_number]
        new_numbers = [row.new_number for row in rows if row.new_number]
        assert old_numbers == list(range(1, count_lines(both[0]) + 1))
        assert new_numbers == list(range(1, count_lines(both[1]) + 1))

    @given(pairs)
    def test_say_truly_what_became_of_a_line(self, both):
        for row in compare(*both).rows:
            old, new = old_text([row]), new_text([row])
            has_marks = bool(marked(row.old + row.new))
            match row.kind:
                case RowKind.EQUAL:
                    assert old == new
                    assert not has_marks
                case RowKind.CHANGED:
                    assert old != new
                    assert has_marks
                case RowKind.REMOVED:
                    assert (row.new, row.new_number) == ((), None)
                    assert not has_marks
                case RowKind.ADDED:
                    assert (row.old, row.old_number) == ((), None)
                    assert not has_marks

    @given(pairs)
    def test_count_lines_and_are_the_same_each_time(self, both):
        diff = compare(*both)
        assert diff.removed - diff.added == count_lines(both[0]) - count_lines(both[1])
        assert diff.added == sum(bool(row.new) for row in diff.rows if row.kind is not RowKind.EQUAL)
        assert diff == compare(*both)
        assert not diff.is_coarse

    def test_pair_the_lines_that_are_alike(self):
        diff = compare("- likes tea\n- lives in Omsk\n", "- has a cat\n- likes green tea\n- lives in Tomsk\n")
        assert kinds(diff) == ["added", "changed", "changed"]
        assert (diff.added, diff.removed) == (3, 2)

    def test_leave_lines_alone_that_share_nothing(self):
        assert kinds(compare("первая строка\n", "second thing\n")) == ["removed", "added"]

    def test_leave_lines_alone_whose_common_words_make_no_sense(self):
        diff = compare("- a b c d e f\n", "- f e d c b a\n")
        assert set(kinds(diff)) <= {"changed", "removed", "added"}
        assert old_text(diff.rows) == "- a b c d e f\n"

    def test_pair_lines_that_differ_in_numbers_only(self):
        diff = compare("10:01 up\n10:02 down\n", "11:31 up\n11:32 down\n")
        assert kinds(diff) == ["changed", "changed"]


class TestMarks:
    @pytest.mark.parametrize(
        ("old", "new"),
        [("👍🏻", "👍🏿"), ("👨‍👩‍👧", "👨‍👩‍👦"), ("🅱", "🅰"), ("🇷🇺", "🇩🇪"), ("🇷🇺", "🇷🇴"), ("1️⃣", "2️⃣"), ("❤️", "❤")],
    )
    def test_DR_03_cover_whole_signs_in_a_long_line(self, old, new):
        before, after = "a long line of many words before " * 20, " and as many after it" * 20
        row = the_changed_row(before + old + after, before + new + after)
        assert (marked(row.old), marked(row.new)) == ([old], [new])

    def test_DR_03_an_accent_that_goes_marks_its_word(self):
        row = the_changed_row("слово не\u0301т здесь", "слово нет здесь")
        assert (marked(row.old), marked(row.new)) == (["не\u0301т"], ["нет"])

    @given(texts, texts, texts, texts)
    def test_DR_03_meet_between_signs_only(self, head, old, new, tail):
        frame = "so that the two are alike whatever stands between " * 3
        for row in compare(frame + head + old + tail + frame, frame + head + new + tail + frame).rows:
            for spans in (row.old, row.new):
                line = "".join(span.text for span in spans)
                ends = {0} | {found.end() for found in regex.finditer(r"\X", line)}
                place = 0
                for span in spans:
                    assert place in ends
                    place += len(span.text)

    def test_cover_the_words_that_changed(self):
        row = the_changed_row("The quick brown fox jumps.\n", "The slow brown fox sleeps.\n")
        assert (marked(row.old), marked(row.new)) == (["quick", "jumps"], ["slow", "sleeps"])

    def test_run_on_where_only_blanks_stayed(self):
        row = the_changed_row("He keeps the old red book here now.", "He keeps one new car here now.")
        assert marked(row.old) == ["the old red book"]
        assert marked(row.new) == ["one new car"]

    def test_cover_signs_in_scripts_without_blanks(self):
        row = the_changed_row("私は東京に住んでいます。", "私は大阪に住んでいます。")
        assert (marked(row.old), marked(row.new)) == (["東京"], ["大阪"])

    @pytest.mark.parametrize(
        ("old", "new", "old_shown", "new_shown"),
        [
            pytest.param("a line\r\n", "a line\n", ["␍⏎"], ["⏎"], id="line end"),
            pytest.param("\r\n", "\n", ["␍⏎"], ["⏎"], id="line end of a bare line"),
            pytest.param("a line", "a line\n", [], ["⏎"], id="final line end"),
            pytest.param("two  \n", "two\n", ["··"], [], id="trailing blanks"),
            pytest.param("\tcode\n", "    code\n", ["⇥"], ["····"], id="indent"),
            pytest.param("a\rb\n", "a b\n", ["␍"], ["·"], id="lone CR"),
            pytest.param("\ufeff# Title\n", "# Title\n", ["U+FEFF"], [], id="byte order mark"),
            pytest.param("old end", "old start\n", ["end"], ["start⏎"], id="word and line end"),
        ],
    )
    def test_show_a_change_that_nobody_would_see(self, old, new, old_shown, new_shown):
        row = the_changed_row(old, new)
        assert [span.shown for span in row.old if span.is_marked] == old_shown
        assert [span.shown for span in row.new if span.is_marked] == new_shown

    @pytest.mark.parametrize(("text", "shown"), [("a\r\n", "a"), ("a\n", "a"), ("a \r", "a "), ("\n", "")])
    def test_unmarked_text_is_shown_without_its_line_end(self, text, shown):
        assert Span(text, is_marked=False).shown == shown


class TestFold:
    @given(pairs, st.integers(0, 4))
    def test_unfolded_are_the_rows(self, both, context):
        rows = compare(*both).rows
        unfolded = []
        for item in fold(rows, context):
            unfolded += item.rows if item.is_fold else [item]
        assert tuple(unfolded) == rows

    @given(pairs, st.integers(0, 4))
    def test_hides_equal_rows_only_and_never_one_alone(self, both, context):
        rows = compare(*both).rows
        near = {
            place + step
            for place, row in enumerate(rows)
            if row.kind is not RowKind.EQUAL
            for step in range(-context, context + 1)
        }
        for item in fold(rows, context):
            if item.is_fold:
                assert len(item.rows) > 1
                assert all(row.kind is RowKind.EQUAL for row in item.rows)
                assert not near & {rows.index(row) for row in item.rows}

    def test_keeps_three_rows_beside_a_change(self):
        lines = [f"line {number}\n" for number in range(20)]
        folded = fold(compare("".join(lines), "".join([*lines[:10], "other\n", *lines[11:]])).rows)
        assert [len(item.rows) if isinstance(item, Fold) else 1 for item in folded] == [7, *[1] * 8, 6]

    def test_of_equal_texts_is_one_fold(self):
        (only,) = fold(compare("a\nb\nc\n", "a\nb\nc\n").rows)
        assert len(only.rows) == 3


class TestBoundedWork:
    """DR-04: what was cut short says so, what was not shows each edit; how long it takes is measured elsewhere."""

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            pytest.param("x" * 100_000, "y" * 100_000, id="two letters"),
            pytest.param(" ".join(some_words(16_000)), " ".join(some_words(16_000, "uvwxyz")), id="no common word"),
            pytest.param("ab " * 88_000, "ba " * 44_000 + "c " + "ab " * 44_000, id="periodic"),
            pytest.param("漢" * 100_000, "字" * 100_000, id="no blanks"),
        ],
    )
    def test_DR_04_two_giant_lines_with_little_in_common_are_coarse(self, old, new):
        diff = compare(old, new)
        assert diff.is_coarse
        assert (old_text(diff.rows), new_text(diff.rows)) == (old, new)

    def test_DR_04_two_giant_lines_of_the_same_few_words_are_coarse(self):
        known = some_words(300)
        old, new = (" ".join(DRAW.choices(known, k=40_000))[:263_595] for _ in range(2))
        assert compare(old, new).is_coarse

    def test_DR_04_a_giant_line_with_a_few_edits_shows_them(self):
        known = some_words(300)
        words = DRAW.choices(known, k=40_000)
        edited = [*words]
        for place in (3, 20_000, 39_990):
            edited[place] = "EDIT"
        diff = compare(" ".join(words), " ".join(edited))
        assert marked(diff.rows[0].new) == ["EDIT"] * 3
        assert not diff.is_coarse

    def test_DR_04_two_hundred_small_edits_are_two_hundred(self):
        lines = [" ".join(some_words(12)) + "\n" for _ in range(300)]
        edited = [*lines]
        for place in range(0, 300, 3):
            first, *middle, last = edited[place].split(" ")
            edited[place] = " ".join([first, "EDIT", *middle, "EDIT", last])
        diff = compare("".join(lines), "".join(edited))
        assert [text.strip() for row in diff.rows for text in marked(row.new)] == ["EDIT"] * 200
        assert not any(marked(row.old) for row in diff.rows)
        assert (diff.added, diff.removed, diff.is_coarse) == (100, 100, False)

    def test_DR_04_twenty_thousand_lines_with_other_times_are_marked_throughout(self):
        lines = [f"2026-07-25 10:{number:05d} {' '.join(some_words(4))}\n" for number in range(20_000)]
        diff = compare("".join(lines), "".join(line.replace("2026", "2027", 1) for line in lines))
        assert {row.kind for row in diff.rows} == {RowKind.CHANGED}
        assert all(len("".join(marked(row.new))) <= 4 for row in diff.rows)
        assert not diff.is_coarse

    def test_DR_04_past_the_work_allowed_long_lines_are_marked_roughly_and_that_is_said(self):
        sentence = " ".join(some_words(400))
        lines = [f"{number} {sentence} {number}\n" for number in range(300)]
        edited = [f"{number + 1_000} {sentence} {number + 1_000}\n" for number in range(300)]
        diff = compare("".join(lines), "".join(edited))
        assert diff.is_coarse
        assert (old_text(diff.rows), new_text(diff.rows)) == ("".join(lines), "".join(edited))

    def test_DR_04_lines_too_many_to_compare_with_each_other_are_compared_across(self):
        lines = [f"{' '.join(some_words(6))} stays the same\n" for _ in range(100)]
        edited = [f"{' '.join(some_words(2, 'xyz'))} {line}" for line in lines]
        diff = compare("".join(lines * 3), "".join(edited * 3))
        assert kinds(diff) == ["changed"] * 300
        assert diff.is_coarse

    def test_DR_04_more_unlike_text_than_can_be_compared_is_removed_and_added(self):
        old, new = (
            "".join(f"{text * 10} {place}\n" for place in range(9_000)) for text in ("old words ", "a new text ")
        )
        diff = compare(old, new)
        assert set(kinds(diff)) == {"removed", "added"}
        assert diff.is_coarse

    def test_DR_04_twenty_thousand_lines_of_few_kinds_are_coarse_and_nothing_equal_is_called_changed(self):
        known = [f"{word}\n" for word in some_words(300)]
        old, new = ("".join(DRAW.choices(known, k=20_000)) for _ in range(2))
        diff = compare(old, new)
        assert diff.is_coarse
        assert (old_text(diff.rows), new_text(diff.rows)) == (old, new)
        assert all((row.old == row.new) == (row.kind is RowKind.EQUAL) for row in diff.rows)
        assert RowKind.EQUAL in {row.kind for row in diff.rows}

    def test_an_edit_in_a_line_of_two_million_characters_is_marked(self):
        line = "a b " * 500_000
        row = the_changed_row(line, line + "x")
        assert marked(row.new) == ["x"]

    def test_DR_03_rough_marks_part_no_sign_either(self):
        line = "слово 🇷🇺 " * 130_000
        row = the_changed_row(line + "👍🏻" + "🇷🇺" * 40 + line, line + "👍🏿🇷" + "🇷🇺" * 40 + line)
        for spans in (row.old, row.new):
            shown = "".join(span.text for span in spans)
            for place in (len(spans[0].text), len(spans[0].text) + len(spans[1].text)):
                around = shown[max(place - 400, 0) : place + 400]
                assert min(place, 400) in {found.end() for found in regex.finditer(r"\X", around)}


@pytest.mark.corpus
class TestRealVersions:
    def test_a_memory_that_shrank_by_three_quarters(self):
        folder = "claude-en-topics/@versions/.claude/memory/MEMORY.md/"
        old = corpus.text(folder + "058-2026-08-04-09e4faea.md")
        new = corpus.text(folder + "059-2026-08-05-ad431523.md")
        diff = compare(old, new)
        assert len(new) < 0.27 * len(old)
        assert not diff.is_coarse
        assert (old_text(diff.rows), new_text(diff.rows)) == (old, new)
        assert RowKind.EQUAL in {row.kind for row in diff.rows}

    def test_two_versions_with_other_line_ends_show_each_line_as_changed(self):
        folder = "claude-ko-crlf/@versions/memory/MEMORY.md/"
        old = corpus.text(folder + "001-2026-03-27-1abdffa1.md")
        diff = compare(old, old.replace("\r\n", "\n") if "\r\n" in old else old.replace("\n", "\r\n"))
        assert set(kinds(diff)) == {"changed"}
