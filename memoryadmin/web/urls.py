"""Every address of the pages. A section's own addresses live in its namespace, and the rail finds it by that name."""

from django.urls import URLPattern, URLResolver, path

from memoryadmin.web.views import home, language, signin

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("sign-in/", signin.sign_in, name="signin"),
    path("sign-out/", signin.sign_out, name="signout"),
    path("language/", language.choose, name="language"),
]
