"""Stored bytes as an answer: as text to look at, or as a file to keep under its own name.

The bytes are those of the ledger, whatever they are, so the browser is told never to guess what they could be.
"""

from urllib.parse import quote

from django.http import HttpResponse

# RFC 5987 `attr-char`: what may stand in an extended value unquoted, beside letters and digits.
_ATTRIBUTE_CHARACTERS = "!#$&+-.^_`|~"


def text_answer(content: bytes, path: str, *, is_text: bool, is_download: bool) -> HttpResponse:
    """Return `content` as plain text in UTF-8, or as unnamed bytes when it is not text."""
    content_type = "text/plain; charset=utf-8" if is_text else "application/octet-stream"
    answer = HttpResponse(content, content_type=content_type)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Disposition"] = disposition(path, is_download=is_download or not is_text)
    # Whoever opens it in a window of its own gets no script, no frame and no form of ours.
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


def disposition(path: str, *, is_download: bool) -> str:
    """Return the header that names the file after the last part of `path`, in any alphabet.

    Both forms are given: a plain one whose other signs are underscores, and the exact one of RFC 6266.
    """
    name = path.rpartition("/")[2]
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._- ") else "_" for sign in name)
    kind = "attachment" if is_download else "inline"
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe=_ATTRIBUTE_CHARACTERS)}"
