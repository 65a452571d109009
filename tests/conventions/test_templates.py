"""Templates: what a person reads is marked for translation, partials say what they need, nothing is `safe`.

The words are found with Django's own lexer: what remains of a page when its template tags, and the texts
inside `{% blocktranslate %}`, are taken out must hold no letters.
"""

import ast
import re
from html.parser import HTMLParser

import pytest
from django.template.base import Lexer, Token, TokenType

from tests.conventions.sources import expect_kept, parsed, under

# The product's name is the same in every language, and `page__inner--wide` is a class in none.
_NAMES = re.compile(r"\bmemoryadmin\b|\b[a-z]+__[a-z-]+\b")
_SEEN_ATTRIBUTES = frozenset(
    {"alt", "aria-label", "aria-description", "aria-roledescription", "placeholder", "title", "label"}
)
_LETTER = re.compile(r"[^\W\d_]")
# "{{ x|default:"none" }}" and "{% include … with title="Files" %}" show their words as much as text does.
_SHOWN_LITERAL = re.compile(r"""(?<!_\()(?P<before>[\w|]+[:=])(?P<quote>["'])(?P<words>[^"']*)(?P=quote)""")
_SILENT_TAGS = frozenset({"blocktranslate", "blocktrans", "comment"})
# Where words are looked at: text of the page in these elements is code or style, not language.
_NOT_LANGUAGE = frozenset({"script", "style"})
_SAFE = re.compile(r"\|\s*safe(?:seq)?\b|\bautoescape\s+off\b")
# Calls after which a text is put into a page as it is; of a literal, or of what was just escaped, harmless.
_TRUSTING = frozenset({"mark_safe", "SafeString", "SafeText", "format_html", "format_html_join", "html_safe"})
# Sanitised Markdown becomes HTML here and nowhere else.
MAY_TRUST = ("memoryadmin/web/markdown.py", "memoryadmin/web/markdown/")


class _Words(HTMLParser):
    """Collects the words of a page with their lines."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, str]] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _NOT_LANGUAGE:
            self._inside.append(tag)
        for name, value in attrs:
            if name in _SEEN_ATTRIBUTES and value:
                self._keep(value)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self._keep(data)

    def _keep(self, text: str) -> None:
        if _LETTER.search(_NAMES.sub("", text)):
            self.found.append((self.getpos()[0], " ".join(text.split())))


def unmarked_words(path: str, text: str) -> list[str]:
    words, inside = _Words(), ""
    for token in Lexer(text).tokenize():
        is_text = token.token_type is TokenType.TEXT and not inside
        words.feed(token.contents if is_text else "\n" * token.contents.count("\n"))
        inside = _now_inside(token, inside)
    words.close()
    return [f"{path}:{line} is not marked for translation: {said}" for line, said in [*words.found, *_literals(text)]]


def _now_inside(token: Token, inside: str) -> str:
    if token.token_type is TokenType.BLOCK:
        name = token.contents.split(maxsplit=1)[0]
        if not inside and name in _SILENT_TAGS:
            return name
        if name == f"end{inside}":
            return ""
    return inside


def _literals(text: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    line = 1
    for token in Lexer(text).tokenize():
        if token.token_type in {TokenType.VAR, TokenType.BLOCK}:
            shown = (match["words"] for match in _SHOWN_LITERAL.finditer(token.contents) if _is_sentence(match))
            found.extend((line, words) for words in shown)
        line += token.contents.count("\n")
    return found


def _is_sentence(match: re.Match[str]) -> bool:
    """Tell words for people from the names of icons, classes and parts, which begin with a small letter."""
    is_format = match["before"].endswith(("date:", "time:", "stringformat:", "cut:", "join:"))
    return not is_format and re.match(r"[^\W\d_a-z]", match["words"]) is not None


def silent_partials(path: str, text: str) -> list[str]:
    first = text.split("\n", 1)[0]
    is_silent = "/_" in path and not re.match(r"\{# .*\bneeds: .+ #\}$", first)
    return [f"{path}:1 the partial does not say what it needs"] if is_silent else []


def safe_filters(path: str, text: str) -> list[str]:
    return [f"{path}:{n} {line.strip()}" for n, line in enumerate(text.split("\n"), 1) if _SAFE.search(line)]


def trusting_calls(path: str, text: str) -> list[str]:
    tree = parsed(text)
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
    constants = {ast.unparse(target) for node in assigned for target in node.targets}
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func).rsplit(".", 1)[-1]
        # The separator of format_html_join is escaped; its second argument is the format.
        trusted = call.args[1:2] if name == "format_html_join" else call.args[:1]
        if name in _TRUSTING and not all(_is_harmless(argument, constants) for argument in trusted):
            found.append(f"{path}:{call.lineno} trusts a text")
    return found


def _is_harmless(argument: ast.expr, constants: set[str]) -> bool:
    is_escaped = isinstance(argument, ast.Call) and ast.unparse(argument.func).endswith("escape")
    is_constant = isinstance(argument, ast.Name) and argument.id in constants
    return is_escaped or is_constant or isinstance(argument, ast.Constant)


def unmarked_python(path: str, text: str) -> list[str]:
    """Find flash texts, labels and form errors that are plain strings."""
    found: list[str] = []
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Call):
            shown = [k.value for k in node.keywords if k.arg in {"label", "help_text", "empty_label", "error_messages"}]
            name = ast.unparse(node.func)
            if name.startswith("messages.") or name.endswith(("ValidationError", "add_error")):
                shown += node.args
            literals = [part for value in shown for part in _plain_strings(value)]
            found.extend(f"{path}:{part.lineno} is not marked for translation" for part in literals)
    return found


def _plain_strings(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, ast.Dict):
        return [part for one in value.values for part in _plain_strings(one)]
    if isinstance(value, ast.JoinedStr):
        return [value]
    is_words = isinstance(value, ast.Constant) and isinstance(value.value, str) and " " in value.value.strip()
    is_capital = isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value[:1].isupper()
    return [value] if is_words or is_capital else []


def test_every_word_of_a_template_is_marked_for_translation() -> None:
    expect_kept(unmarked_words, under("templates/", ".html"))


def test_every_word_of_a_form_or_message_is_marked_for_translation() -> None:
    expect_kept(unmarked_python, under("memoryadmin/web/", ".py"))


def test_every_partial_says_what_it_needs() -> None:
    expect_kept(silent_partials, under("templates/", ".html"))


def test_no_template_trusts_a_text() -> None:
    expect_kept(safe_filters, under("templates/", ".html"))


def test_no_module_but_the_one_that_sanitises_trusts_a_text() -> None:
    expect_kept(trusting_calls, [path for path in under("memoryadmin/", ".py") if not path.startswith(MAY_TRUST)])


@pytest.mark.parametrize(
    "text",
    [
        "<h1>Files</h1>",
        '<button type="button" aria-label="Close">x</button>'.replace(">x<", "><"),
        '<img alt="{{ name }} as a picture">',
        "<p>{{ count }} files</p>",
        "<p>{% if over %}over the limit{% endif %}</p>",
        '{{ reason|default:"None given" }}',
        '{% include "components/_empty.html" with title="Nothing here" %}',
        "{% blocktranslate %}Said{% endblocktranslate %}<p>unsaid</p>",
        "<p>Привет</p>",
    ],
)
def test_a_planted_unmarked_word_is_found(text: str) -> None:
    found = unmarked_words("planted.html", f"{{% load i18n %}}\n{text}\n")
    assert len(found) == 1
    assert found[0].startswith("planted.html:2 ")


@pytest.mark.parametrize(
    "text",
    [
        '<h1>{% translate "Files" %}</h1> · <b>+</b> 100 &middot; &rarr;',
        "{% blocktranslate count n=n %}\n{{ n }} file\n{% plural %}\n{{ n }} files\n{% endblocktranslate %}",
        '<a class="skip" href="#main" data-confirm="x" id="main">{{ name }}</a>',
        '{{ reason|default:_("None given") }} {{ at|date:"Y-m-d" }} {{ kind|yesno:"a,b" }}',
        "{# a note for whoever edits this #}{% comment %}and more{% endcomment %}",
        '<p class="{% if a %}one{% else %}two{% endif %}">memoryadmin</p>',
        "{% block wide %}page__inner--wide{% endblock %}",
    ],
)
def test_marked_words_names_and_signs_are_not(text: str) -> None:
    assert unmarked_words("planted.html", text) == []


def test_a_planted_silent_partial_is_found() -> None:
    assert silent_partials("templates/files/_part.html", "<p></p>\n") != []
    assert silent_partials("templates/files/_part.html", "{# needs: file. root: p. #}\n<p></p>\n") == []


@pytest.mark.parametrize(
    "line", ["{{ text|safe }}", "{{ text | safe }}", "{{ texts|safeseq }}", "{% autoescape off %}"]
)
def test_a_planted_filter_that_trusts_is_found(line: str) -> None:
    assert len(safe_filters("planted.html", line)) == 1


@pytest.mark.parametrize(
    "line", ["mark_safe(text)", "safestring.SafeString(f'<b>{text}</b>')", "format_html('<b>' + text)"]
)
def test_a_planted_call_that_trusts_is_found(line: str) -> None:
    assert len(trusting_calls("planted.py", line)) == 1


def test_a_literal_with_escaped_values_is_not() -> None:
    assert trusting_calls("planted.py", "format_html('<b>{}</b>', text)\nSafeString('</b>')\n") == []
    assert trusting_calls("planted.py", "format_html(escape(sentence), who=who)\n") == []
    assert trusting_calls("planted.py", "LINE = '<b>{}</b>'\nformat_html_join(gap, LINE, texts)\n") == []


@pytest.mark.parametrize(
    "line",
    [
        'messages.success(request, "Saved.")',
        'forms.CharField(label="Path")',
        'form.add_error("path", "This name is taken")',
        'messages.error(request, f"{name} was refused")',
        'forms.CharField(label=_("Path"), error_messages={"required": "Say why."})',
    ],
)
def test_a_planted_unmarked_message_is_found(line: str) -> None:
    assert len(unmarked_python("planted.py", line)) == 1
