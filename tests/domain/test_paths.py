"""Paths: what a memory file may be called (SE-04, ST-04), and what imports change in a name."""

import posixpath
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoryadmin.domain.errors import PathRefusedError
from memoryadmin.domain.paths import (
    MAX_PATH_BYTES,
    MAX_SEGMENT_BYTES,
    PathReason,
    clean_path,
    fold_path,
    normalise_import_path,
    refusal,
)
from memoryadmin.domain.scopes import Scope, ScopeType, prefix
from tests.domain import corpus

NFD = unicodedata.normalize("NFD", "ё.md")
paths = st.text() | st.lists(
    st.sampled_from(["..", ".", "", " ", "a", "b.md", "%2e%2e", "%2f", "%5c", "..md", "C:", "\\", "\x00", "ё", "…"])
    | st.text(max_size=4),
    max_size=6,
).map("/".join)


class TestCleanPath:
    @pytest.mark.parametrize(
        "path",
        [
            "план релиза+v2.md",
            "50% готово.md",
            "a=b&c.md",
            "ё.md",
            "..md",
            ".template.md",
            "CON.md",
            "<img src=x onerror=alert(1)>.md",
            "c#-guide.md",
            "-Users-demo/MEMORY.md",
            "memory/遺書.md",
            "🧠-TEST.mdc",
            "a%2Fb.md",
            "%.md",
            "%zz.md",
            "name with ' and \".md",
            "Notes: May.md",
            "x" * MAX_SEGMENT_BYTES,
            "/".join(["x" * 209] * 4),
        ],
    )
    def test_ST_04_an_honest_name_is_kept_exactly(self, path):
        assert clean_path(path) == path

    @pytest.mark.parametrize(
        ("path", "reason"),
        [
            ("../USER.md", PathReason.DOT_SEGMENT),
            ("..%2fUSER.md", PathReason.DOT_SEGMENT),
            ("..%252fUSER.md", PathReason.DOT_SEGMENT),
            ("%2e%2e/USER.md", PathReason.DOT_SEGMENT),
            ("%2e%2e/", PathReason.EMPTY_SEGMENT),
            ("..%5cUSER.md", PathReason.DOT_SEGMENT),
            ("a/../../b.md", PathReason.DOT_SEGMENT),
            ("./MEMORY.md", PathReason.DOT_SEGMENT),
            ("memory/..", PathReason.DOT_SEGMENT),
            ("memory/.. /x.md", PathReason.DOT_SEGMENT),
            ("memory/ /x.md", PathReason.DOT_SEGMENT),
            ("…/../x.md", PathReason.DOT_SEGMENT),
            ("/etc/passwd", PathReason.ABSOLUTE),
            ("C:/x", PathReason.ABSOLUTE),
            ("C:\\x", PathReason.BACKSLASH),
            ("..\\x", PathReason.BACKSLASH),
            ("x\0.md", PathReason.HIDDEN_CHARACTER),
            ("x%00.md", PathReason.HIDDEN_CHARACTER),
            ("x%0d%0aSet-Cookie.md", PathReason.HIDDEN_CHARACTER),
            ("x\n.md", PathReason.HIDDEN_CHARACTER),
            ("x\r\nSet-Cookie: a.md", PathReason.HIDDEN_CHARACTER),
            ("x\u202edm.exe", PathReason.HIDDEN_CHARACTER),
            ("x\u200b.md", PathReason.HIDDEN_CHARACTER),
            ("x\u2028.md", PathReason.HIDDEN_CHARACTER),
            ("x\ud800.md", PathReason.HIDDEN_CHARACTER),
            ("x\ue000.md", PathReason.HIDDEN_CHARACTER),
            ("x\ufdd0.md", PathReason.HIDDEN_CHARACTER),
            ("x\U0001ffff.md", PathReason.HIDDEN_CHARACTER),
            ("\ufeffUSER.md", PathReason.HIDDEN_CHARACTER),
            ("notes//x.md", PathReason.EMPTY_SEGMENT),
            ("notes/", PathReason.EMPTY_SEGMENT),
            ("", PathReason.EMPTY),
            (NFD, PathReason.NOT_NORMALISED),
            ("x" * 300, PathReason.SEGMENT_TOO_LONG),
            ("ё" * 121, PathReason.SEGMENT_TOO_LONG),
            ("/".join(["ё" * 100] * 5), PathReason.PATH_TOO_LONG),
            ("x/" * 600_000 + "x", PathReason.PATH_TOO_LONG),
        ],
    )
    def test_SE_04_a_name_that_could_lead_out_or_mislead_is_refused_with_a_reason(self, path, reason):
        with pytest.raises(PathRefusedError) as caught:
            clean_path(path)
        assert (caught.value.field, caught.value.reason) == ("path", reason)
        assert len(str(caught.value)) > 10

    @pytest.mark.parametrize("reason", PathReason)
    def test_a_reason_is_a_word_an_interface_can_translate(self, reason):
        assert reason.value.replace("_", "").isalpha()

    @given(paths, st.sampled_from(["projects/p/workspace/", "people/u_0/workspace/", "/srv/store/x/"]))
    @example("..%2f..%2fx", "a/")
    def test_SE_04_a_clean_path_stays_inside_any_prefix(self, path, prefix):
        if refusal(path) is None:
            joined = prefix + clean_path(path)
            assert posixpath.normpath(joined) == joined
            assert posixpath.normpath(joined).startswith(prefix)
            assert len(path.encode()) <= MAX_PATH_BYTES

    @given(paths)
    def test_a_path_is_returned_unchanged_or_refused_and_never_repaired(self, path):
        try:
            assert clean_path(path) == path
        except PathRefusedError:
            assert refusal(path) is not None


class TestNormaliseImportPath:
    def test_double_slashes_are_collapsed_and_named(self):
        assert normalise_import_path("system//references///x") == ("system/references/x", ("double_slash",))

    def test_decomposed_letters_are_composed_and_named(self):
        assert normalise_import_path(f"a//{NFD}") == ("a/ё.md", ("double_slash", "composed"))

    def test_a_traversal_is_not_repaired_into_something_harmless(self):
        assert refusal(normalise_import_path("a//../../b.md")[0]) is PathReason.DOT_SEGMENT

    @given(paths)
    def test_twice_is_the_same_as_once(self, path):
        once, _ = normalise_import_path(path)
        assert normalise_import_path(once) == (once, ())

    @given(paths)
    def test_a_clean_path_is_left_alone(self, path):
        if refusal(path) is None:
            assert normalise_import_path(path) == (path, ())

    @pytest.mark.corpus
    def test_every_name_of_the_corpus_is_accepted(self):
        refused = {one.path for one in corpus.files() if refusal(normalise_import_path(one.inner)[0])}
        assert refused == set()


class TestFoldPath:
    def test_names_that_differ_in_case_alone_clash(self):
        assert fold_path("grey/HEARTBEAT.md") == fold_path("grey/heartbeat.md")
        assert fold_path("Straße.md") == fold_path("STRASSE.md")
        assert fold_path("Ё.md") == fold_path(NFD)
        assert fold_path("a.md") != fold_path("b.md")

    @given(st.text())
    def test_folding_twice_is_the_same_as_once(self, path):
        assert fold_path(fold_path(path)) == fold_path(path)


def test_the_longest_path_in_the_longest_scope_is_still_an_object_key():
    """An S3 key has at most 1,024 bytes."""
    slug, person = "a" * 63, "u_" + "a" * 20
    longest = Scope(ScopeType.AGENT_USER, project=slug, agent=slug, person=person)
    assert len(prefix(longest)) + MAX_PATH_BYTES <= 1024
