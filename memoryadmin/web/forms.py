"""What forms have in common: text arrives as typed, and a refused form says so beside the field.

Forms check shape only. A service that refuses a value is reported through `refuse`, in the same place.
"""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.web.errors import words_for


class PlainForm(forms.Form):
    """A form whose text keeps its blanks, except for the fields named in `trimmed`."""

    # Names whose outer blanks are never meant: ids, sign-in names, addresses.
    trimmed: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            if isinstance(field, forms.CharField):
                field.strip = name in self.trimmed
            _dress(field.widget)

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows this form: 422 when what was sent is refused."""
        return 422 if self.is_bound and self.errors else 200

    def refuse(self, error: MemoryAdminError) -> None:
        """Show why a service refused: at the field it names, or above the form."""
        self.add_error(error.field if error.field in self.fields else None, words_for(error))


def _dress(widget: forms.Widget) -> None:
    if isinstance(widget, forms.CheckboxInput | forms.HiddenInput):
        return
    if isinstance(widget, forms.Select):
        widget.attrs.setdefault("class", "select")
    elif isinstance(widget, forms.Textarea):
        widget.attrs.setdefault("class", "input input--text")
    else:
        widget.attrs.setdefault("class", "input")


class SignInForm(PlainForm):
    trimmed = frozenset({"username"})

    username = forms.CharField(
        label=_("Login"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"})
    )
    password = forms.CharField(
        label=_("Password"), max_length=4096, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
