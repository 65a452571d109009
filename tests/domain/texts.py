"""Strategies for memory text as it really is: marks, every line end, signs of several characters, few lines."""

from hypothesis import strategies as st

# Signs that are several characters, and their halves.
SIGNS = [
    *("👍🏻", "👍🏿", "👨‍👩‍👧", "👨‍👩‍👦", "👩‍💻", "🅱️", "🇷🇺", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
    *("е\u0301", "й", "и\u0306", "한", "\u1112\u1161\u11ab", "क्षि", "สำ", "ﾞ"),
    *("\U0001f3fb", "\u200d", "\ufe0f", "\U0001f1f7", "\u0301", "\u094d", "\u0600"),
]
BREAKS = ["\n", "\r\n", "\r", "\n\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"]
PIECES = ["\ufeff", "\u200b", " ", "  ", "\t", "a", "слово", "word", "- ", "## ", "12:30", "漢字", "✓"]

# The categories leave out what is no text (surrogates) and what this Python's Unicode does not know yet.
any_sign = st.characters(exclude_categories=["Cs", "Cn"])

texts = st.lists(st.sampled_from([*SIGNS, *BREAKS, *PIECES]) | st.text(any_sign, max_size=4), max_size=25).map("".join)

# Few different lines, so that equal ones meet; the last may lack its line feed.
_LINES = st.sampled_from(["a\n", "b\n", "c\n", "\n", "a\r\n", "  b\n", "- fact 1\n", "- fact 2\n"])
documents = st.tuples(st.lists(_LINES, max_size=14), st.sampled_from(["", "a", "- fact 1"])).map(
    lambda parts: "".join(parts[0]) + parts[1]
)


@st.composite
def distinct_lines(draw, prefix, **sizes):
    """Lines of which no two are equal, also not to lines drawn with another prefix."""
    names = draw(st.lists(st.integers(0, 10_000), unique=True, **sizes))
    return [f"{prefix} {name}\n" for name in names]
