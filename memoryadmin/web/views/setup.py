"""The page behind the one-time link of an empty installation."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from memoryadmin.services import setup
from memoryadmin.web.attempts import attempted
from memoryadmin.web.forms import FirstAdminForm


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_admin(request: HttpRequest, key: str) -> HttpResponse:
    setup.require_key(key=key)
    form = FirstAdminForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        made = attempted(form, lambda: setup.create_first_admin(key=key, **form.cleaned_data, now=timezone.now()))
        if made is not None:
            messages.success(request, gettext("You are the admin of this installation. Sign in to begin."))
            return redirect("signin")
    return render(request, "signin/first_admin.html", {"form": form}, status=form.status)
