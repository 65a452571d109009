"""Names of files and words of people on every page: exact where they are honest, harmless where they are not."""

import re

import pytest
from django.urls import reverse

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.services import files, people, scopes
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR
from tests.web.visiting import form_of

HOSTILE = '"><script>alert(1)</script>'


@pytest.fixture
def scope_id(cast) -> int:
    return a_scope(cast)


def listed(scope_id: int) -> list[str]:
    return [file.path for file in files.listing(actor=OPERATOR, scope_id=scope_id).files]


AWKWARD = (
    "план релиза+v2.md", "50% готово.md", "a=b&c.md", "ё.md", "c#-guide.md", "что?.md", "..md", "CON.md", "a;b/c d.md",
)  # fmt: skip


@pytest.mark.parametrize("path", AWKWARD)
def test_ST_04_an_awkward_name_works_in_every_step(bob, scope_id, path):
    """ST-04: create, open, edit, history, diff, restore, download, find by name, delete; the bytes come back."""
    created = bob.send("files:create", scope_id, path=path, text="один\nдва\n")
    file_id = int(created.url.split("/")[2])
    edited = form_of(bob.open("files:edit", file_id)) | {"text": "один\nтри\n"}
    assert bob.send("files:edit", file_id, **edited).status_code == 302

    for address in ("files:detail", "files:source", "files:history", "files:compare", "files:edit", "files:rename"):
        assert path in bob.read(address, file_id)
    assert path in bob.read("scopes:detail", scope_id)
    page = bob.open("scopes:detail", scope_id).content.decode()
    assert reverse("files:detail", args=[file_id]) in page
    assert bob.open("scopes:at", scope_id, path).url == reverse("files:detail", args=[file_id])
    assert bob.open("files:download", file_id).content == "один\nтри\n".encode()
    assert bob.send("files:restore", file_id, 1, base_seq=2, path="").status_code == 302
    assert bob.open("files:raw", file_id).content == "один\nдва\n".encode()
    assert bob.send("files:delete", file_id, base_seq=3).status_code == 302
    assert path in bob.read("scopes:at", scope_id, path)


ESCAPING = (
    "../USER.md", "..%2fUSER.md", "%2e%2e/USER.md", "a/../../b.md", "/etc/passwd", "C:\\x", "C:/x", "..\\x", "x\0.md",
    "./MEMORY.md", "notes//x.md", "x" * 300 + ".md", "a\nb.md", "a\r\nSet-Cookie: x=1.md", "tail/", "",
    "\u202egpj.md", "e\u0301.md",
)  # fmt: skip


@pytest.mark.parametrize("path", ESCAPING)
def test_SE_04_a_name_that_could_lead_out_of_its_scope_is_refused_with_a_reason(bob, scope_id, path):
    """SE-04: by create and by rename; nothing is written, the text stays."""
    file_id = a_file(scope_id, path="here.md")

    created = bob.client.post(reverse("files:create", args=[scope_id]), {"path": path, "text": "kept\n"})
    renamed = bob.client.post(reverse("files:rename", args=[file_id]), {"path": path, "base_seq": 1})

    for answer in (created, renamed):
        assert answer.status_code == 422
        assert answer.context["form"].errors["path"]
    assert form_of(created)["text"] == "kept\n"
    assert listed(scope_id) == ["here.md"]


@pytest.mark.parametrize("path", ["CON.md", "..md", "a b.md", "~.md", "%41.md", "x.md."])
def test_SE_04_a_harmless_name_is_kept_exactly_inside_its_scope(bob, scope_id, path):
    bob.client.post(reverse("files:create", args=[scope_id]), {"path": path, "text": "x"})

    assert listed(scope_id) == [path]


class TestWordsOfPeople:
    """DR-07: names and notes are escaped wherever they are printed."""

    @pytest.fixture
    def hostile(self, cast, scope_id) -> int:
        fields = people.PersonFields(name=f"Bob {HOSTILE}", login="bob")
        people.edit(actor=OPERATOR, person_id=cast.bob, fields=fields, now=NOW)
        words = {"name": f"Harbour {HOSTILE}", "description": HOSTILE}
        scopes.edit_project(actor=OPERATOR, project_id=cast.project, now=NOW, **words)
        scopes.edit_agent(actor=OPERATOR, project_id=cast.project, slug=cast.agent, now=NOW, **words)
        note = files.Note(reason=f"note {HOSTILE}")
        saved = files.create(
            actor=cast.actor(cast.bob), scope_id=scope_id, path="<img src=x onerror=alert(1)>.md", text="x\n",
            note=note, now=NOW,
        )  # fmt: skip
        files.save(
            actor=cast.actor(cast.bob), file_id=saved.file_id, text="y\n", base_seq=1, note=note, now=NOW
        )  # fmt: skip
        return saved.file_id

    def pages(self, cast, file_id: int, scope_id: int) -> list[str]:
        names = ["detail", "source", "history", "compare", "edit", "rename", "delete"]
        return [
            *(reverse(f"files:{name}", args=[file_id]) for name in names),
            *(reverse(f"files:{name}", args=[file_id, 1]) for name in ("version", "restore")),
            reverse("scopes:detail", args=[scope_id]),
            reverse("files:create", args=[scope_id]),
            reverse("home"),
            reverse("audit:list"),
            reverse("projects:list"),
            reverse("projects:list") + f"?q={HOSTILE}",
            *(reverse(f"projects:{name}", args=[cast.project]) for name in ("detail", "edit", "archive")),
            reverse("projects:remove_member", args=[cast.project, cast.bob]),
            reverse("agents:list"),
            *(reverse(f"agents:{name}", args=[cast.project, cast.agent]) for name in ("detail", "edit", "archive")),
            reverse("people:list"),
            reverse("people:detail", args=[cast.bob]),
        ]

    def test_DR_07_are_text_on_every_page(self, alice, cast, hostile, scope_id):
        for address in self.pages(cast, hostile, scope_id):
            page = alice.client.get(address).content.decode()
            assert "alert(1)" in page, address
            assert "<script>alert" not in page, address
            assert not re.search(r"<img[^>]*onerror", page), address

    def test_DR_07_a_flash_text_and_a_refusal_are_text_too(self, alice, cast, hostile, scope_id):
        refused = alice.send("files:create", scope_id, path=f"../{HOSTILE}", text=HOSTILE)

        assert refused.status_code == 422
        assert "<script>alert" not in refused.content.decode()
        assert form_of(refused)["text"] == HOSTILE
        assert form_of(refused)["path"] == f"../{HOSTILE}"

    def test_DR_07_a_title_is_text(self, alice, hostile):
        page = alice.open("files:detail", hostile).content.decode()

        assert "<title>&lt;img src=x onerror=alert(1)&gt;.md · memoryadmin</title>" in page

    def test_a_member_who_left_is_still_named_in_what_they_wrote(self, alice, cast, scope_id):
        file_id = a_file(scope_id, actor=cast.actor(cast.bob))
        scopes.set_member(
            actor=OPERATOR, project_id=cast.project, person_id=cast.carol, role=ProjectRole.MEMBER, now=NOW
        )
        scopes.remove_member(actor=OPERATOR, project_id=cast.project, person_id=cast.bob, now=NOW)

        assert "Person: Bob" in alice.read("files:history", file_id)
