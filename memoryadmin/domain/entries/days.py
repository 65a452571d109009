"""Dates as people write them into notes."""

import re
from datetime import date

_FORMS = (
    re.compile(r"(?<![0-9])(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})(?![0-9])"),
    re.compile(r"(?<![0-9])(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})(?![0-9])"),
    re.compile(r"(?<![0-9])(?P<year>[0-9]{4})\s?年\s?(?P<month>[0-9]{1,2})\s?月\s?(?P<day>[0-9]{1,2})\s?日"),
    re.compile(r"(?<![0-9])(?P<year>[0-9]{4})/(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})(?![0-9])"),
)


def first_day(text: str) -> date | None:
    """Return the first calendar day written in `text` with its year, or None.

    >>> first_day("Встреча 07.02.2026, перенесена").isoformat()
    '2026-02-07'
    """
    found = sorted((match for form in _FORMS for match in form.finditer(text)), key=lambda match: match.start())
    for match in found:
        try:
            return date(int(match["year"]), int(match["month"]), int(match["day"]))
        except ValueError:  # 31.02.2026 looks like a day and is none
            continue
    return None
