"""One bullet: which form it has, and what its marks say. The first form of the table that fits is the one."""

import re
from collections.abc import Callable
from datetime import date

from memoryadmin.domain.entries.days import first_day
from memoryadmin.domain.entries.values import Entry, EntryForm

_TYPES = (
    "Decision|Constraint|Preference|Task|OpenQuestion|Open Question|Fact|Lesson|Insight|Rule|Risk|Goal|"
    "Решение|Ограничение|Предпочтение|Задача|Вопрос|Факт|Урок|Правило|Риск|Цель"
)
_MOST_MARKS = 20
_MOST_MARK_CHARS = 200
_BRACKET = re.compile(r"\[([^\[\]]*)\]$")
_TAG = re.compile(r"(?:^|(?<=\s))#([^\s#]+)$")
_CONTEXT = re.compile(r"(?<=\s)\(([^()]*)\)$")
_TEMPLATE = re.compile(r"(?:\[[^\[\]]*\][\s:,-]*)+")


def read_bullet(content: str) -> Entry | None:
    """Return what a bullet says, without its sign; None when it is no fact but a template or a legend."""
    for pattern, build in _FORMS:
        match = pattern.fullmatch(content)
        if match is not None:
            return build(match)
    if _TEMPLATE.fullmatch(content):
        return None
    return Entry(content, EntryForm.BULLET, date=first_day(content))


def note_name(link: str) -> str:
    """Return the note that a wiki link names, without the alias or the heading that may follow.

    >>> note_name("Release plan#Dates|the dates")
    'Release plan'
    """
    return re.split(r"[|#]", link, maxsplit=1)[0].strip()


def _task(match: re.Match[str]) -> Entry:
    return Entry(match["text"], EntryForm.TASK, is_done=match["mark"] in "xX", date=first_day(match["text"]))


def _tagged(match: re.Match[str]) -> Entry | None:
    """Read `trust:1.0|src:direct|…`; values that are none, as in a legend, make no entry."""
    marks = [
        (name.strip(), value.strip()) for name, _, value in (tag.partition(":") for tag in match["tags"].split("|"))
    ]
    known = dict(marks)
    try:
        trust = float(known["trust"])
        used_on = date.fromisoformat(known["used"]) if "used" in known else None
        hits = int(known["hits"]) if "hits" in known else None
    except ValueError:
        return None
    if not 0 <= trust <= 1:
        return None
    others = tuple((name, value) for name, value in marks if name not in {"trust", "src", "used", "hits"})
    return Entry(
        match["text"],
        EntryForm.TAGGED,
        trust=trust,
        source=known.get("src", ""),
        used_on=used_on,
        hits=hits,
        date=first_day(match["text"]),
        marks=others,
    )


def _typed(match: re.Match[str]) -> Entry | None:
    """Read a typed fact; the brackets at its end are its day and its scope, and brackets alone are a template."""
    text, brackets = _trailing(match["text"], _BRACKET)
    days = [day for day in map(first_day, brackets) if day]
    marks = tuple(("scope", bracket) for bracket in brackets if first_day(bracket) is None)
    if not text:
        return None
    return Entry(text, EntryForm.TYPED, key=match["key"], date=days[0] if days else None, marks=marks)


def _dated(match: re.Match[str]) -> Entry:
    return Entry(match["text"], EntryForm.DATED, date=first_day(match["day"]))


def _scored(match: re.Match[str]) -> Entry:
    when, _, source = match["origin"].partition(" ")
    return Entry(
        match["text"],
        EntryForm.SCORED,
        key=match["key"],
        source=source,
        date=first_day(when),
        marks=(("score", match["score"]), ("time", when)),
    )


def _relation(match: re.Match[str]) -> Entry:
    marks = (("context", match["context"]),) if match["context"] else ()
    verb, target = match["verb"] or "", note_name(match["target"])
    return Entry(match["all"], EntryForm.RELATION, key=verb, target=target, marks=marks)


def _observation(match: re.Match[str]) -> Entry:
    """Read `[category] text #tag (context)`; the tags and the context stand at the end."""
    text, contexts = _trailing(match["text"], _CONTEXT, most=1)
    text, tags = _trailing(text, _TAG)
    marks = tuple(("tag", tag) for tag in tags) + tuple(("context", context) for context in contexts)
    return Entry(text, EntryForm.OBSERVATION, key=match["key"], date=first_day(text), marks=marks)


def _trailing(text: str, form: re.Pattern[str], most: int = _MOST_MARKS) -> tuple[str, list[str]]:
    """Return `text` without the marks of this form at its end, and the marks in the order they stand in."""
    marks: list[str] = []
    text = text.rstrip()
    while len(marks) < most:
        # A mark is short: looking at the end alone keeps long lines cheap.
        tail = form.search(text, max(0, len(text) - _MOST_MARK_CHARS))
        if tail is None:
            break
        marks.insert(0, tail[1])
        text = text[: tail.start()].rstrip()
    return text, marks


def _index(match: re.Match[str]) -> Entry:
    return Entry(match["text"] or match["title"], EntryForm.INDEX, key=match["title"], target=match["target"])


def _keyed(match: re.Match[str]) -> Entry:
    return Entry(match["text"], EntryForm.KEYED, key=match["key"].strip(), date=first_day(match["text"]))


_NOTE = r"\[\[(?P<target>[^\[\]]+)\]\]"
_STARS = r"(?:[^\w\s\[(]{1,8}\s*){0,3}"  # what people put before a link to make it stand out

_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Entry | None]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"\[(?P<mark>[ xX])\]\s+(?P<text>.*)", _task),
        (r"\[(?P<tags>trust:[^\[\]]*)\]\s*(?P<text>.*)", _tagged),
        (rf"(?P<key>{_TYPES}):\s*(?P<text>.*)", _typed),
        (r"\*{0,2}\[?(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})\]?\*{0,2}(?:\s*[:—–-]\s*|\s+)(?P<text>\S.*)", _dated),
        (
            r"\*\*\[(?P<score>[0-9.]+)\]\*\*\s+`(?P<key>[^`]+)`\s+\((?P<origin>[^()]*)\)\s*[—–-]\s*(?P<text>.*)",
            _scored,
        ),
        (rf"(?P<all>(?:(?P<verb>[^\W\d][\w -]{{0,60}}?)\s+)?{_NOTE})\s*(?:\((?P<context>[^()]*)\))?\s*", _relation),
        (
            _STARS + r"\[(?P<title>[^\[\]]+|.{0,300}?)\]\((?P<target>[^()\s:]+)\)\s*(?:[—–:-]+\s*)?(?P<text>.*)",
            _index,
        ),
        (r"\[(?P<key>[^\[\]()]{1,40})\]\s+(?P<text>\S.*)", _observation),
        (r"\*\*(?P<key>[^*]{1,120}?):\*\*\s*(?P<text>.*)", _keyed),
        (r"\*\*(?P<key>[^*]{1,120}?)\*\*\s*[:：—–]\s*(?P<text>.*)", _keyed),
    )
)
