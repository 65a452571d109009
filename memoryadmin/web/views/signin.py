"""Signing in with a login and a password, and signing out."""

import logging

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from memoryadmin.services import people
from memoryadmin.web.forms import SignInForm

logger = logging.getLogger("memoryadmin.web.signin")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    onward = _onward(request)
    if request.user.is_authenticated:
        return redirect(onward)
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = authenticate(request, **form.cleaned_data)
        if person is not None:
            login(request, person)
            people.record_sign_in(person_id=str(person.pk), now=timezone.now())
            return redirect(onward)
        logger.warning("sign-in refused (request %s)", getattr(request, "id", ""))
        form.add_error(None, gettext("This name and password do not belong together, or the account is closed."))
    return render(request, "signin/signin.html", {"form": form, "onward": onward}, status=form.status)


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


def _onward(request: HttpRequest) -> str:
    """Return where to go after signing in: the page that was asked for, if it is one of ours."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    # A word without a slash would be taken for the name of a page of ours.
    is_address = asked.startswith("/")
    if is_address and url_has_allowed_host_and_scheme(
        asked, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return asked
    return settings.LOGIN_REDIRECT_URL
