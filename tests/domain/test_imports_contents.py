"""IE-04: texts in other encodings are recognised and asked about; images and NUL are no text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryadmin.domain.imports import Content, ContentKind, judge

RUSSIAN = "Заметки о релизе: проверить платежи, позвонить Ольге и обновить план.\n" * 3
FRENCH = "Après le déjeuner, le café est fermé ; « à bientôt » dit-elle.\n"
TEXT = Content(ContentKind.TEXT, "utf-8")


class TestJudge:
    @pytest.mark.parametrize(
        "content",
        [b"", RUSSIAN.encode(), b"\xef\xbb\xbf# Title", b"one\r\ntwo\nthree\rfour", b"GIF8 is a format", b"\x1b[31m"],
    )
    def test_utf_8_is_text_as_it_is(self, content):
        assert judge(content) == TEXT

    @pytest.mark.parametrize(
        ("text", "encoding", "guess"),
        [
            (RUSSIAN, "cp1251", "cp1251"),
            (RUSSIAN, "koi8-r", "koi8-r"),
            (RUSSIAN, "cp866", "cp866"),
            (FRENCH, "cp1252", "cp1252"),
            (RUSSIAN, "utf-16", "utf-16"),
            ("\ufeff" + RUSSIAN, "utf-16-be", "utf-16"),
            (RUSSIAN, "utf-16-le", "utf-16-le"),
            ("plain words\n", "utf-16-be", "utf-16-be"),
        ],
    )
    def test_IE_04_another_encoding_is_recognised(self, text, encoding, guess):
        content = judge(text.encode(encoding))
        assert content == Content(ContentKind.OTHER_ENCODING, guess)
        assert text.encode(encoding).decode(content.encoding).removeprefix("\ufeff") == text.removeprefix("\ufeff")

    @pytest.mark.parametrize(
        "content",
        [
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
            b"\xff\xd8\xff\xe0JFIF\xff",
            b"PK\x03\x04\xff\xff",
            b"text\x00with NUL",
            b"\x00" * 40,
            b"a\x00" + b"\xd8\x00\xdf" * 20 + b"\xff",
        ],
    )
    def test_IE_04_images_and_NUL_are_no_text(self, content):
        assert judge(content) == Content(ContentKind.BINARY)

    @pytest.mark.parametrize("content", [b"\x91\x92" * 50, bytes(range(0x80, 0x100)) * 2, b"abc\x81\x8d\x8f\x90"])
    def test_what_nothing_recognises_is_said_to_be_unknown(self, content):
        assert judge(content) == Content(ContentKind.UNKNOWN)

    @given(st.text())
    def test_every_text_without_NUL_is_taken_as_it_is(self, text):
        if "\0" not in text:
            assert judge(text.encode()) == TEXT

    @given(st.binary())
    def test_nothing_is_text_that_is_not_utf_8(self, content):
        if judge(content).kind is ContentKind.TEXT:
            assert "\0" not in content.decode()
