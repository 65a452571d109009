"""What a value after a telling name can be: a placeholder, plain words, a password, a random key.

Used by the secret rules. Every function sees one short value (at most a few hundred characters).
"""

import math
import re
from collections import Counter

# What stands for a secret: brackets and variables, look-ups in code, words of templates, filling.
_PLACEHOLDERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^[<\[{(]|^%\w+%$|^%\(|^@\w+@$|^\\?\$(?:[{(]|[A-Z_][A-Z0-9_]*$)",
        r"^(?:process\.env|os\.|env[.:(]|import\.meta|secrets?\.|vault:|op://|keychain|getenv|file:)",
        r"^(?:self|this|req|request|config|settings|ctx|args|props|user|data|options|params|credentials|form|"
        r"body|opts|payload)[.\[?]",
        r"(?:^|[\W_])(?:your|example|sample|dummy|fake|placeholder|redacted|masked|insert|replace|change|todo|"
        r"tbd|here|заглушка|ваш|твой|пример)(?:$|[\W_])",
        r"^your|changeme|x{4}|\*{3}|\.{3}|…|•{2}|_{4}|-{4}",
    )
)
_ENVIRONMENT_NAME = re.compile(r"\$?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_TELLING_WORDS = re.compile(
    r"(?i)pass(?:word|wd|phrase)?|pwd|secret|token|key|api|access|private|bearer|auth|user(?:name)?|пароль|секрет|"
    r"токен|ключ|my|мой|test|new|old|db|app|[\W_]"
)
_NAME_OF_A_SECRET = re.compile(r"(?i)password|passwd|secret|token|пароль")
_FILLER_WORDS = re.compile(
    r"(?i)(?:^|[-_])(?:your|example|placeholder|redacted|dummy|here|insert)(?:[-_]|$)|x{4}|\.{3}|…"
)
# What else can stand there: a date or version, an amount, an address or file, a piece of code, a pair.
_OTHER_THINGS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^v?\d+(?:[.:/T_-]\d+)+[\w+]{0,6}$",
        r"^\d{1,5}\+?(?:[-–][^\W\d]+|px|m?s|min|h|d|[kmg]i?b|chars?|days?|ч|мин|дн\w*|симв\w*|%)?\+?$",
        r"^(?:\.{0,2}|~)/|://|@[\w-]+(?:\.[\w-]+)+$",
        r"\.(?:md|json|ya?ml|txt|env|py|[jt]sx?|sh|toml|pem|key|ini|cfg|conf|log|csv|html?|sql|go|rs)$",
        r"\w\(|\)\.|=>|&&|\|\||::|==|\w=\w",
        r"^[a-z_]\w*(?:\.[A-Za-z_]\w*)+$",
    )
)
_KEY_CHARACTERS = re.compile(r"[\w./+=:~-]+", re.ASCII)
_WORD = re.compile(r"[A-Z]?[a-z]+\d?|[A-Z]+")
# What people write where a password would stand.
_WORDS_FOR_NO_PASSWORD = frozenset((
    "string", "str", "text", "bytes", "required", "optional", "none", "null", "nil", "undefined",
    "true", "false", "hidden", "unknown", "unset", "empty", "missing", "invalid", "wrong", "expired",
    "changed", "unchanged", "incorrect", "correct", "encrypted", "hashed", "plaintext", "plain",
    "default", "object", "number", "integer", "varchar", "boolean", "protected", "disabled", "enabled",
    "forgotten", "forgot", "reset", "update", "create", "delete", "generated", "секретный",
    "неизвестен", "неизвестно", "отсутствует", "скрыт", "изменён", "изменен", "сменён", "сменен",
    "забыт", "утерян",
))  # fmt: skip


def is_filler(value: str) -> bool:
    """Return whether a string in the form of a key only shows that form: `sk-xxxx…`, `ghp_your_token`."""
    return len(set(value)) <= max(4, len(value) // 12) or _FILLER_WORDS.search(value) is not None


def is_placeholder(value: str) -> bool:
    """Return whether `value` only stands for a secret: `<token>`, `${VAR}`, `your-key-here`, `xxxx`."""
    if len(set(value)) <= 2 and not value.isdigit():
        return True
    if _ENVIRONMENT_NAME.fullmatch(value) or any(form.search(value) for form in _PLACEHOLDERS):
        return True
    return _TELLING_WORDS.sub("", value) == ""


def is_password(value: str, *, is_certain: bool) -> bool:
    """Return whether `value` reads as a password, not as the next word of a sentence or a piece of code.

    `is_certain` says that it stands in quotes or directly after an equals sign, where plain words count too.
    """
    if not 4 <= len(value) <= 128 or is_placeholder(value) or _is_other_thing(value):
        return False
    if value.isdigit():
        return is_certain or len(value) >= 6
    has_letter = any(character.isalpha() for character in value)
    has_digit = any(character.isdigit() for character in value)
    has_sign = any(character in "!@#$%^&*+=?~" for character in value.rstrip("!?*"))
    if has_letter + has_digit + has_sign >= 2:
        return True
    if not has_letter or not is_certain or len(value) < 6:
        return False
    return value.casefold() not in _WORDS_FOR_NO_PASSWORD and _NAME_OF_A_SECRET.search(value) is None


def is_random(value: str) -> bool:
    """Return whether `value` reads as a generated key: long, mixed, and no list of words or numbers."""
    if not 16 <= len(value) <= 512 or _KEY_CHARACTERS.fullmatch(value) is None:
        return False
    if is_placeholder(value) or _is_other_thing(value):
        return False
    if not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value)):
        return False
    parts = [part for part in re.split(r"[-_./:=+~]", value) if part]
    if all(part.isdigit() or _WORD.fullmatch(part) for part in parts):
        return False
    return _entropy_bits(value) >= 3.0


def _is_other_thing(value: str) -> bool:
    return not value.isdigit() and any(form.search(value) for form in _OTHER_THINGS)


def _entropy_bits(value: str) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
