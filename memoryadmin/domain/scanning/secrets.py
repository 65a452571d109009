"""Secrets in a text: tokens known by their form, key blocks, and values whose names give them away.

Knows the names in several languages, in code, tables, JSON and prose. A name without a value, or with a
placeholder, is no finding. Source: case SE-03.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest

from memoryadmin.domain.scanning.findings import Finding, Span, located
from memoryadmin.domain.scanning.named_values import named_values
from memoryadmin.domain.scanning.values import is_filler, is_password, is_placeholder, is_random

_RUN_START = r"(?:(?<![\w-])|(?<=\\[nrt]))"  # in JSON, what follows an escaped line end is a start too


def _is_token(value: str) -> bool:
    return any(character.isdigit() for character in value) and not is_filler(value)


def _is_login(value: str) -> bool:
    return is_password(value, is_certain=False)


def _is_url_password(value: str) -> bool:
    return not is_placeholder(value)


_SERVICE_TOKENS = (
    r"hf_[A-Za-z0-9]{30,64}|npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{40,512}|SG\.[\w-]{16,32}\.[\w-]{16,64}|"
    r"do[opr]_v1_[a-f0-9]{64}|gsk_[A-Za-z0-9]{40,64}|xai-[A-Za-z0-9]{40,128}|lin_api_[A-Za-z0-9]{32,64}|"
    r"ntn_[A-Za-z0-9]{40,64}|tvly-[\w-]{20,64}|y[0-3]_[\w-]{50,80}|AQVN[\w-]{30,45}"
)
_BEARER = r"(?i)(?<![a-z])bearer[ \t]{1,4}(?P<value>[\w.~+/=-]{8,4096}+)"
_AUTHORIZATION = (
    r"(?i)authorization[\"'\\]{0,3}[ \t]?[:=][ \t]?[\"'\\]{0,3}(?:basic|token)[ \t]{1,4}"
    r"(?P<value>[\w.~+/=-]{8,4096}+)"
)

# Forms that say by themselves what they are, and what tells a real one from an example. A group `value`
# narrows what is masked.
_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = tuple(
    (kind, re.compile(pattern), is_real)
    for kind, pattern, is_real in (
        ("aws_access_key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])", _is_token),
        ("github_token", r"gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_\w{22,255}", _is_token),
        ("gitlab_token", r"gl(?:pat|dt|rt|ptt|soat|cbt)-[\w-]{20,255}", _is_token),
        ("slack_token", r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,255}", _is_token),
        (
            "slack_webhook",
            r"hooks\.slack\.com/(?:services|workflows)/(?P<value>[A-Za-z0-9/]{20,255})",
            _is_token,
        ),
        ("stripe_key", r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9]{20,255}", _is_token),
        ("google_key", r"AIza[\w-]{30,45}|GOCSPX-[\w-]{20,64}|ya29\.[\w-]{20,1024}", _is_token),
        ("anthropic_key", _RUN_START + r"sk-ant-[\w-]{16,255}", _is_token),
        ("openai_key", _RUN_START + r"sk-(?!ant-)[\w-]{20,255}", is_random),
        ("telegram_token", r"(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])", _is_token),
        ("service_token", _SERVICE_TOKENS, _is_token),
        ("jwt", _RUN_START + r"eyJ[\w-]{8,}+\.eyJ[\w-]{4,}+\.[\w-]{4,}+", _is_token),
        ("bearer_token", _BEARER, _is_token),
        ("bearer_token", _AUTHORIZATION, _is_token),
        (
            "connection_string",
            r"://[^\s:/@\"'<>`]{0,128}:(?P<value>[^\s/\"'<>`]{1,256})@(?=[\w\[.-])",
            _is_url_password,
        ),
        ("password", r"(?<!\S)(?:-u|--user)[ =][\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"'/]{4,128})", _is_login),
    )
)

_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_TEXT = re.compile(r"[A-Za-z0-9+/=]{16}")
_KEY_LINES = re.compile(r"[A-Za-z0-9+/=]{20,}+(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{20,}+){0,400}")
_MAX_KEY_CHARS = 20_000


def find_secrets(text: str) -> tuple[Finding, ...]:
    """Return the secrets in `text`, in order and without overlap.

    Kinds: the known forms (`github_token`, `jwt`, …), `private_key`, `password`, `assigned_secret`.
    """
    # A form says more than a name, so it is given first and wins where both begin.
    spans = [*_forms(text), *_key_blocks(text), *named_values(text)]
    return located(text, spans, _first_two)


def new_findings(base: str, text: str) -> tuple[Finding, ...]:
    """Return the secrets of `text` that `base` does not hold already, wherever in it they stand."""
    known = Counter((finding.kind, base[finding.start : finding.end]) for finding in find_secrets(base))
    new: list[Finding] = []
    for finding in find_secrets(text):
        secret = (finding.kind, text[finding.start : finding.end])
        if known[secret]:
            known[secret] -= 1
        else:
            new.append(finding)
    return tuple(new)


def _forms(text: str) -> Iterator[Span]:
    for kind, pattern, is_real in _FORMS:
        group = "value" if "value" in pattern.groupindex else 0
        for match in pattern.finditer(text):
            if is_real(match[group]):
                yield Span(kind, *match.span(group))


def _key_blocks(text: str) -> Iterator[Span]:
    """Yield private key blocks; a beginning without an end counts when key text follows it."""
    begins = list(_KEY_BEGIN.finditer(text))
    for begin, following in zip_longest(begins, begins[1:]):
        stop = begin.end() + _MAX_KEY_CHARS
        end = _KEY_END.search(text, begin.end(), min(stop, following.start()) if following else stop)
        if end is not None:
            if _KEY_TEXT.search(text, begin.end(), end.start()):
                yield Span("private_key", begin.start(), end.end())
        elif body := _KEY_LINES.match(text, _after_break(text, begin.end())):
            yield Span("private_key", begin.start(), body.end())


def _after_break(text: str, position: int) -> int:
    """Return where the line after `position` begins; JSON writes its end as a backslash and a letter."""
    while text[position : position + 1].isspace() or text[position : position + 2] in {"\\n", "\\r"}:
        position += 2 if text[position] == "\\" else 1
    return position


def _first_two(secret: str) -> str:
    """Return two characters of a secret that is long enough not to miss them; none of a key block."""
    return f"{secret[:2]}…" if len(secret) >= 12 and not secret.startswith("-") else ""
