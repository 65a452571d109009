"""Response headers of every page: the content policy, what the browser may use, and what it may keep.

Reads Django 6's setting name `SECURE_CSP`, so that Django's own middleware can replace this one later.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]

# Features of the browser that no page of ours uses.
_FEATURES = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
_PERMISSIONS = ", ".join(f"{name}=()" for name in _FEATURES)


class SecurityHeadersMiddleware:
    """Add both policies, and forbid keeping whatever does not say how long it keeps."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{name} {' '.join(values)}" for name, values in settings.SECURE_CSP.items())

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        # Pages hold memory text, which no cache may show after signing out. Static files say their own.
        response.headers.setdefault("Cache-Control", "no-store")
        return response
