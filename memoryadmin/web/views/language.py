"""Choosing the language of the pages, before signing in as well."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from django.views.i18n import set_language


@login_not_required
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the chosen language in a cookie and go back to the page it was chosen on."""
    return set_language(request)
