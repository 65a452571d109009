"""Every setting of the product, in one file; what may differ per installation comes from the environment.

A secret may also be given as `NAME_FILE`, a file that holds it. README lists the same names, and a test
compares.
"""

import os
import secrets
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


class _Environment(environ.FileAwareEnv):  # type: ignore[misc]
    """Names the setting when its value is no number, which the library's own message leaves out."""

    def int(self, name: str, default: int) -> int:
        try:
            return int(super().int(name, default=default))
        except ValueError:
            raise ImproperlyConfigured(f"{name} must be a whole number, not {self.str(name)!r}.") from None


env = _Environment()


def _data_dir() -> Path:
    """Return the data folder, made readable to its owner only when it was not there yet."""
    path = Path(env.str("MEMORYADMIN_DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"MEMORYADMIN_DATA_DIR: cannot make {path}: {error.strerror}.") from None
    return path


# Where everything this installation writes lives: database, folder store, broker folder, secret key.
DATA_DIR = _data_dir()
HOST = env.str("MEMORYADMIN_HOST", default="127.0.0.1")
PORT = env.int("MEMORYADMIN_PORT", default=8000)
# 1: the first `up` loads the demo company; 0: an empty installation with a one-time sign-in link for its
# first admin.
DEMO = env.bool("MEMORYADMIN_DEMO", default=True)
DEBUG = env.bool("MEMORYADMIN_DEBUG", default=False)


def _secret_key() -> str:
    """Return the configured key, else one made once for this data folder and readable by its owner only."""
    given = env.str("MEMORYADMIN_SECRET_KEY", default="")
    if given:
        return str(given)
    kept = DATA_DIR / "secret-key"
    if not kept.exists():
        made = DATA_DIR / f".secret-key.{os.getpid()}"
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as handle:
            handle.write(secrets.token_urlsafe(50))
        try:
            os.link(made, kept)  # the first process wins; the others read what it wrote
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return kept.read_text().strip()


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.list("MEMORYADMIN_ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("MEMORYADMIN_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "memoryadmin.apps.MemoryAdminConfig",
]

MIDDLEWARE = [
    "memoryadmin.web.requests.RequestIdMiddleware",
    "memoryadmin.web.headers.SecurityHeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "memoryadmin.web.requests.SignInRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memoryadmin.web.requests.ActorMiddleware",
    "memoryadmin.web.errors.ErrorMiddleware",
]

ROOT_URLCONF = "memoryadmin.urls"
WSGI_APPLICATION = "memoryadmin.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.messages.context_processors.messages",
                "memoryadmin.web.requests.rail",
            ],
            "builtins": ["memoryadmin.web.tags", "memoryadmin.web.page_tags", "django_htmx.templatetags.django_htmx"],
        },
    }
]

# SQLite by default. IMMEDIATE takes the write lock when a transaction begins, so that two savers queue
# instead of failing with "database is locked" in the middle; FULL survives a power cut.
_SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}
_DATABASE_URL = env.str("DATABASE_URL", default="")
if _DATABASE_URL:
    DATABASES = {"default": env.db_url_config(_DATABASE_URL)}
else:
    DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / "memoryadmin.sqlite3"}}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = dict(_SQLITE_OPTIONS)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The mirror of memory files that agents mount.
STORE_DIR = DATA_DIR / "store"

AUTH_USER_MODEL = "memoryadmin.Person"
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "signin"
CSRF_FAILURE_VIEW = "memoryadmin.web.errors.csrf_failed"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("MEMORYADMIN_HTTPS", default=False)
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}

# An edit of the largest kept file must fit in a form; the ledger's own limit answers with size and limit.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 5000
# Uploads go to a temporary file; one over the limit of imports is refused by its announced length.
FILE_UPLOAD_HANDLERS = ["memoryadmin.web.uploads.LimitingUploadHandler"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20000
# Largest file that people and runtimes may write, in bytes; imports of larger real files are kept and marked.
HARD_LIMIT_BYTES = env.int("MEMORYADMIN_HARD_LIMIT_BYTES", default=102_400)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ru", "Русский")]
LOCALE_PATHS = [BASE_DIR / "memoryadmin" / "locale"]
USE_I18N = True
TIME_ZONE = env.str("MEMORYADMIN_TIME_ZONE", default="UTC")
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Collected by `up`; in debug they come from the sources: nothing to collect, and no folder that would be missed.
STATIC_ROOT = None if DEBUG else DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG

# Celery only says "look now"; the job table is the queue. Without Redis the messages go through a folder.
REDIS_URL = env.str("REDIS_URL", default="")
CELERY_BROKER_FOLDER = DATA_DIR / "broker"
CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    # A broker that is down must not hold up a save: try once more, at once, and leave it to the next tick.
    {"max_retries": 1, "interval_start": 0, "socket_connect_timeout": 2, "socket_timeout": 10}
    if REDIS_URL
    else {
        "data_folder_in": str(CELERY_BROKER_FOLDER / "queue"),
        "data_folder_out": str(CELERY_BROKER_FOLDER / "queue"),
        "control_folder": str(CELERY_BROKER_FOLDER / "control"),
        "polling_interval": 0.5,
    }
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
# The one tick needs no memory of earlier runs, so no schedule file that a crash could damage.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SOFT_TIME_LIMIT = 540

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"memoryadmin": {"level": "INFO"}},
}
