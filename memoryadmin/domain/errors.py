"""Errors that a caller can act on, each with a code that never changes.

Raised by domain and services; the interfaces own one table from error to answer. None of them knows HTTP, and none
carries memory text in its message: text that must reach the person again travels in named attributes.
"""


class MemoryAdminError(Exception):
    """Base of every expected failure.

    `code` is stable and may be shown to machines; `field` names the input at fault, or is empty.
    """

    code = "error"

    def __init__(self, message: str = "", *, field: str = "") -> None:
        super().__init__(message or self.code)
        self.field = field


class ScopeIncompleteError(MemoryAdminError):
    """A scope was asked for without an id it needs, or with an id that could widen it."""

    code = "scope_incomplete"


class NotVisibleError(MemoryAdminError):
    """The thing does not exist, or this actor must not learn that it does."""

    code = "not_found"


class NotAllowedError(MemoryAdminError):
    """The actor may see the thing but not do this to it."""

    code = "not_allowed"


class InvalidFieldError(MemoryAdminError):
    """A value was refused; `field` says which, the message says why."""

    code = "invalid_field"


class PathRefusedError(InvalidFieldError):
    """A file name could leave its scope or could not be shown or stored; `reason` is a code for why."""

    code = "path_refused"

    def __init__(self, message: str = "", *, field: str = "", reason: str = "") -> None:
        super().__init__(message, field=field)
        self.reason = reason


class TooLargeError(MemoryAdminError):
    """A text is over the hard limit; both sizes are in bytes."""

    code = "too_large"

    def __init__(self, *, size_bytes: int, limit_bytes: int, field: str = "text") -> None:
        super().__init__(f"{size_bytes} bytes, the limit is {limit_bytes}", field=field)
        self.size_bytes = size_bytes
        self.limit_bytes = limit_bytes


class NotTextError(MemoryAdminError):
    """The bytes are not UTF-8 text, or hold NUL."""

    code = "not_text"


class AlreadyExistsError(MemoryAdminError):
    """Another live thing has this name."""

    code = "already_exists"
