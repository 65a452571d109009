"""A finding: what kind of thing stands where, and how it may be shown instead."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Finding:
    """One stretch of a text that should not pass unseen.

    `kind` is a stable code. `line` counts from 1; `start` and `end` are character offsets, half open.
    `masked` is what may be shown, kept or logged instead: the kind and at most two characters of a secret.
    """

    kind: str
    line: int
    start: int
    end: int
    masked: str


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text before its line is known."""

    kind: str
    start: int
    end: int


def located(text: str, spans: Iterable[Span], describe: Callable[[str], str]) -> tuple[Finding, ...]:
    """Return the findings at `spans`, in order; spans that overlap become one, of the kind that begins first.

    `describe` says what a mask may tell of the text it replaces.
    """
    found: list[Finding] = []
    line, counted_to = 1, 0
    for span in _merged(spans):
        line += text.count("\n", counted_to, span.start)
        counted_to = span.start
        detail = describe(text[span.start : span.end])
        masked = f"[masked {span.kind} {detail}]" if detail else f"[masked {span.kind}]"
        found.append(Finding(span.kind, line, span.start, span.end, masked))
    return tuple(found)


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):  # stable: of equal starts the first given leads
        if merged and span.start < merged[-1].end:
            merged[-1] = replace(merged[-1], end=max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def mask(text: str, findings: Iterable[Finding]) -> str:
    """Return `text` with each finding replaced by its mask; findings may come in any order and overlap."""
    pieces: list[str] = []
    kept_to = 0
    for finding in sorted(findings, key=lambda finding: finding.start):
        if finding.start >= kept_to:
            pieces += (text[kept_to : finding.start], finding.masked)
        kept_to = max(kept_to, finding.end)
    return "".join([*pieces, text[kept_to:]])
