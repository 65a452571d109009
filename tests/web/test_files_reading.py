"""A file to look at: laid out, as stored, raw, downloaded; what is opaque, quarantined, deleted or hidden."""

import pytest
from django.urls import reverse

from memoryadmin.domain.imports import ImportTarget
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import MemoryFile
from memoryadmin.services import files, imports
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW, OPERATOR
from tests.web.visiting import words_of

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
LEAKY = f"# Access\n\nthe token is {SECRET} here\n".encode()


@pytest.fixture
def scope_id(cast) -> int:
    return a_scope(cast)


@pytest.fixture
def imported(cast, tmp_path):
    """Return what takes files of a folder into the project, or one agent's memory, as a real import does."""

    def take_in(agent: str | None = None, **contents: bytes) -> list[int]:
        for name, content in contents.items():
            (tmp_path / f"{name}.md").write_bytes(content)
        workspace = imports.open_workspace(tmp_path)
        target = ImportTarget(project=cast.project, agent=agent)
        plan = imports.plan(actor=OPERATOR, workspace=workspace, target=target)
        written = imports.apply(actor=OPERATOR, workspace=workspace, plan=plan, now=NOW)
        return [one.file_id for one in written]

    return take_in


class TestReading:
    def test_lays_the_text_out_beside_what_is_to_be_known(self, bob, scope_id):
        file_id = a_file(scope_id, "# Tides\n\n* high at **nine**\n", "MEMORY.md")

        answer = bob.open("files:detail", file_id)

        assert "<strong>nine</strong>" in answer.content.decode()
        words = words_of(answer)
        for expected in ("of 5,000 characters", "Kind memory", "Scope project", "Cut from the end", "Line ends LF"):
            assert expected in words
        assert "Agents’ copy behind, on its way" in words

    def test_shows_where_agents_stop_reading(self, bob, scope_id):
        file_id = a_file(scope_id, "".join(f"- line {n}\n" for n in range(700)), "MEMORY.md")

        answer = bob.open("files:detail", file_id)

        assert "agents read to here: 4," in words_of(answer)
        seen, _, unseen = answer.content.decode().partition("doc__cut")
        assert "line 1<" in seen
        assert "line 699<" in unseen

    def test_an_empty_file_says_what_that_means(self, bob, scope_id):
        assert "Agents treat it as if it were not there." in bob.read("files:detail", a_file(scope_id, ""))

    def test_links_between_files_lead_to_the_page_of_the_name(self, bob, scope_id):
        file_id = a_file(scope_id, "[the plan](../plan.md) [out](../../../etc/passwd)\n", "memory/index.md")

        page = bob.open("files:detail", file_id).content.decode()
        article = page.partition("<article")[2].partition("</article>")[0]

        assert f'href="{reverse("scopes:at", args=[scope_id, "plan.md"])}"' in article
        assert article.count("href=") == 1

    def test_a_reader_gets_no_button_that_writes(self, bob, cast):
        file_id = a_file(a_scope(cast, ScopeType.AGENT), path="SOUL.md")

        page = bob.open("files:detail", file_id).content.decode()

        for address in ("files:edit", "files:rename", "files:delete"):
            assert reverse(address, args=[file_id]) not in page

    @pytest.mark.parametrize("address", ["files:detail", "files:source", "files:history", "files:compare"])
    def test_costs_the_same_for_two_versions_and_for_forty(self, bob, scope_id, cast, queries, address):
        file_id = a_file(scope_id, "one\n", actor=cast.actor(cast.alice))
        more_versions(file_id, "two\n", actor=cast.actor(cast.alice))
        with queries() as few:
            bob.read(address, file_id)
        more_versions(file_id, *(f"text {n}\n" * n for n in range(1, 39)), actor=cast.actor(cast.bob))
        with queries() as many:
            bob.read(address, file_id)

        assert len(many) == len(few)

    @pytest.mark.parametrize("address", ["detail", "source", "history", "compare", "raw", "download", "edit"])
    @pytest.mark.parametrize("number", ["0", "999999", "9" * 30])
    def test_a_bad_id_finds_nothing(self, alice, address, number):
        assert alice.client.get(f"/files/{number}/{'' if address == 'detail' else address + '/'}").status_code == 404

    @pytest.mark.parametrize("address", ["detail", "source", "history", "compare", "raw", "download"])
    def test_answers_only_to_looking(self, alice, scope_id, address):
        file_id = a_file(scope_id)

        assert alice.client.post(reverse(f"files:{address}", args=[file_id])).status_code == 405
        assert alice.client.head(reverse(f"files:{address}", args=[file_id])).status_code == 200


class TestSource:
    def test_numbers_the_lines_and_escapes_them(self, bob, scope_id):
        file_id = a_file(scope_id, "<b>one</b>\n\n  three")

        page = bob.open("files:source", file_id).content.decode()

        assert '<span class="source__text" dir="auto">&lt;b&gt;one&lt;/b&gt;</span>' in page
        assert '<span class="source__text" dir="auto">  three</span>' in page
        assert 'id="L3"' in page
        assert 'id="L4"' not in page

    @pytest.mark.parametrize(
        ("text", "words", "marks"),
        [("a\nb\n", "Line ends LF", 0), ("a\r\nb\r\n", "Line ends CR LF", 0), ("a\r\nb\n", "Line ends mixed", 1),
         ("a\rb\n", "Line ends mixed", 1), ("\ufeffa\n", "byte order mark", 0)],
    )  # fmt: skip
    def test_tells_how_lines_end_and_marks_what_differs(self, bob, scope_id, text, words, marks):
        answer = bob.open("files:source", a_file(scope_id, text))

        assert words in words_of(answer)
        assert answer.content.decode().count('<span class="hidden-mark">CR</span>') == marks


class TestHiddenCharacters:
    def test_SE_05_are_counted_placed_and_marked_in_every_view(self, bob, scope_id):
        """SE-05: tag characters, zero width, right-to-left override and soft hyphens, in view, source and diff."""
        order = "".join(chr(0xE0000 + ord(sign)) for sign in "obey")
        file_id = a_file(scope_id, "Likes tea\n", "USER.md")
        more_versions(file_id, f"Likes tea{order}\nz\u200bw\nr\u202eo\nso\u00adft\n")

        for address in ("files:detail", "files:source"):
            answer = bob.open(address, file_id)
            words, page = words_of(answer), answer.content.decode()
            assert "This text holds 7 characters that nobody sees" in words
            for place in ("line 1 (4)", "line 2 (1)", "line 3 (1)", "line 4 (1)"):
                assert place in words.replace(" )", ")")
            for mark in ("U+E006F", "U+200B", "U+202E", "U+00AD"):
                assert f'<span class="hidden-mark">{mark}</span>' in page
            assert "\u202e" not in page

        compared = bob.open("files:compare", file_id, **{"from": 1, "to": 2})
        assert "This text holds 7 characters that nobody sees" in words_of(compared)
        assert "U+202E" in compared.content.decode()
        assert "\u202e" not in compared.content.decode()

    def test_SE_05_honest_uses_raise_no_alarm(self, bob, scope_id):
        file_id = a_file(scope_id, "👨‍👩‍👧 and 👍🏻\nשלום עולם\n", "USER.md")

        assert "that nobody sees" not in bob.read("files:detail", file_id)


class TestRawAndDownload:
    @pytest.mark.parametrize(
        "text", ["", "plain\n", "\ufeffmark\r\nand\rlone\n", "<script>alert(1)</script>", "日本語\n", "no end"]
    )
    def test_give_the_stored_bytes(self, bob, scope_id, text):
        file_id = a_file(scope_id, text)

        for address in ("files:raw", "files:download"):
            answer = bob.open(address, file_id)
            assert answer.content == text.encode()
            assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "sandbox" in answer.headers["Content-Security-Policy"]

    @pytest.mark.parametrize(
        ("path", "plain", "exact"),
        [
            ("notes.md", "notes.md", "notes.md"),
            ("folder/план+v2.md", "_____v2.md", "%D0%BF%D0%BB%D0%B0%D0%BD+v2.md"),
            ("50% готово.md", "50_ ______.md", "50%25%20%D0%B3%D0%BE%D1%82%D0%BE%D0%B2%D0%BE.md"),
            ('a"b;c.md', "a_b_c.md", "a%22b%3Bc.md"),
            ("<img src=x onerror=alert(1)>.md", "_img src_x onerror_alert_1__.md",
             "%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E.md"),
        ],
    )  # fmt: skip
    def test_DR_07_the_name_of_a_download_is_exact_and_safe(self, bob, scope_id, path, plain, exact):
        file_id = a_file(scope_id, path=path)

        header = bob.open("files:download", file_id).headers["Content-Disposition"]

        assert header == f"attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}"

    def test_a_version_can_be_kept_too(self, bob, scope_id):
        file_id = a_file(scope_id, "first\n")
        more_versions(file_id, "second\n")

        assert bob.open("files:version_download", file_id, 1).content == b"first\n"
        assert bob.open("files:version_download", file_id, 9).status_code == 404


class TestWhatIsNotText:
    def test_is_offered_to_keep_and_not_to_read(self, alice, imported):
        (file_id,) = imported(picture=b"\xff\xfe\x00rest")

        assert "This file is not text" in alice.read("files:detail", file_id)
        assert "This file is not text" in alice.read("files:source", file_id)
        assert alice.open("files:edit", file_id).status_code == 422
        answer = alice.open("files:download", file_id)
        assert answer.content == b"\xff\xfe\x00rest"
        assert answer.headers["Content-Type"] == "application/octet-stream"
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert alice.open("files:raw", file_id).headers["Content-Disposition"].startswith("attachment")


class TestQuarantine:
    def test_shows_the_secret_masked_everywhere(self, alice, imported):
        (file_id,) = imported(access=LEAKY)

        for address, query in (
            ("files:detail", {}), ("files:source", {}), ("files:history", {}), ("files:compare", {}),
            ("files:compare", {"view": "split"}),
        ):  # fmt: skip
            answer = alice.open(address, file_id, **query)
            assert SECRET not in answer.content.decode()
            assert "uarantine" in words_of(answer)
        for query in ({}, {"view": "source"}):
            answer = alice.open("files:version", file_id, 1, **query)
            assert SECRET not in answer.content.decode()
            assert "masked" in words_of(answer)
        assert SECRET not in alice.open("files:restore", file_id, 1).content.decode()

    def test_stays_over_the_old_version_when_a_later_one_is_clean(self, alice, bob, imported):
        (file_id,) = imported(agent="pilot", SOUL=LEAKY)
        more_versions(file_id, "clean\n")
        assert not MemoryFile.objects.get(pk=file_id).is_quarantined

        for address, ids, query in (
            ("files:version", [1], {}), ("files:version", [1], {"view": "source"}), ("files:compare", [], {}),
            ("files:compare", [], {"from": 2, "to": 1}), ("files:history", [], {}),
        ):  # fmt: skip
            assert SECRET not in bob.open(address, file_id, *ids, **query).content.decode()
        assert "uarantine" in bob.read("files:version", file_id, 1) and "uarantine" in bob.read(
            "files:compare", file_id
        )
        assert bob.open("files:version_download", file_id, 1).status_code == 403
        assert SECRET not in alice.open("files:restore", file_id, 1).content.decode()

    def test_ends_for_the_released_content_alone(self, alice, imported):
        (file_id,) = imported(access=LEAKY)
        imported(access=LEAKY + b"and the pin too\n")
        alice.send("files:release", file_id, base_seq=2)

        assert SECRET in alice.read("files:version", file_id, 2)
        assert SECRET not in alice.open("files:version", file_id, 1).content.decode()

    def test_its_bytes_leave_only_with_those_who_can_clean_it(self, alice, bob, imported):
        (file_id,) = imported(agent="pilot", SOUL=LEAKY)

        assert SECRET.encode() in alice.open("files:download", file_id).content
        for address in ("files:raw", "files:download"):
            assert bob.open(address, file_id).status_code == 403
        assert bob.open("files:version_download", file_id, 1).status_code == 403

    def test_ends_when_a_person_says_that_it_is_no_secret(self, alice, imported):
        (file_id,) = imported(access=LEAKY)

        alice.send("files:release", file_id, base_seq=1)

        assert SECRET in alice.read("files:detail", file_id)

    def test_is_not_ended_from_a_page_that_was_opened_before_a_change(self, alice, bob, imported):
        (file_id,) = imported(access=LEAKY)
        more_versions(file_id, LEAKY.decode() + "more\n")

        answer = alice.send("files:release", file_id, base_seq=1)

        assert answer.status_code == 409
        assert "You wanted to release it from quarantine." in words_of(answer)
        assert MemoryFile.objects.get(pk=file_id).is_quarantined

    def test_is_not_ended_by_readers_or_strangers_or_by_looking(self, alice, bob, carol, imported):
        (file_id,) = imported(agent="pilot", SOUL=LEAKY)

        assert bob.send("files:release", file_id, base_seq=1).status_code == 403
        assert carol.send("files:release", file_id, base_seq=1).status_code == 404
        assert alice.open("files:release", file_id).status_code == 405
        assert MemoryFile.objects.get(pk=file_id).is_quarantined


class TestDeleted:
    def test_shows_what_the_file_said_last_and_offers_to_restore_it(self, alice, scope_id):
        file_id = a_file(scope_id, "# Last words\n")
        files.delete(actor=OPERATOR, file_id=file_id, base_seq=1, note=files.Note(), now=NOW)

        answer = alice.open("files:detail", file_id)

        assert "This file was deleted" in words_of(answer)
        assert "Last words" in words_of(answer)
        assert reverse("files:restore", args=[file_id, 1]) in answer.content.decode()
        assert alice.open("files:edit", file_id).url == reverse("files:detail", args=[file_id])
