"""Writing a file on a page: edit, create, rename, delete. What is refused keeps the text; nothing is said too early."""

import pytest
from django.urls import reverse

from memoryadmin.domain.scopes import ScopeType
from memoryadmin.services import files
from tests.build import a_file, a_scope, more_versions
from tests.cast import OPERATOR
from tests.web.visiting import form_of, words_of

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
AWKWARD = "\n  - a list that begins with blanks\n\ttab\ntwo blanks  \nfive words stand on this line\n\n\n"


@pytest.fixture
def scope_id(cast) -> int:
    return a_scope(cast)


def stored(file_id: int) -> bytes:
    return files.read(actor=OPERATOR, file_id=file_id).content


def versions(file_id: int) -> int:
    return files.read(actor=OPERATOR, file_id=file_id).seq


class TestEditing:
    def test_saves_a_version_with_the_reason_and_says_so(self, bob, scope_id):
        file_id = a_file(scope_id, "one\n")
        fields = form_of(bob.open("files:edit", file_id)) | {"text": "one\ntwo\n", "reason": "it grew"}

        answer = bob.send("files:edit", file_id, **fields)

        assert answer.url == reverse("files:detail", args=[file_id])
        assert stored(file_id) == b"one\ntwo\n"
        words = bob.read("files:detail", file_id)
        assert "Saved as version 2." in words
        assert "“it grew”" in words

    def test_UI_04_tells_when_it_was_last_saved_and_by_whom(self, bob, cast, scope_id):
        file_id = a_file(scope_id, "one\n", actor=cast.actor(cast.alice))
        refused = bob.send("files:edit", file_id, text="x" * 102_401, base_seq=1)

        for words in (bob.read("files:edit", file_id), words_of(refused)):
            assert "Last saved 20 July, 12:00 by Person: Alice." in words

    def test_save_and_keep_editing_comes_back_with_the_new_base(self, bob, scope_id):
        file_id = a_file(scope_id, "one\n")
        fields = form_of(bob.open("files:edit", file_id)) | {"text": "two\n", "stay": "1"}

        answer = bob.send("files:edit", file_id, **fields)

        assert answer.url == reverse("files:edit", args=[file_id])
        assert form_of(bob.open("files:edit", file_id))["base_seq"] == "2"

    @pytest.mark.parametrize(
        "text",
        [
            AWKWARD, "plain\n", "no end", "", "\n", "\n\n", "a\r\nb\r\n", "a\r\nb\nc\rd\n", "\ufeffmark\n",
            "\ufeff\r\n\r\n x ", "&lt;b&gt; &amp;amp;\n",
        ],
    )  # fmt: skip
    def test_VE_01_and_DR_06_an_untouched_text_makes_no_version(self, bob, scope_id, text):
        """VE-01, DR-06: opening the editor and pressing save changes no byte, and the page says so."""
        file_id = a_file(scope_id, text)

        bob.send("files:edit", file_id, **form_of(bob.open("files:edit", file_id)))

        assert versions(file_id) == 1
        assert stored(file_id) == text.encode()
        words = bob.read("files:detail", file_id)
        assert "Nothing changed: version 1 holds this already." in words
        assert "System: tests" in words

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_DR_06_changing_one_word_changes_one_word(self, bob, scope_id, end):
        text = AWKWARD.replace("\n", end)
        file_id = a_file(scope_id, text)
        fields = form_of(bob.open("files:edit", file_id))

        bob.send("files:edit", file_id, **(fields | {"text": fields["text"].replace("five", "six")}))

        assert stored(file_id) == text.replace("five", "six").encode()
        compared = bob.open("files:compare", file_id)
        assert "1 line added, 1 line removed" in words_of(compared)
        page = compared.content.decode()
        assert page.count("<ins>") == page.count("<del>") == 1
        assert "<ins>six</ins>" in page

    def test_EC_05_one_tab_saves_again_and_again(self, bob, scope_id):
        """EC-05: no conflict with oneself, three versions."""
        file_id = a_file(scope_id, "0\n")
        page = bob.open("files:edit", file_id)

        for text in ("1\n", "2\n", "3\n"):
            answer = bob.send("files:edit", file_id, **(form_of(page) | {"text": text, "stay": "1"}))
            assert answer.status_code == 302
            page = bob.client.get(answer.url)

        assert versions(file_id) == 4
        assert stored(file_id) == b"3\n"

    def test_UI_03_a_second_press_of_the_button_acts_once(self, bob, scope_id):
        """UI-03: the same form sent three times makes one version; the later ones are told what there is."""
        file_id = a_file(scope_id, "one\n")
        fields = form_of(bob.open("files:edit", file_id)) | {"text": "two\n"}

        answers = [bob.send("files:edit", file_id, **fields) for _ in range(3)]

        assert [answer.status_code for answer in answers] == [302, 302, 302]
        assert versions(file_id) == 2


class TestRefusals:
    """UI-04: whatever stands in the way, the page says that nothing was saved, why, and still holds the text."""

    def refused(self, visitor, file_id: int, status: int, **sent) -> str:
        fields = form_of(visitor.open("files:edit", file_id)) | sent
        before = (versions(file_id), stored(file_id))

        answer = visitor.send("files:edit", file_id, **fields)

        assert answer.status_code == status
        assert (versions(file_id), stored(file_id)) == before
        assert form_of(answer)["text"] == fields["text"]
        assert form_of(answer)["base_seq"] == fields["base_seq"]
        words = words_of(answer)
        assert "Nothing was saved." in words
        assert "Saved as version" not in words
        return words

    def test_UI_04_a_text_over_the_hard_limit(self, bob, scope_id):
        words = self.refused(bob, a_file(scope_id, "x\n"), 413, text="x" * 102_401)

        assert "102,401 bytes" in words
        assert "102,400" in words

    def test_UI_04_a_log_that_would_lose_a_line(self, bob, scope_id):
        file_id = a_file(scope_id, "- first\n", "decisions-log.md")

        assert "only added to" in self.refused(bob, file_id, 422, text="- second\n")

    def test_UI_04_a_text_with_nul(self, bob, scope_id):
        file_id = a_file(scope_id, "x\n")
        answer = bob.send("files:edit", file_id, text="a\0b", base_seq=1)

        assert answer.status_code == 422
        assert stored(file_id) == b"x\n"

    def test_UI_04_a_reason_that_is_too_long(self, bob, scope_id):
        words = self.refused(bob, a_file(scope_id, "x\n"), 422, text="y\n", reason="r" * 501)

        assert "500" in words

    def test_UI_04_a_request_without_the_text_wipes_nothing(self, bob, scope_id):
        file_id = a_file(scope_id, "x\n")

        answer = bob.send("files:edit", file_id, base_seq=1)

        assert answer.status_code == 422
        assert "The text did not arrive." in words_of(answer)
        assert stored(file_id) == b"x\n"

    @pytest.mark.parametrize("base_seq", ["", "0", "-1", "x", "9" * 30])
    def test_UI_04_a_request_that_does_not_say_what_it_was_made_from(self, bob, scope_id, base_seq):
        file_id = a_file(scope_id, "x\n")

        answer = bob.send("files:edit", file_id, text="y\n", base_seq=base_seq)

        assert answer.status_code == 422
        assert form_of(answer)["text"] == "y\n"
        assert "which version it was made from" in words_of(answer)
        assert stored(file_id) == b"x\n"

    def test_UI_04_what_looks_like_a_secret_until_the_person_has_looked(self, bob, scope_id):
        file_id = a_file(scope_id, "x\n")

        words = self.refused(bob, file_id, 422, text=f"x\ntoken {SECRET}\n")
        assert "This looks like a secret" in words
        assert "line 2" in words

        sent = {"text": f"x\ntoken {SECRET}\n", "base_seq": 1, "is_confirmed": "on"}
        assert bob.send("files:edit", file_id, **sent).status_code == 302
        assert SECRET.encode() in stored(file_id)

    def test_UI_04_a_secret_is_masked_where_the_page_names_it(self, bob, scope_id):
        answer = bob.send("files:edit", a_file(scope_id, "x\n"), text=f"token {SECRET}\n", base_seq=1)

        assert answer.content.decode().count(SECRET) == 1  # in the text area alone, to go on from

    def test_a_reader_is_refused_and_gets_the_text_back(self, bob, cast):
        file_id = a_file(a_scope(cast, ScopeType.AGENT), "calm\n", "SOUL.md")

        assert bob.open("files:edit", file_id).status_code == 403
        answer = bob.send("files:edit", file_id, text="wild\n", base_seq=1)

        assert answer.status_code == 403
        assert "wild" in answer.content.decode()
        assert stored(file_id) == b"calm\n"

    def test_other_methods_are_refused(self, bob, scope_id):
        file_id = a_file(scope_id, "x\n")

        for address in ("files:edit", "files:rename", "files:delete"):
            for method in ("put", "delete", "patch"):
                assert getattr(bob.client, method)(reverse(address, args=[file_id])).status_code == 405
        assert stored(file_id) == b"x\n"


class TestCreating:
    def test_ends_its_lines_as_files_here_do(self, bob, scope_id):
        fields = form_of(bob.open("files:create", scope_id, path="notes.md"))
        assert fields["path"] == "notes.md"

        answer = bob.send("files:create", scope_id, **(fields | {"text": "one\ntwo\n"}))

        file_id = int(answer.url.split("/")[2])
        assert stored(file_id) == b"one\ntwo\n"
        assert "Created as version 1." in bob.read("files:detail", file_id)

    def test_UI_03_a_second_press_makes_no_second_file(self, bob, scope_id):
        sent = {"path": "notes.md", "text": "one\n"}

        first, second = (bob.send("files:create", scope_id, **sent) for _ in range(2))

        assert first.url == second.url

    def test_a_taken_name_is_said_at_its_field(self, bob, scope_id):
        a_file(scope_id, "theirs\n", "notes.md")

        answer = bob.send("files:create", scope_id, path="notes.md", text="mine\n")

        assert answer.status_code == 409
        assert "Another file has this name." in words_of(answer)
        assert form_of(answer)["text"] == "mine\n"

    def test_a_secret_is_asked_about(self, bob, scope_id):
        answer = bob.send("files:create", scope_id, path="notes.md", text=f"token {SECRET}\n")

        assert answer.status_code == 422
        assert "This looks like a secret" in words_of(answer)

    def test_names_that_are_usual_in_the_scope_are_offered(self, alice, cast):
        words = alice.read("files:create", a_scope(cast, ScopeType.AGENT))

        assert "SOUL.md" in words
        assert "TOOLS.md" in words

    def test_a_reader_and_a_stranger_make_nothing(self, bob, carol, cast):
        scope_id = a_scope(cast, ScopeType.AGENT)

        for visitor, status in ((bob, 403), (carol, 404)):
            assert visitor.send("files:create", scope_id, path="SOUL.md", text="x").status_code == status
        assert files.listing(actor=OPERATOR, scope_id=scope_id).files == ()


class TestRenaming:
    def test_VE_02_keeps_every_version_under_the_new_name(self, bob, scope_id):
        file_id = a_file(scope_id, "1\n", "incidents.md")
        more_versions(file_id, "2\n", "3\n")
        fields = form_of(bob.open("files:rename", file_id)) | {"path": "incidents-2026.md", "reason": "a new year"}

        bob.send("files:rename", file_id, **fields)
        edited = form_of(bob.open("files:edit", file_id)) | {"text": "4\n"}
        bob.send("files:edit", file_id, **edited)

        words = bob.read("files:history", file_id)
        for expected in ("Version 5", "Version 4", "Version 1", "renamed", "under the name incidents.md"):
            assert expected in words
        assert "“a new year”" in words
        assert bob.open("files:restore", file_id, 2).status_code == 200
        assert "1 line added, 1 line removed" in bob.read("files:compare", file_id, **{"from": 1, "to": 5})

    def test_VE_02_two_files_that_exchange_names_keep_their_own_pasts(self, bob, scope_id):
        left, right = a_file(scope_id, "left\n", "a.md"), a_file(scope_id, "right\n", "b.md")

        for file_id, path in ((left, "c.md"), (right, "a.md"), (left, "b.md")):
            fields = form_of(bob.open("files:rename", file_id)) | {"path": path}
            assert bob.send("files:rename", file_id, **fields).status_code == 302

        assert "left" in bob.read("files:version", left, 1)
        assert "right" in bob.read("files:version", right, 1)
        assert bob.open("scopes:at", scope_id, "a.md").url == reverse("files:detail", args=[right])

    def test_a_taken_or_refused_name_is_said_at_its_field(self, bob, scope_id):
        file_id = a_file(scope_id, "x\n", "a.md")
        a_file(scope_id, "y\n", "b.md")

        for path, status in (("b.md", 409), ("../b.md", 422), ("", 422)):
            answer = bob.send("files:rename", file_id, path=path, base_seq=1)
            assert answer.status_code == status
            assert answer.context["form"].errors["path"]
        assert files.read(actor=OPERATOR, file_id=file_id).path == "a.md"

    def test_a_log_stays_a_log(self, bob, scope_id):
        file_id = a_file(scope_id, "- x\n", "decisions-log.md")

        assert bob.send("files:rename", file_id, path="decisions.md", base_seq=1).status_code == 422


class TestDeleting:
    def test_says_first_what_goes_and_what_stays(self, bob, scope_id):
        file_id = a_file(scope_id, "four\n")

        words = bob.read("files:delete", file_id)

        assert "Goes: the file from the list and from the agents’ copy, 5 characters." in words
        assert "Stays: its history, 1 version." in words
        assert not files.read(actor=OPERATOR, file_id=file_id).card.is_deleted

    def test_UI_03_twice_is_once(self, bob, scope_id):
        file_id = a_file(scope_id, "x\n")
        fields = form_of(bob.open("files:delete", file_id)) | {"reason": "wrong place"}

        for _ in range(2):
            answer = bob.send("files:delete", file_id, **fields)
            assert answer.url == reverse("scopes:detail", args=[scope_id])

        assert versions(file_id) == 2
        assert "It was deleted already." in bob.read("scopes:detail", scope_id)

    def test_a_reader_and_a_stranger_delete_nothing(self, bob, carol, cast):
        file_id = a_file(a_scope(cast, ScopeType.AGENT), path="SOUL.md")

        for visitor, status in ((bob, 403), (carol, 404)):
            assert visitor.open("files:delete", file_id).status_code == status
            assert visitor.send("files:delete", file_id, base_seq=1).status_code == status
        assert not files.read(actor=OPERATOR, file_id=file_id).card.is_deleted

    def test_an_archived_agents_file_can_be_read_not_deleted(self, alice, cast):
        file_id = a_file(a_scope(cast, ScopeType.AGENT), path="SOUL.md")
        alice.send("agents:archive", cast.project, cast.agent)

        assert alice.open("files:detail", file_id).status_code == 200
        for address in ("files:delete", "files:edit", "files:rename"):
            assert alice.open(address, file_id).status_code == 409
            assert alice.send(address, file_id, base_seq=1, text="y", path="z.md").status_code == 409
        assert versions(file_id) == 1
