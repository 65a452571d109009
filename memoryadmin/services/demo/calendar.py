"""Times of the demo: working days before the day of loading, so that its history is always a few weeks old.

Called by `company`, which reads moments, and by `loading`, which places them and fills the dates into texts.
Working days, so that nobody climbs a tower on a Sunday whatever the day of loading.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import dateformat, translation

from memoryadmin.domain.errors import InvalidFieldError

_DAYS = re.compile(r"(\d+)d (\d\d:\d\d)")
_HOURS = re.compile(r"(\d+)h")
# `{12d}` in a text or a name: the date 12 working days before; `{-8d ru}` lies ahead, in Russian words.
_DATE = re.compile(r"\{(-?\d+)d(?: (en|ru))?\}")
_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of day some working days before loading; without a time, `hours` before loading."""

    days: int = 0
    time_of_day: time | None = None
    hours: int = 0


def moment(written: str) -> Moment:
    """Return the moment that `41d 09:12` or `3h` means.

    :raises InvalidFieldError: it is written in another way.
    """
    if found := _DAYS.fullmatch(written):
        return Moment(days=int(found[1]), time_of_day=time.fromisoformat(found[2]))
    if found := _HOURS.fullmatch(written):
        return Moment(hours=int(found[1]))
    raise InvalidFieldError(f"{written!r} is no moment of the demo", field="at")


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days around `now`, which is aware and in the time zone that the demo's clock times are told in."""

    now: datetime

    def day(self, before: int) -> date:
        """Return the date `before` working days ago, ahead if negative; 0 is today, on a weekend Friday."""
        found = self.now.date()
        while found.weekday() >= _SATURDAY:
            found -= timedelta(days=1)
        step = timedelta(days=-1 if before > 0 else 1)
        for _ in range(abs(before)):
            found += step
            while found.weekday() >= _SATURDAY:
                found += step
        return found

    def at(self, when: Moment) -> datetime:
        """Return when that was."""
        if when.time_of_day is None:
            return self.now - timedelta(hours=when.hours)
        return datetime.combine(self.day(when.days), when.time_of_day, tzinfo=self.now.tzinfo)

    def fill(self, text: str) -> str:
        """Return `text` with every `{12d}` as a date: ISO, or day and month in words with `en` or `ru`."""
        return _DATE.sub(lambda found: self._written(self.day(int(found[1])), found[2]), text)

    def _written(self, day: date, language: str | None) -> str:
        if language is None:
            return day.isoformat()
        with translation.override(language):
            return dateformat.format(day, "j E")
