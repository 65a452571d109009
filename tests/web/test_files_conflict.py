"""A write that comes too late: both texts, the merge, every way on; and the same guard on every other act."""

import pytest
from django.urls import reverse

from memoryadmin.services import files
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW, OPERATOR
from tests.web.visiting import form_of, forms_of, words_of

BASE = "first\nsecond\nthird\nfourth\nfifth\n"
CHANGED_MEANWHILE = "The file changed since you opened it at version"


@pytest.fixture
def file_id(cast) -> int:
    return a_file(a_scope(cast), BASE, "USER.md")


def stored(file_id: int) -> str:
    return files.read(actor=OPERATOR, file_id=file_id).content.decode()


def versions(file_id: int) -> int:
    return files.read(actor=OPERATOR, file_id=file_id).seq


def save(visitor, page, file_id: int, text: str, reason: str = ""):
    """Send the form that was open in a tab, with another text."""
    return visitor.send("files:edit", file_id, **(form_of(page) | {"text": text, "reason": reason}))


class TestTwoEditors:
    def test_EC_01_the_second_is_stopped_sees_both_changes_and_may_save_both(self, alice, bob, file_id):
        """EC-01: nothing is written until the second decides; version 4 of the first stays."""
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, BASE.replace("first", "FIRST"), "louder")

        answer = save(bob, tab, file_id, BASE.replace("fifth", "FIFTH"), "my end")

        assert answer.status_code == 409
        assert versions(file_id) == 2
        words, page = words_of(answer), answer.content.decode()
        assert f"{CHANGED_MEANWHILE} 1. Nothing was written, and nothing is lost." in words
        assert "Person: Alice" in words
        assert "“louder”" in words
        for mine_or_theirs in ("FIRST", "FIFTH"):
            assert f'<td class="diff__text diff__text--add" role="cell" dir="auto">{mine_or_theirs}</td>' in page
        form = form_of(answer, reverse("files:edit", args=[file_id]))
        assert form["text"] == "FIRST\nsecond\nthird\nfourth\nFIFTH\n"
        assert (form["base_seq"], form["reason"]) == ("2", "my end")

        assert bob.send("files:edit", file_id, **form).status_code == 302
        assert versions(file_id) == 3
        assert stored(file_id) == "FIRST\nsecond\nthird\nfourth\nFIFTH\n"
        assert "FIRST" in bob.read("files:version", file_id, 2)

    def test_EC_01_the_second_may_save_their_own_text_knowingly(self, alice, bob, file_id):
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, BASE.replace("first", "FIRST"))

        answer = save(bob, tab, file_id, BASE.replace("fifth", "FIFTH"))

        assert "Save mine alone: what version 2 brought goes from the text" in words_of(answer)
        mine = [form["fields"] for form in forms_of(answer) if form["fields"].get("text", "").startswith("first")]
        assert bob.send("files:edit", file_id, **mine[0]).status_code == 302
        assert stored(file_id) == BASE.replace("fifth", "FIFTH")

    def test_EC_01_changes_to_one_place_are_shown_as_pairs_and_nothing_is_chosen(self, alice, bob, file_id):
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, BASE.replace("second", "theirs"))

        answer = save(bob, tab, file_id, BASE.replace("second", "mine"))

        words, page = words_of(answer), answer.content.decode()
        assert "1 place that you both changed" in words
        assert '<pre class="clash__text" dir="auto">mine\n</pre>' in page
        assert '<pre class="clash__text" dir="auto">theirs\n</pre>' in page
        assert "This begins as your text alone: their changes are not in it." in words
        form = form_of(answer, reverse("files:edit", args=[file_id]))
        assert form["text"] == BASE.replace("second", "mine")
        for mark in ("<<<<<<<", ">>>>>>>", "======="):
            assert mark not in words
        assert "checked" not in page

    def test_EC_01_the_typed_text_can_be_copied_out_whole(self, alice, bob, file_id):
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, "other\n")
        mine = "\n  begins with an empty line\n<b>tag</b> &amp;\n\n"

        answer = save(bob, tab, file_id, mine)

        page = answer.content.decode()
        shown = "\n\n  begins with an empty line\n&lt;b&gt;tag&lt;/b&gt; &amp;amp;\n\n"
        assert f'<textarea id="mine-copy" class="editor__text" readonly>{shown}</textarea>' in page

    def test_EC_01_who_lets_their_text_go_sees_theirs(self, alice, bob, file_id):
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, "other\n")

        answer = save(bob, tab, file_id, "mine\n")

        assert f'href="{reverse("files:detail", args=[file_id])}">Leave mine, see theirs<' in answer.content.decode()
        assert "other" in bob.read("files:detail", file_id)

    def test_EC_04_two_tabs_of_one_person_count_as_two_editors(self, alice, file_id):
        """EC-04, as the page sees it: the second tab gets the conflict and loses nothing."""
        tabs = [alice.open("files:edit", file_id) for _ in range(2)]

        first = save(alice, tabs[0], file_id, BASE.replace("first", "one"))
        second = save(alice, tabs[1], file_id, BASE.replace("fifth", "nine"))

        assert (first.status_code, second.status_code) == (302, 409)
        form = form_of(second, reverse("files:edit", args=[file_id]))
        assert form["text"] == "one\nsecond\nthird\nfourth\nnine\n"

    def test_EC_05_after_a_conflict_the_same_tab_can_save_again(self, alice, bob, file_id):
        """EC-05: after resolving, and after leaving, a conflict there is none with oneself."""
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, BASE.replace("first", "FIRST"))
        conflict = save(bob, tab, file_id, BASE.replace("fifth", "FIFTH"))

        resolved = bob.send("files:edit", file_id, **form_of(conflict, reverse("files:edit", args=[file_id])))
        again = save(bob, bob.open("files:edit", file_id), file_id, "again\n")

        assert (resolved.status_code, again.status_code) == (302, 302)
        assert stored(file_id) == "again\n"

    def test_a_conflict_about_a_conflict_is_shown_the_same_way(self, alice, bob, file_id):
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, BASE.replace("first", "FIRST"))
        conflict = save(bob, tab, file_id, BASE.replace("fifth", "FIFTH"))
        save(alice, alice.open("files:edit", file_id), file_id, BASE.replace("first", "1st"))

        answer = bob.send("files:edit", file_id, **form_of(conflict, reverse("files:edit", args=[file_id])))

        assert answer.status_code == 409
        assert f"{CHANGED_MEANWHILE} 2." in words_of(answer)

    def test_DR_01_markup_is_text_in_every_part_of_the_page(self, alice, bob, file_id):
        """DR-01: an equal line, a changed line and a clash with a tag in it."""
        tag = "<img src=x onerror=alert(1)>"
        more_versions(file_id, f"{tag}\nhello\nend\n")
        tab = bob.open("files:edit", file_id)
        save(alice, alice.open("files:edit", file_id), file_id, f"{tag}\n{tag} theirs\nend\n", f'"><script>{tag}')

        answer = save(bob, tab, file_id, f"{tag}\n{tag} mine\nend\n")

        page = answer.content.decode()
        assert "<img" not in page
        assert "<script>" not in page
        assert page.count("&lt;img src=x onerror=alert(1)&gt;") > 6


class TestDeletedMeanwhile:
    def test_ST_03_is_said_and_the_text_may_be_created_anew(self, alice, bob, cast, file_id):
        """ST-03: the save is refused as a conflict that says so; the old life keeps its own history."""
        tab = bob.open("files:edit", file_id)
        alice.send("files:delete", file_id, base_seq=1)

        answer = save(bob, tab, file_id, "mine\n", "still true")

        assert answer.status_code == 409
        assert "USER.md was deleted meanwhile" in words_of(answer)
        scope_id = a_scope(cast)
        form = form_of(answer, reverse("files:create", args=[scope_id]))
        assert form == form | {"path": "USER.md", "text": "mine\n", "reason": "still true"}
        created = bob.send("files:create", scope_id, **form)
        new_id = int(created.url.split("/")[2])
        assert new_id != file_id
        assert stored(new_id) == "mine\n"
        assert versions(file_id) == 2


class TestEveryOtherAct:
    """EC-03: every way of writing asks when the file moved, with the same words, and writes nothing."""

    @pytest.mark.parametrize(
        ("address", "seq", "sent", "wish", "button"),
        [
            ("files:rename", (), {"path": "NEW.md"}, "You wanted to rename it to NEW.md.", "Rename it all the same"),
            ("files:delete", (), {}, "You wanted to delete it.", "Delete it all the same"),
            ("files:restore", (1,), {"path": ""}, "You wanted to restore version 1.", "Restore it all the same"),
        ],
    )
    def test_EC_03_is_refused_from_a_stale_page_and_can_be_done_knowingly(
        self, alice, bob, file_id, address, seq, sent, wish, button
    ):
        more_versions(file_id, "second state\n")
        stale = form_of(bob.open(address, file_id, *seq))
        save(alice, alice.open("files:edit", file_id), file_id, "third state\n", "meanwhile")

        answer = bob.send(address, file_id, *seq, **(stale | sent | {"reason": "because"}))

        assert answer.status_code == 409
        assert versions(file_id) == 3
        words = words_of(answer)
        for expected in (f"{CHANGED_MEANWHILE} 2.", "Person: Alice", "“meanwhile”", wish, button):
            assert expected in words

        again = bob.send(address, file_id, *seq, **form_of(answer))
        assert again.status_code == 302
        assert versions(file_id) == 4
        assert "“because”" in bob.read("files:history", file_id)

    def test_EC_03_save_and_save_and_stay_are_guarded_alike(self, alice, bob, file_id):
        tab = form_of(bob.open("files:edit", file_id))
        more_versions(file_id, "newer\n")

        for stay in ({}, {"stay": "1"}):
            answer = bob.send("files:edit", file_id, **(tab | {"text": "mine\n"} | stay))
            assert answer.status_code == 409
            assert f"{CHANGED_MEANWHILE} 1." in words_of(answer)
        assert versions(file_id) == 2

    def test_EC_03_a_file_deleted_meanwhile_is_not_renamed(self, bob, file_id):
        stale = form_of(bob.open("files:rename", file_id)) | {"path": "NEW.md"}
        files.delete(actor=OPERATOR, file_id=file_id, base_seq=1, note=files.Note(), now=NOW)

        answer = bob.send("files:rename", file_id, **stale)

        assert answer.status_code == 409
        assert "Rename it all the same" not in words_of(answer)
        assert versions(file_id) == 2

    def test_EC_03_putting_a_text_into_another_file_is_guarded_too(self, alice, bob, cast, file_id):
        files.delete(actor=OPERATOR, file_id=file_id, base_seq=1, note=files.Note(), now=NOW)
        present = a_file(a_scope(cast), "new life\n", "USER.md")
        stale = form_of(bob.open("files:restore_into", file_id, 1, present))
        save(alice, alice.open("files:edit", present), present, "newer\n")

        answer = bob.send("files:restore_into", file_id, 1, present, **stale)

        assert answer.status_code == 409
        assert f"{CHANGED_MEANWHILE} 1." in words_of(answer)
        assert stored(present) == "newer\n"
