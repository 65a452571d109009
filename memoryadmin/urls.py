from django.urls import include, path

urlpatterns = [path("", include("memoryadmin.web.urls"))]

handler400 = "memoryadmin.web.errors.bad_request"
handler403 = "memoryadmin.web.errors.forbidden"
handler404 = "memoryadmin.web.errors.not_found"
handler500 = "memoryadmin.web.errors.server_error"
