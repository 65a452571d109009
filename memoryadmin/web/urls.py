"""Every address of the pages. A section's addresses live in its namespace, which is how the rail finds it."""

from django.urls import URLPattern, URLResolver, include, path

from memoryadmin.web.section_urls import SECTIONS
from memoryadmin.web.views import home, language, setup, signin

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("sign-in/", signin.sign_in, name="signin"),
    path("sign-out/", signin.sign_out, name="signout"),
    path("first-admin/<str:key>/", setup.first_admin, name="first_admin"),
    path("language/", language.choose, name="language"),
    *(path("", include(section)) for section in SECTIONS),
]
