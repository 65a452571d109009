"""Uploads go to a temporary file, never to memory, and one that is too large is refused before any of it is kept.

The one upload handler of the settings, so it guards every address, also those that want no file and those of people
who are not signed in: forms are read before anybody is asked who they are.
"""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import TemporaryFileUploadHandler

from memoryadmin.services.imports import MAX_UPLOAD_BYTES


class UploadTooLargeError(RequestDataTooBig):
    """More was sent than any page takes; both sizes are in bytes."""

    def __init__(self, *, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(f"an upload of {size_bytes} bytes, the limit is {limit_bytes}")
        self.size_bytes = size_bytes
        self.limit_bytes = limit_bytes


class LimitingUploadHandler(TemporaryFileUploadHandler):
    """Refuse by the announced length: no more than that is ever read."""

    def handle_raw_input(self, *sent: Any) -> None:
        _, _, size_bytes, *_ = sent
        if size_bytes > MAX_UPLOAD_BYTES:
            raise UploadTooLargeError(size_bytes=size_bytes, limit_bytes=MAX_UPLOAD_BYTES)
