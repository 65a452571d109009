"""A person at a browser without JavaScript: opens pages by name, reads their text, fills in forms and sends them.

Forms are read from the page and sent as a browser sends them: a text area drops one leading line feed, every line
end goes out as CR LF, hidden fields go along.
"""

import re
from html import unescape
from html.parser import HTMLParser

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

_LINE_END = re.compile(r"\r\n|\r|\n")


class _Forms(HTMLParser):
    """Collects the forms of a page: address, method and what each field holds."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict] = []
        self._area = self._select = None

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "form":
            method = attributes.get("method", "get")
            self.forms.append({"action": attributes.get("action", ""), "method": method, "fields": {}})
        if not self.forms:
            return
        fields, name = self.forms[-1]["fields"], attributes.get("name")
        if tag == "input" and name and attributes.get("type") not in ("checkbox", "radio", "submit"):
            fields[name] = attributes.get("value", "")
        elif tag == "input" and name and "checked" in attributes:
            fields[name] = attributes.get("value", "on")
        elif tag == "textarea" and name:
            self._area, fields[name] = name, ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in attributes or self._select not in fields):
            fields[self._select] = attributes.get("value", "")

    def handle_endtag(self, tag):
        if tag == "textarea" and self._area:
            fields = self.forms[-1]["fields"]
            fields[self._area] = fields[self._area].removeprefix("\n")
            self._area = None
        elif tag == "select":
            self._select = None

    def handle_data(self, data):
        if self._area:
            self.forms[-1]["fields"][self._area] += _LINE_END.sub("\n", data)


def forms_of(answer) -> list[dict]:
    """Return the forms of an answer in order."""
    reader = _Forms()
    reader.feed(answer.content.decode())
    return reader.forms


def form_of(answer, action: str = "") -> dict:
    """Return the fields of the form that posts to `action`; without one, of the page's own form."""
    found = [form for form in forms_of(answer) if form["method"] == "post" and form["action"] == action]
    assert found, f"no form posts to {action or 'the page itself'}"
    return found[0]["fields"]


def words_of(answer) -> str:
    """Return what a page says, without its tags and with single blanks."""
    main = answer.content.decode().partition("<main")[2].partition(">")[2]
    # A request's number is chance and says nothing.
    main = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "…", main)
    lines = re.sub(r"<(?!/?(?:a|b|bdi|code|em|ins|del|span|strong|svg|use|time)\b)[^>]*>", " ", main)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", lines)))


class Visitor:
    """A signed-in person; `address` is the name of one, e.g. `files:edit`."""

    def __init__(self, person_id: str) -> None:
        self.client = Client()
        self.client.force_login(get_user_model().objects.get(pk=person_id))

    def open(self, address: str, /, *ids, **query):
        return self.client.get(reverse(address, args=ids), query)

    def send(self, address: str, /, *ids, query: str = "", **fields):
        """Post fields as a browser would; answers a redirect with the redirect."""
        sent = {key: _LINE_END.sub("\r\n", value) if isinstance(value, str) else value for key, value in fields.items()}
        return self.client.post(reverse(address, args=ids) + query, sent)

    def read(self, address: str, /, *ids, **query) -> str:
        """Return the words of a page that must be there."""
        answer = self.open(address, *ids, **query)
        assert answer.status_code == 200, answer.status_code
        return words_of(answer)
