"""Matching: a valid, deterministic common part, the longest where nothing stands out, and bounded."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from memoryadmin.domain.matching import Change, count_equal, match, unchanged

few = st.lists(st.sampled_from("abcd"), max_size=18)
many = st.lists(st.integers(0, 12), max_size=18)
pairs = st.tuples(few, few) | st.tuples(many, many)


def rebuilt(old, new, changes):
    """Return the new sequence as the changes tell it, from the old one."""
    told, place = [], 0
    for change in changes:
        told += old[place : change.start] + new[change.new_start : change.new_stop]
        place = change.stop
    return told + old[place:]


def longest_common_length(old, new):
    row = [0] * (len(new) + 1)
    for item in old:
        before = row[:]
        for column, other in enumerate(new):
            row[column + 1] = before[column] + 1 if item == other else max(row[column], before[column + 1])
    return row[-1]


class TestMatch:
    @given(pairs)
    def test_tells_how_old_became_new(self, both):
        old, new = both
        assert rebuilt(old, new, match(old, new).changes) == new

    @given(pairs)
    def test_changes_are_in_order_and_apart(self, both):
        old, new = both
        edge, new_edge = -1, -1
        for change in match(old, new).changes:
            assert edge < change.start <= change.stop <= len(old)
            assert new_edge < change.new_start <= change.new_stop <= len(new)
            assert change.start < change.stop or change.new_start < change.new_stop
            assert change.start - max(edge, 0) == change.new_start - max(new_edge, 0)
            edge, new_edge = change.stop, change.new_stop

    @given(pairs)
    def test_unchanged_places_hold_equal_items(self, both):
        old, new = both
        matching = match(old, new)
        places = list(unchanged(matching, len(old)))
        assert all(old[place] == new[new_place] for place, new_place in places)
        assert len(places) == len(old) - sum(change.stop - change.start for change in matching.changes)

    @given(pairs)
    def test_is_the_longest_where_no_item_stands_out(self, both):
        old, new = both
        head = count_equal(old, new)
        tail = count_equal(old[head:][::-1], new[head:][::-1])
        inner, new_inner = old[head : len(old) - tail], new[head : len(new) - tail]
        assume(not any(inner.count(item) == new_inner.count(item) == 1 for item in inner))
        kept = len(list(unchanged(match(old, new), len(old))))
        assert kept >= longest_common_length(old, new)

    @given(many, st.data())
    def test_one_changed_item_is_one_change(self, items, data):
        assume(items)
        place = data.draw(st.integers(0, len(items) - 1))
        edited = [*items[:place], "new", *items[place + 1 :]]
        assert match(items, edited).changes == (Change(place, place + 1, place, place + 1),)

    @given(pairs, st.integers(0, 30))
    def test_within_little_work_is_still_valid(self, both, limit):
        old, new = both
        matching = match(old, new, limit_cells=limit)
        assert rebuilt(old, new, matching.changes) == new
        assert matching.cells <= limit

    def test_prefers_items_that_occur_once(self):
        old = ["{", "}", "rare", "{", "}"]
        new = ["{", "x", "}", "{", "y", "}", "rare", "{", "z", "}"]
        assert (2, 6) in set(unchanged(match(old, new), len(old)))

    def test_puts_an_addition_as_late_as_it_can_be_whatever_else_changed(self):
        old = ["head", "", "tail", "end"]
        alone = match(old, ["head", "", "", "tail", "end"])
        beside = match(old, ["head", "", "", "tail", "other end"])
        assert alone.changes[0] == beside.changes[0] == Change(2, 2, 2, 3)

    def test_puts_a_removal_as_late_as_it_can_be_but_apart_from_the_next_change(self):
        assert match("abbbcd", "abbcx").changes == (Change(3, 4, 3, 3), Change(5, 6, 4, 5))

    def test_matches_however_deep_the_anchors_nest(self):
        old, new = [], []
        for level in range(60):
            old += [f"x{level + 1}", f"x{level}"]
            new += [f"y{level}", f"x{level}"]
        matching = match([*old, "old end"], [*new, "new end"])
        assert len(list(unchanged(matching, len(old) + 1))) == 60
        assert not matching.is_coarse


class TestBounds:
    def test_too_much_to_match_is_said_and_taken_as_replaced(self):
        old, new = ["a", "b", "a", "b"] * 9, ["b", "a", "a", "b"] * 9 + ["c"]
        matching = match(old, new, limit_cells=10)
        assert matching.is_coarse
        assert rebuilt(old, new, matching.changes) == new

    def test_common_items_in_a_row_are_anchors_where_the_table_is_too_large(self):
        draw = random.Random(7)
        old = [draw.randrange(40) for _ in range(3_000)]
        new = [-1, *old[:1_500], -2, *old[1_501:], -3]
        assert len(match(old, new, limit_cells=1_000).changes) == 3

    def test_twenty_thousand_common_items_are_matched_or_given_up_the_same_way_each_time(self):
        draw = random.Random(11)
        old, new = ([draw.randrange(50) for _ in range(20_000)] for _ in range(2))
        assert match(old, new) == match(old, new)


class TestCountEqual:
    @given(st.text("ab", max_size=80), st.text("ab", max_size=40), st.text("ab", max_size=40))
    def test_counts_what_two_beginnings_share(self, head, first, second):
        counted = count_equal(head + first, head + second)
        naive = 0
        for left, right in zip(head + first, head + second, strict=False):
            if left != right:
                break
            naive += 1
        assert counted == naive
