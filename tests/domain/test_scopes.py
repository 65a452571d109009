from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.errors import ScopeIncompleteError
from memoryadmin.domain.scopes import REQUIRED_IDS, Scope, ScopeType, is_person_id, is_slug, prefix

slugs = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,62}", fullmatch=True)
# Short ids over few letters make collisions of prefixes likely, if there can be any.
tight_slugs = st.text(alphabet="a1.-_", min_size=1, max_size=4).filter(is_slug)
person_ids = st.from_regex(r"u_[a-z0-9]{20}", fullmatch=True)


@st.composite
def scopes(draw, ids=slugs):
    scope_type = draw(st.sampled_from(list(ScopeType)))
    values = {name: draw(person_ids if name == "person" else ids) for name in REQUIRED_IDS[scope_type]}
    return Scope(scope_type, **values)


class TestPrefix:
    @given(scopes(tight_slugs), scopes(tight_slugs))
    def test_is_injective_and_disjoint(self, one, other):
        """ST-01: scopes whose ids share a beginning stay apart."""
        if one == other:
            assert prefix(one) == prefix(other)
        else:
            assert not prefix(one).startswith(prefix(other))
            assert not prefix(other).startswith(prefix(one))

    @given(scopes())
    def test_ends_in_a_slash_and_has_no_segment_that_leads_elsewhere(self, scope):
        found = prefix(scope)
        assert found.endswith("/")
        assert not {"", ".", "..", "*"} & set(found[:-1].split("/"))

    @pytest.mark.parametrize("ids", [("1", "10"), ("1", "1-test"), ("a", "a.b"), ("a", "a_")])
    def test_ST_01_ids_that_begin_alike_are_no_prefixes_of_each_other(self, ids):
        one, other = (prefix(Scope(ScopeType.AGENT, project="p", agent=agent)) for agent in ids)
        assert not other.startswith(one)


class TestScope:
    @pytest.mark.parametrize("scope_type", list(ScopeType))
    @pytest.mark.parametrize(
        "bad", ["", " ", "\t", "/", ".", "..", "*", "a/b", "../a", "A", "ё", "a" * 64, "a\n", "-a"]
    )
    def test_ST_05_refuses_an_id_that_is_missing_or_could_widen_it_and_names_the_field(self, scope_type, bad):
        for field in REQUIRED_IDS[scope_type]:
            good = {name: "u_" + "a" * 20 if name == "person" else "ok" for name in REQUIRED_IDS[scope_type]}
            with pytest.raises(ScopeIncompleteError) as refused:
                Scope(scope_type, **{**good, field: bad})
            assert refused.value.field == field

    @given(scopes())
    def test_refuses_an_id_that_its_type_does_not_have(self, scope):
        for field in {"project", "agent", "person", "session"} - set(REQUIRED_IDS[scope.type]):
            with pytest.raises(ScopeIncompleteError) as refused:
                replace(scope, **{field: "u_" + "a" * 20})
            assert refused.value.field == field

    @given(scopes())
    def test_a_personal_scope_has_an_owner_and_a_shared_one_has_none(self, scope):
        owned = replace(scope, session_person="u_" + "b" * 20) if scope.type is ScopeType.SESSION else scope
        assert bool(owned.owner) == owned.is_personal

    @given(st.text(max_size=70))
    def test_no_slug_holds_a_separator(self, text):
        if is_slug(text) or is_person_id(text):
            assert "/" not in text and text not in {".", ".."}
