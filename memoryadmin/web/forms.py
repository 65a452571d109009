"""What forms have in common: text arrives as typed, and a refused form says so beside the field.

Forms check shape only. A service that refuses a value is reported through `refuse`, in the same place.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.domain.scanning import Finding
from memoryadmin.domain.scopes import is_slug
from memoryadmin.services import scopes
from memoryadmin.web import labels
from memoryadmin.web.errors import ANSWERS, words_for


class PlainForm(forms.Form):
    """A form whose text keeps its blanks, except for the fields named in `trimmed`."""

    # Names whose outer blanks are never meant: ids, sign-in names, addresses.
    trimmed: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        self._refused_status = 0
        for name, field in self.fields.items():
            if isinstance(field, forms.CharField):
                field.strip = name in self.trimmed
            _dress(field.widget)

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows this form: 422 when what was sent is refused, or the refusal's own."""
        return (self._refused_status or 422) if self.is_bound and self.errors else 200

    def refuse(self, error: MemoryAdminError) -> None:
        """Show why a service refused: at the field it names, or above the form."""
        self._refused_status = ANSWERS[error.code].status
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
        label=_("Sign-in name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    password = forms.CharField(
        label=_("Password"), max_length=4096, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


def _long_text(rows: int, **kwargs: Any) -> forms.CharField:
    return forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": rows}), **kwargs)


class NamedForm(PlainForm):
    """The words of a project or an agent."""

    trimmed = frozenset({"name"})

    name = forms.CharField(label=_("Name"), max_length=200)
    description = _long_text(3, label=_("What it is for"), max_length=2000)


class NewNamedForm(NamedForm):
    """The same for a new one, whose id is given once."""

    trimmed = frozenset({"slug", "name"})

    slug = forms.CharField(
        label=_("Id"),
        max_length=63,
        help_text=_("Part of every address in the store, so it never changes: a-z, 0-9, '.', '-' and '_'."),
    )
    field_order = ("name", "slug", "description")


class PersonForm(PlainForm):
    trimmed = frozenset({"name", "login", "email"})

    name = forms.CharField(label=pgettext_lazy("person", "Name"), max_length=200)
    login = forms.CharField(
        label=_("Sign-in name"), max_length=150, required=False,
        help_text=_("Without one this person is remembered but cannot sign in."),
    )  # fmt: skip
    email = forms.EmailField(label=_("E-mail"), max_length=254, required=False)
    password = forms.CharField(
        label=_("Password"), max_length=4096, required=False, help_text=_("Empty keeps the present one."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )  # fmt: skip
    is_admin = forms.BooleanField(label=_("Admin: manages users and projects"), required=False)
    is_auditor = forms.BooleanField(label=_("Auditor: reads metadata and the audit, writes nothing"), required=False)


class FirstAdminForm(PlainForm):
    trimmed = frozenset({"name", "login"})

    name = forms.CharField(label=pgettext_lazy("person", "Name"), max_length=200)
    login = forms.CharField(
        label=_("Sign-in name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        label=_("Password"), max_length=4096, help_text=_("At least ten characters."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )  # fmt: skip


class MemberForm(PlainForm):
    """A person and their role; `person` is a login, or the id of somebody who has none."""

    trimmed = frozenset({"person"})

    person = forms.CharField(label=_("Sign-in name"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=tuple(labels.ROLES.items()))


class NoteForm(PlainForm):
    """What goes with every write to a memory file."""

    reason = forms.CharField(
        label=_("Why"), required=False, max_length=500, help_text=_("Shown in the history, for whoever reads it later.")
    )


class BasedForm(NoteForm):
    """A write to a file that is there: it names the version that the person looked at."""

    base_seq = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        # Nobody can correct a hidden field, so the page says what to do instead.
        if self.errors.pop("base_seq", None):
            self.add_error(None, gettext("This page does not say which version it was made from. Open it once more."))
        return cleaned


class WrittenForm(NoteForm):
    """A memory file's whole text; asks once more when it holds what looks like a secret."""

    text = _long_text(24, label=_("Text"))
    is_confirmed = forms.BooleanField(label=_("I have looked: write it as it is"), required=False)
    findings: tuple[Finding, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].widget.attrs.update({"class": "editor__text", "spellcheck": "true"})

    def clean_text(self) -> str:
        # A request without the field is not an empty text: it would wipe the file.
        if self.add_prefix("text") not in self.data:
            raise forms.ValidationError(gettext("The text did not arrive. Nothing was written."))
        return str(self.cleaned_data["text"])


class NewFileForm(WrittenForm):
    path = forms.CharField(
        label=pgettext_lazy("file", "Name"), max_length=900, help_text=_("Folders are separated by /.")
    )


class EditForm(WrittenForm, BasedForm):
    pass


class RenameForm(BasedForm):
    path = forms.CharField(label=_("New name"), max_length=900, help_text=_("Folders are separated by /."))


class RestoreForm(BasedForm):
    """`path` is for a deleted file whose name was taken meanwhile."""

    path = forms.CharField(label=pgettext_lazy("file", "Name"), max_length=900, required=False)
    is_confirmed = forms.BooleanField(label=_("I have looked: write it as it is"), required=False)
    findings: tuple[Finding, ...] = ()


class ImportForm(PlainForm):
    """An archive of a workspace and whose it is: one of the agents, a new one, or nobody's."""

    trimmed = frozenset({"new_agent"})

    archive = forms.FileField(
        label=_("ZIP file of the folder"), max_length=255,
        help_text=_("At most 100 MB and 5,000 files. One folder around everything is left out of the names."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )  # fmt: skip
    agent = forms.ChoiceField(
        label=_("Agent whose workspace it is"), required=False,
        help_text=_("Without one, only files that belong to the project itself or to you are taken."),
    )  # fmt: skip
    new_agent = forms.CharField(
        label=_("Or the id of a new agent"), max_length=63, required=False,
        help_text=_("Part of every address in the store, so it never changes: a-z, 0-9, '.', '-' and '_'."),
    )  # fmt: skip
    is_about_me = forms.BooleanField(
        label=_("USER.md, MEMORY.md and the daily logs are about me"), required=False,
        help_text=_("Then you alone read them, and the agent when it acts for you. Otherwise they go to the agent."),
    )  # fmt: skip

    def __init__(self, *args: Any, agents: Sequence[scopes.AgentCard], may_create: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(agent.slug, agent.name) for agent in agents]
        self.fields["agent"].choices = [("", gettext("No agent")), *choices]  # type: ignore[attr-defined]
        if not may_create:
            del self.fields["new_agent"]

    @property
    def chosen_agent(self) -> str | None:
        """The id of the agent that was chosen or typed."""
        return self.cleaned_data.get("new_agent") or self.cleaned_data["agent"] or None

    def clean_new_agent(self) -> str:
        typed = str(self.cleaned_data["new_agent"])
        if typed and not is_slug(typed):
            raise forms.ValidationError(
                gettext("An id has only a-z, 0-9, '.', '-', '_', and begins with a letter or digit.")
            )
        if typed and self.cleaned_data.get("agent"):
            raise forms.ValidationError(gettext("Either an agent from the list or a new one, not both."))
        return typed


class ApplyForm(PlainForm):
    """The decision on a plan: `seen` is the stamp of the one that was shown."""

    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)
    should_overwrite = forms.BooleanField(required=False)
