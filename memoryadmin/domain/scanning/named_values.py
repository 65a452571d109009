"""Values that stand after a name that gives them away: `password=…`, `пароль от базы: …`, "the api key is …".

Used by `secrets`. A name is found first; what follows it is matched at that place only, within a bounded
window.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from memoryadmin.domain.scanning.findings import Span
from memoryadmin.domain.scanning.values import is_password, is_random

# Words for a password, in the languages people keep memory in.
_PASSWORD_NAMES = (
    "password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "mot de passe", "contraseña",
    "senha", "parola", "şifre", "mật khẩu", "heslo", "hasło",
    "пароль", "пароля", "паролем", "пассворд", "пасворд",
    "كلمة المرور", "كلمة السر", "كلمه السر", "الرقم السري", "סיסמה",
    "密码", "密碼", "口令", "パスワード", "비밀번호",
)  # fmt: skip
# Too short to trust: they count only as whole words and before a value that no sentence holds.
_SHORT_NAMES = ("pass", "pwd", "pw", "psw", "пасс")
_KEY_NAMES = (
    "secret", "token", "api key", "api-key", "api_key", "apikey", "access key", "access-key", "access_key",
    "accesskey", "secret key", "private key", "private_key", "privatekey", "auth key", "auth_key", "authkey",
    "encryption key", "encryption_key", "signing key", "signing_key", "credential", "секрет", "токен", "ключ",
    "رمز الوصول", "مفتاح", "密钥", "密鑰", "令牌", "トークン", "토큰",
)  # fmt: skip

# What a longer name speaks of instead of the secret itself: `token_limit`, `password_hash`, `secret-name`.
_ABOUT = re.compile(
    r"(?i)[\w-]{0,24}?(?:id|ids|name|count|limit|limits|type|ur[il]|file|path|dir|length|size|usage|budget|hash|hint|"
    r"policy|field|expir\w{0,10}|ttl|age|less|reset|manager|store|ref|arn|index|version|env)(?![a-z])"
)
_REST = r"[A-Za-z0-9а-яё_-]{0,32}+"

_ASSIGNED = re.compile(_REST + r"[\\\"'`*_)»]{0,4}[ \t]{0,3}(?P<sign>:=|=>|={1,3}|[:：]|\|)[ \t]{0,8}\*{0,2}[ \t]?")
_SAID = re.compile(
    _REST
    + r"\*{0,2}(?:[ \t]{1,3}(?:[\w()«»\"'/@-]|\.(?=\w)){1,30}){0,6}?[ \t]{0,3}"
    + r"(?P<sign>[:：=—–]|[ \t]-|\b(?:is|was|are|это|будет|теперь|стал[аио]?|есть|lautet|ist|es|est)\b"
    + r"|\b(?:هو|هي)\b|是|为|は)"
    + r"[ \t]{0,3}\*{0,2}"
)
_BARE = r"[^\s\"'`<>|;&«»“”\\]"
_VALUE = re.compile(
    r"(?P<open>\\{0,3}[\"'`])(?P<quoted>(?:(?!(?P=open))[^\n]){1,256})(?P=open)"
    + r"|[«“](?P<curly>[^«»“”\n]{1,256})[»”]"
    # An ampersand may be part of a password; before another name and an equals sign it ends a query's part.
    + rf"|(?P<bare>{_BARE}{{1,512}}+(?:&(?!\w{{1,32}}=){_BARE}{{0,128}}+){{0,4}})"
)
_BESIDE = re.compile(r"\*{0,2}[ \t]{1,3}\*{0,2}(?=[^\s]{6,512})")
_MIXED = (r"\d", "[A-ZА-Я]", "[a-zа-я]")  # no sign, no quotes: only what no word of a sentence looks like
_TRAILING = ".,?:)]}*_。，"


def named_values(text: str) -> Iterator[Span]:
    """Yield the values in `text` that stand after a name for a password or a key."""
    folded = text.lower()
    present = tuple(name for name in (*_PASSWORD_NAMES, *_SHORT_NAMES, *_KEY_NAMES) if name in folded)
    if not present:
        return
    for name in _names(present).finditer(text):
        span = _value_of(text, name)
        if span is not None:
            yield span


@lru_cache(maxsize=256)
def _names(present: tuple[str, ...]) -> re.Pattern[str]:
    groups = {
        "password": [re.escape(name) for name in present if name in _PASSWORD_NAMES],
        "short": [rf"(?<![^\W_]){name}(?![^\W_])" for name in present if name in _SHORT_NAMES],
        "key": [re.escape(name) for name in sorted(present, key=len, reverse=True) if name in _KEY_NAMES],
    }
    return re.compile("|".join(f"(?P<{kind}>{'|'.join(names)})" for kind, names in groups.items() if names), re.I)


def _value_of(text: str, name: re.Match[str]) -> Span | None:
    if _ABOUT.match(text, name.end()):
        return None
    kind = str(name.lastgroup)
    assigned = _ASSIGNED.match(text, name.end())
    if assigned is not None and not (assigned["sign"] == "|" and kind == "short"):
        found = _read(text, assigned.end(), kind, assigned["sign"])
        if found is not None:
            return found
    if kind == "short":
        return None
    beside = _BESIDE.match(text, name.end())
    found = _read(text, beside.end(), kind, " ") if beside else None
    said = _SAID.match(text, name.end())
    return found or (_read(text, said.end(), kind, "") if said else None)


def _read(text: str, position: int, kind: str, sign: str) -> Span | None:
    """Return the value at `position` when it reads as a secret of this kind of name."""
    value = _VALUE.match(text, position)
    if value is None:
        return None
    group = str(value.lastgroup)
    start, end = value.span(group)
    if group == "bare":
        end = start + len(value[group].rstrip(_TRAILING))
    read = text[start:end]
    if kind == "key":
        return Span("assigned_secret", start, end) if is_random(read) else None
    if sign == " " and not all(re.search(characters, read) for characters in _MIXED):
        return None
    is_certain = kind == "password" and sign != "|" and (group != "bare" or sign in {"=", ":=", "=>"})
    return Span("password", start, end) if is_password(read, is_certain=is_certain) else None
