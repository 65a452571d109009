"""Merging: the laws of diff3, and the same answers as another implementation."""

import shutil
import subprocess

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from memoryadmin.domain.diffs import cut_hunks
from memoryadmin.domain.lines import split_lines
from memoryadmin.domain.merging import Agreed, Clash, Conflict, Merged, merge, resolve
from tests.domain import corpus
from tests.domain.texts import distinct_lines, documents, texts

any_text = documents | texts


@st.composite
def edited(draw, lines, prefix):
    """`lines` with some removed, replaced and added; what is new is like nothing else but what others add alike."""
    new = iter(draw(distinct_lines(prefix, min_size=len(lines) + 1, max_size=len(lines) + 1)))
    shared = iter(draw(distinct_lines("both added", max_size=3)))
    result = []
    for line in [*lines, None]:
        act = draw(st.sampled_from(["keep"] * 5 + ["remove", "replace", "add", "add shared"]))
        if act == "add shared":
            result.append(next(shared, next(new)))
        elif act in {"replace", "add"}:
            result.append(next(new))
        if line is not None and act not in {"remove", "replace"}:
            result.append(line)
    return result


@st.composite
def three_texts(draw):
    """A base and two edits of it, in which every line occurs once, so that it can be matched in one way only."""
    base = draw(distinct_lines("base", max_size=10))
    sides = [draw(edited(base, prefix)) for prefix in ("mine", "theirs")]
    assume(all(len(set(side)) == len(side) for side in sides))
    texts_with_ends = ["".join(lines) for lines in (base, *sides)]
    return tuple(text.removesuffix("\n") if draw(st.booleans()) else text for text in texts_with_ends)


@st.composite
def separate_edits(draw):
    """A base, two edits with an untouched line between any two changes, and the text with all of them."""
    lines = draw(distinct_lines("base", min_size=1, max_size=12))
    base, mine, theirs, both = [], [], [], []
    new = iter(draw(distinct_lines("new", min_size=24, max_size=24)))
    for place, line in enumerate(lines):
        fixed = f"fixed {place}\n"
        added = [next(new) for _ in range(draw(st.integers(0, 2)))]
        changer = draw(st.sampled_from(["mine", "theirs", "both", "nobody"]))
        base += [fixed, line]
        mine += [fixed, *(added if changer in {"mine", "both"} else [line])]
        theirs += [fixed, *(added if changer in {"theirs", "both"} else [line])]
        both += [fixed, *(added if changer != "nobody" else [line])]
    return tuple("".join(lines) for lines in (base, mine, theirs, both))


def swapped(outcome):
    if isinstance(outcome, Merged):
        return outcome
    return Conflict(
        tuple(Clash(part.base, part.theirs, part.mine) if isinstance(part, Clash) else part for part in outcome.parts)
    )


class TestLaws:
    @given(any_text, any_text)
    def test_against_an_unchanged_side_the_other_wins(self, base, changed):
        assert merge(base, changed, base) == Merged(changed)
        assert merge(base, base, changed) == Merged(changed)

    @given(any_text, any_text)
    def test_two_equal_sides_are_the_result(self, base, changed):
        assert merge(base, changed, changed) == Merged(changed)

    @given(any_text, any_text, any_text)
    def test_swapping_the_sides_swaps_the_result(self, base, mine, theirs):
        assert merge(base, theirs, mine) == swapped(merge(base, mine, theirs))

    @given(separate_edits())
    def test_edits_apart_from_each_other_are_all_there(self, texts_of_edits):
        base, mine, theirs, both = texts_of_edits
        assert merge(base, mine, theirs) == Merged(both)

    @given(three_texts())
    def test_a_clean_result_holds_both_sides_changes(self, three):
        base, mine, theirs = three
        outcome = merge(base, mine, theirs)
        assume(isinstance(outcome, Merged))
        merged, unmerged = set(split_lines(outcome.text)), set(split_lines(base))
        for hunk in (*cut_hunks(base, mine), *cut_hunks(base, theirs)):
            assert "".join(hunk.new) in outcome.text
            assert not merged & (set(hunk.old) - set(hunk.new))
        assert merged <= unmerged | set(split_lines(mine)) | set(split_lines(theirs))

    @given(any_text, any_text, any_text)
    def test_a_conflict_resolved_one_way_holds_every_line_of_that_side_that_the_base_lacks(self, base, mine, theirs):
        outcome = merge(base, mine, theirs)
        assume(isinstance(outcome, Conflict))
        resolved = resolve(outcome, [clash.mine for clash in outcome.clashes])
        lines = split_lines(resolved)
        for hunk in cut_hunks(base, mine):
            assert all(line in lines for line in hunk.new)

    @given(any_text, any_text, any_text)
    def test_a_conflict_has_clashes_that_differ_at_both_ends_and_no_idle_parts(self, base, mine, theirs):
        outcome = merge(base, mine, theirs)
        assume(isinstance(outcome, Conflict))
        assert outcome.clashes
        for clash in outcome.clashes:
            assert clash.mine != clash.theirs
            mine_lines, theirs_lines = split_lines(clash.mine), split_lines(clash.theirs)
            if mine_lines and theirs_lines:
                assert mine_lines[0] != theirs_lines[0]
                assert mine_lines[-1] != theirs_lines[-1]
        for before, after in zip(outcome.parts, outcome.parts[1:], strict=False):
            assert not (isinstance(before, Agreed) and isinstance(after, Agreed))
        assert all(part.text for part in outcome.parts if isinstance(part, Agreed))


class TestMerge:
    BASE = "# Ann\n- tea\n- cats\n- Omsk\n"

    def test_EC_01_other_lines_changed_by_two_people_merge(self):
        mine = self.BASE.replace("tea", "coffee")
        theirs = self.BASE.replace("Omsk", "Tomsk")
        assert merge(self.BASE, mine, theirs) == Merged("# Ann\n- coffee\n- cats\n- Tomsk\n")

    def test_EC_01_the_same_line_changed_by_two_people_is_shown_with_what_it_was(self):
        mine = self.BASE.replace("cats", "two cats")
        theirs = self.BASE.replace("cats", "dogs").replace("# Ann", "# Anna")
        assert merge(self.BASE, mine, theirs) == Conflict(
            (Agreed("# Anna\n- tea\n"), Clash("- cats\n", "- two cats\n", "- dogs\n"), Agreed("- Omsk\n"))
        )

    def test_changes_that_touch_are_one_place(self):
        outcome = merge(self.BASE, self.BASE.replace("tea", "coffee"), self.BASE.replace("cats", "dogs"))
        assert outcome.clashes == (Clash("- tea\n- cats\n", "- coffee\n- cats\n", "- tea\n- dogs\n"),)

    def test_two_additions_at_one_place_clash_without_what_they_share(self):
        outcome = merge(self.BASE, self.BASE + "- Rex\n- red\n", self.BASE + "- Rex\n- blue\n")
        assert outcome == Conflict((Agreed(self.BASE + "- Rex\n"), Clash("", "- red\n", "- blue\n")))

    def test_a_removal_clashes_with_a_change_of_the_same_line(self):
        outcome = merge(self.BASE, self.BASE.replace("- tea\n", ""), self.BASE.replace("tea", "green tea"))
        assert outcome.clashes == (Clash("- tea\n", "", "- green tea\n"),)

    def test_the_same_addition_beside_other_edits_counts_once(self):
        base = "one\n\ntwo\n\n"
        assert merge(base, "one\nnew\n\ntwo\n\n\n", base + "\n") == Merged("one\nnew\n\ntwo\n\n\n")

    def test_line_ends_of_each_line_are_kept(self):
        base = "a\r\nb\nc\r\nd"
        assert merge(base, base.replace("a", "A"), base.replace("d", "d\r\ne")) == Merged("A\r\nb\nc\r\nd\r\ne")


class TestResolve:
    CONFLICT = Conflict((Clash("a\n", "A\n", ""), Agreed("b\n"), Clash("c", "C", "c!")))

    def test_puts_the_chosen_texts_in_their_places(self):
        assert resolve(self.CONFLICT, ["mine\n", "theirs"]) == "mine\nb\ntheirs"

    @pytest.mark.parametrize("chosen", [[], ["one"], ["one", "two", "three"]])
    def test_refuses_more_or_fewer_texts_than_clashes(self, chosen):
        with pytest.raises(ValueError, match="2 clashes"):
            resolve(self.CONFLICT, chosen)


@pytest.fixture(scope="module")
def git_merges(tmp_path_factory):
    """Return a function that merges as git does: the text, or None for a conflict."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("merge")

    def merged(base, mine, theirs):
        for name, text in (("base", base), ("mine", mine), ("theirs", theirs)):
            (folder / name).write_bytes(text.encode())
        command = [git, "merge-file", "-p", "mine", "base", "theirs"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.returncode >= 0, done.stderr
        return None if done.returncode else done.stdout.decode()

    return merged


class TestAgainstGit:
    @settings(max_examples=150)
    @given(three=three_texts())
    @example(three=("a\nb", "a\nb\nc", "a\nb"))
    @example(three=("", "a\n", "b\n"))
    def test_texts_whose_lines_occur_once_merge_to_the_same_bytes_or_clash_alike(self, git_merges, three):
        outcome = merge(*three)
        assert (outcome.text if isinstance(outcome, Merged) else None) == git_merges(*three)

    @settings(max_examples=150)
    @given(three=st.tuples(documents, documents, documents))
    def test_against_an_unchanged_side_repeated_lines_merge_to_the_same_bytes(self, git_merges, three):
        base, mine, _ = three
        assert git_merges(base, mine, base) == merge(base, mine, base).text == mine

    @settings(max_examples=150)
    @given(edits=separate_edits())
    def test_paragraphs_merge_to_the_same_bytes_unless_git_gives_up_over_a_blank_line(self, git_merges, edits):
        base, mine, theirs, both = (text.replace("\n", "\n\n") for text in edits)
        assert merge(base, mine, theirs) == Merged(both)
        assert git_merges(base, mine, theirs) in {both, None}


@pytest.mark.corpus
class TestRealVersions:
    CHAIN = "handoff-ru/@versions/HANDOFF.md/"

    def test_git_merges_real_versions_alike(self, git_merges):
        base, mine = (
            corpus.text(self.CHAIN + name) for name in ("005-2026-08-06-d01b1ee4.md", "008-2026-08-06-649af54f.md")
        )
        lines = split_lines(base)
        for place in range(0, len(lines), 9):
            theirs = "".join([*lines[:place], "вставка\n", *lines[place:]])
            outcome = merge(base, mine, theirs)
            assert (outcome.text if isinstance(outcome, Merged) else None) == git_merges(base, mine, theirs)
