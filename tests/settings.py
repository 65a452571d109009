"""The product's settings over a data folder of the test run's own, with quick passwords and uncollected files."""

import atexit
import os
import shutil
import tempfile

# No test ever touches the data folder of this checkout.
_FOLDER = tempfile.mkdtemp(prefix="memoryadmin-tests-")
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
os.environ["MEMORYADMIN_DATA_DIR"] = _FOLDER
# An open Chromium keeps an event loop running in the worker's thread, where Django would then refuse every query of
# the tests that come after it. No code of ours is asynchronous, so there is nothing to protect.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

from memoryadmin.settings import *  # noqa: E402, F403

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
