"""Home: what needs this person, then what changed lately."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memoryadmin.web.requests import SignedInRequest


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    return render(request, "home/home.html", {"pressing": (), "recent": ()})
