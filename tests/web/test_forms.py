"""What all forms have in common."""

import pytest
from django import forms
from django.template import engines

from memoryadmin.domain.errors import InvalidFieldError, TooLargeError
from memoryadmin.web.forms import PlainForm


class ExampleForm(PlainForm):
    trimmed = frozenset({"slug"})

    slug = forms.CharField(label="Id")
    text = forms.CharField(label="Text", widget=forms.Textarea, help_text="As typed")
    is_sure = forms.BooleanField(label="Sure", required=False)


def field_html(form, name):
    return engines["django"].from_string('{% include "components/_field.html" %}').render({"field": form[name]})


def test_text_keeps_its_blanks_and_an_id_does_not():
    form = ExampleForm({"slug": " a ", "text": "\n  - a  \n\n"})

    assert form.is_valid()
    assert form.cleaned_data["text"] == "\n  - a  \n\n"
    assert form.cleaned_data["slug"] == "a"


def test_the_status_tells_a_refused_form_from_a_fresh_one():
    assert ExampleForm().status == 200
    assert ExampleForm({"slug": "a", "text": "b"}).status == 200
    assert ExampleForm({"slug": "", "text": "b"}).status == 422


def test_a_field_is_tied_to_its_hint_and_its_error():
    html = field_html(ExampleForm({"slug": "a", "text": ""}), "text")

    assert 'aria-describedby="id_text_helptext id_text_error"' in html
    assert 'id="id_text_helptext"' in html
    assert 'id="id_text_error"' in html
    assert 'aria-invalid="true"' in html
    assert 'for="id_text"' in html


def test_what_was_typed_stays_and_is_escaped():
    assert "&lt;b&gt;\n</textarea>" in field_html(ExampleForm({"slug": "", "text": "<b>\n"}), "text")


def test_NUL_is_refused_before_any_service_sees_it():
    assert "text" in ExampleForm({"slug": "a", "text": "a\0b"}).errors


@pytest.mark.parametrize(("named", "shown_at"), [("slug", "slug"), ("elsewhere", "__all__"), ("", "__all__")])
def test_a_service_s_refusal_stands_at_the_field_it_names(named, shown_at):
    form = ExampleForm({"slug": "a", "text": "b"})
    assert form.is_valid()

    form.refuse(InvalidFieldError("not this one", field=named))

    assert form.errors[shown_at] == ["not this one"]
    assert form.status == 422


def test_a_refusal_keeps_its_own_status_and_its_numbers():
    form = ExampleForm({"slug": "a", "text": "b"})
    assert form.is_valid()

    form.refuse(TooLargeError(size_bytes=300, limit_bytes=200))

    assert form.status == 413
    assert form.errors["text"] == ["The text is too large: it has 300 bytes, the limit is 200."]
