"""What the bytes of a file are: text as it is kept here, text in another encoding, or no text at all."""

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum

_LOOKED_AT_BYTES = 65_536  # a guess needs no more, and must not cost more on a huge file
_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"RIFF")
_CYRILLIC_ENCODINGS = ("cp1251", "koi8-r", "cp866")
_ENOUGH = 0.6
_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_WESTERN_SIGNS = "€‚„…–—‘’“”•«»°§©®\xa0"


class ContentKind(StrEnum):
    """What can be done with the bytes."""

    TEXT = "text"  # UTF-8 without NUL: taken as it is
    OTHER_ENCODING = "other_encoding"  # text, as it seems, but not in UTF-8: a person is asked
    BINARY = "binary"  # holds NUL, or begins as images and archives do: refused
    UNKNOWN = "unknown"  # not UTF-8, and nothing that was recognised: refused


@dataclass(frozen=True, slots=True)
class Content:
    """The kind, and for text the name of its encoding, which is a guess unless the kind is TEXT."""

    kind: ContentKind
    encoding: str = ""


def judge(content: bytes) -> Content:
    """Return what `content` is; a guess is only named, never used to decode. Source: case IE-04."""
    sample = content[:_LOOKED_AT_BYTES]
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Content(ContentKind.OTHER_ENCODING, "utf-16")
    if b"\0" in content:
        encoding = _utf_16(sample)
        return Content(ContentKind.OTHER_ENCODING, encoding) if encoding else Content(ContentKind.BINARY)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _other_encoding(sample)
    return Content(ContentKind.TEXT, "utf-8")


def _utf_16(sample: bytes) -> str:
    """Return the byte order of UTF-16 without a mark, or nothing: its NULs all stand on one side of the pairs."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if min(even, odd) or 20 * max(even, odd) < len(sample) // 2:
        return ""
    encoding = "utf-16-le" if odd else "utf-16-be"
    text = sample.decode(encoding, "replace")
    readable = sum(character.isprintable() or character.isspace() for character in text)
    return encoding if "\ufffd" not in text and readable >= 0.95 * len(text) else ""


def _other_encoding(sample: bytes) -> Content:
    if sample.startswith(_SIGNATURES):
        return Content(ContentKind.BINARY)
    if _is_western(sample):
        return Content(ContentKind.OTHER_ENCODING, "cp1252")
    shares = {encoding: _cyrillic_share(sample, encoding) for encoding in _CYRILLIC_ENCODINGS}
    best = max(shares, key=lambda encoding: shares[encoding])
    if shares[best] >= _ENOUGH:
        return Content(ContentKind.OTHER_ENCODING, best)
    return Content(ContentKind.UNKNOWN)


def _cyrillic_share(sample: bytes, encoding: str) -> float:
    """Return which part of the bytes above ASCII reads as small Cyrillic letters, as most of a real text does."""
    letters = bytes(byte for byte in sample if byte >= 0x80).decode(encoding, "replace")
    return sum("а" <= letter <= "я" or letter == "ё" for letter in letters) / len(letters)


def _is_western(sample: bytes) -> bool:
    """Return whether the bytes above ASCII stand alone between others and read as western letters and signs."""
    runs = _HIGH_BYTES.findall(sample)
    high = b"".join(runs)
    letters = high.decode("cp1252", "replace")
    readable = sum(letter.isalpha() or letter in _WESTERN_SIGNS for letter in letters)
    return len(high) < 1.5 * len(runs) and readable >= 0.9 * len(high)
