"""Hunks: cut from two texts, put in one by one."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.diffs import BaseMovedError, Hunk, apply_hunks, cut_hunks
from memoryadmin.domain.lines import split_lines
from tests.domain.texts import documents, texts

pairs = st.tuples(documents, documents) | st.tuples(texts, texts)
BASE = "# Facts\n- tea\n- cats\n- Omsk\n"


class TestHunks:
    @given(pairs)
    def test_all_accepted_give_the_proposed_text(self, both):
        base, proposed = both
        hunks = cut_hunks(base, proposed)
        assert apply_hunks(base, hunks, range(len(hunks))) == proposed

    @given(pairs)
    def test_none_accepted_give_the_base(self, both):
        base, proposed = both
        assert apply_hunks(base, cut_hunks(base, proposed), ()) == base

    @given(pairs, st.data())
    def test_any_of_them_can_be_accepted_alone(self, both, data):
        base, proposed = both
        hunks = cut_hunks(base, proposed)
        accepted = data.draw(st.sets(st.sampled_from(range(len(hunks))))) if hunks else set()
        lines, expected, place = split_lines(base), [], 0
        for hunk in hunks:
            expected += lines[place : hunk.start]
            expected += hunk.new if hunk.index in accepted else hunk.old
            place = hunk.stop
        assert apply_hunks(base, hunks, accepted) == "".join([*expected, *lines[place:]])

    @given(pairs, st.data())
    def test_accepting_some_now_and_the_rest_later_gives_the_proposed_text(self, both, data):
        base, proposed = both
        hunks = cut_hunks(base, proposed)
        accepted = data.draw(st.sets(st.sampled_from(range(len(hunks))))) if hunks else set()
        halfway = apply_hunks(base, hunks, accepted)
        rest = cut_hunks(halfway, proposed)
        assert apply_hunks(halfway, rest, range(len(rest))) == proposed

    @given(pairs)
    def test_are_numbered_in_order_and_keep_a_line_between_them(self, both):
        base, proposed = both
        hunks = cut_hunks(base, proposed)
        lines = split_lines(base)
        assert [hunk.index for hunk in hunks] == list(range(len(hunks)))
        assert all(before.stop < after.start for before, after in pairwise(hunks))
        assert all(hunk.old == tuple(lines[hunk.start : hunk.stop]) for hunk in hunks)
        assert all(hunk.old != hunk.new for hunk in hunks)

    @given(pairs)
    def test_are_the_same_each_time(self, both):
        assert cut_hunks(*both) == cut_hunks(*both)

    @given(texts)
    def test_of_equal_texts_are_none(self, text):
        assert cut_hunks(text, text) == ()

    def test_hold_what_stood_there_and_what_comes(self):
        hunks = cut_hunks(BASE, "# Facts\n- coffee\n- cats\n- Omsk\n- Ann\n")
        assert hunks == (
            Hunk(index=0, start=1, stop=2, old=("- tea\n",), new=("- coffee\n",)),
            Hunk(index=1, start=4, stop=4, old=(), new=("- Ann\n",)),
        )

    def test_a_changed_line_end_is_a_hunk(self):
        assert cut_hunks("a\r\nb\r\n", "a\nb\r\n") == (Hunk(0, 0, 1, ("a\r\n",), ("a\n",)),)

    def test_a_paragraph_goes_in_as_a_paragraph(self):
        base = "# A\n\nfirst\n\nlast\n"
        (hunk,) = cut_hunks(base, "# A\n\nfirst\n\nbetween\n\nlast\n")
        assert hunk.new == ("between\n", "\n")


class TestMovedBase:
    @pytest.mark.parametrize("accepted", [(0, 1), (0,), ()])
    @pytest.mark.parametrize(
        ("moved", "index"),
        [
            pytest.param("# Facts\n- milk\n- cats\n- Omsk\n", 0, id="old line changed"),
            pytest.param("# Facts\n", 1, id="lines gone"),
        ],
    )
    def test_is_refused_whatever_was_accepted(self, accepted, moved, index):
        hunks = cut_hunks(BASE, "# Facts\n- coffee\n- cats\n- Omsk\n- Ann\n")
        with pytest.raises(BaseMovedError) as refused:
            apply_hunks(moved, hunks, accepted)
        assert (refused.value.code, refused.value.index) == ("base_moved", index)

    @given(documents, documents, documents)
    def test_is_refused_or_holds_every_old_line_where_it_was(self, base, proposed, other):
        hunks = cut_hunks(base, proposed)
        try:
            assert apply_hunks(other, hunks, ()) == other
        except BaseMovedError as refused:
            hunk = hunks[refused.index]
            assert tuple(split_lines(other)[hunk.start : hunk.stop]) != hunk.old or hunk.stop > len(split_lines(other))
