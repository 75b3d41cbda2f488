"""All settings, switched by the environment alone. Names are listed in docs/settings.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from kafkaconsole import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.text("SECRET_KEY")
FIELD_KEYS = env.listed("FIELD_KEYS")
AUDIT_KEY = env.text("AUDIT_KEY")
ALLOWED_HOSTS = env.listed("ALLOWED_HOSTS", "localhost,127.0.0.1")
CSRF_TRUSTED_ORIGINS = env.listed("CSRF_TRUSTED_ORIGINS")
PUBLIC_URL = env.text("PUBLIC_URL", "http://localhost:8000")
HTTPS = PUBLIC_URL.startswith("https://")
if not FIELD_KEYS:
    raise ImproperlyConfigured("FIELD_KEYS must hold at least one Fernet key")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "django_htmx",
    "django_structlog",
    "csp",
    "kafkaconsole.display",
    "kafkaconsole.accounts",
    "kafkaconsole.audit",
    "kafkaconsole.teams",
    "kafkaconsole.clusters",
    "kafkaconsole.groups",
    "kafkaconsole.history",
    "kafkaconsole.approvals",
    "kafkaconsole.resets",
    "kafkaconsole.records",
    "kafkaconsole.notifications",
    "kafkaconsole.overview",
    "kafkaconsole.api",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "kafkaconsole.overview.middleware.NothingKept",
    "kafkaconsole.overview.middleware.OneSlashTooMany",
    "csp.middleware.CSPMiddleware",
    "kafkaconsole.api.middleware.ApiProblems",
    "kafkaconsole.api.middleware.ApiPaths",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "kafkaconsole.accounts.middleware.RequestsWithoutCodes",
    "kafkaconsole.audit.origin.Whence",
    "kafkaconsole.accounts.middleware.BrowserSeen",
    "kafkaconsole.accounts.middleware.TimeZoneMiddleware",
    "kafkaconsole.accounts.middleware.OwnPassword",
    "kafkaconsole.teams.middleware.SecondFactorFirst",
    "kafkaconsole.overview.middleware.ProblemPages",
]

ROOT_URLCONF = "kafkaconsole.urls"
WSGI_APPLICATION = "kafkaconsole.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "kafkaconsole.overview.context.shell",
            ],
            "builtins": ["kafkaconsole.display.templatetags.display"],
        },
    }
]

# --- data ---------------------------------------------------------------------------------------


def database(url: str) -> dict[str, Any]:
    """SQLite in WAL mode with IMMEDIATE transactions, or PostgreSQL with a connection pool."""
    config: dict[str, Any] = dict(environ.Env.db_url_config(url))
    options = config.setdefault("OPTIONS", {})
    if config["ENGINE"].endswith("sqlite3"):
        options.update(
            transaction_mode="IMMEDIATE",
            timeout=20,
            init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        )
    else:
        options.update(pool={"min_size": 1, "max_size": env.whole("DATABASE_POOL", 8, least=1)})
        config["CONN_MAX_AGE"] = 0
    return config


DATABASES = {"default": database(env.text("DATABASE_URL", f"sqlite:///{BASE_DIR / 'console.sqlite3'}"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


def cache(url: str) -> dict[str, Any]:
    """Where limits and used codes are counted for all web processes: Redis or Valkey at `url`, else the database."""
    if not url:
        return {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache_entries"}
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured("CACHE_URL must begin with redis://, rediss:// or unix://")
    patience = {"socket_connect_timeout": 3, "socket_timeout": 3}
    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "KEY_PREFIX": "kafkaconsole",
        "OPTIONS": patience,
    }


CACHES = {"default": cache(env.text("CACHE_URL", ""))}

# --- people -------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["kafkaconsole.accounts.backends.PeopleAlone"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_FORMS = {"login": "kafkaconsole.accounts.forms.SignInForm"}
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "kafkaconsole.accounts.adapters.ClosedSignup"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
# Failed sign-ins: by address, and by name and address together (accounts.adapters), never by a name alone.
ACCOUNT_RATE_LIMITS = {"login_failed": "20/m/ip,5/5m/key"}
ALLAUTH_TRUSTED_PROXY_COUNT = env.whole("TRUSTED_PROXIES", 0)
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ADAPTER = "kafkaconsole.accounts.second_factors.Sealed"
MFA_TOTP_TOLERANCE = 1  # clocks of phones are off by some seconds; a code is good for once all the same
MFA_ALLOW_UNVERIFIED_EMAIL = True  # administrators make accounts, so an address is no claim by a stranger
SECOND_FACTOR_ROLES = env.chosen("SECOND_FACTOR_ROLES", ["administrator", "auditor", "owner", "approver", "member"])

# A provider of sign-ins (OpenID Connect), where one is set up; docs/decisions/0063 says what it is believed.
OIDC_SERVER_URL = env.matching(
    "OIDC_SERVER_URL", r"|https://[^\s?#]+|http://(localhost|127\.0\.0\.1)(:\d+)?[^\s?#]*"
).rstrip("/")
OIDC_NAME = env.text("OIDC_NAME", "OpenID Connect")
OIDC_GROUPS_CLAIM = env.text("OIDC_GROUPS_CLAIM", "groups")
OIDC_ROLES = env.mapped("OIDC_ROLES", r"administrator|auditor|[a-z0-9][a-z0-9-]*:(member|approver|owner)")


def provider(server: str) -> dict[str, Any]:
    """The sign-in library's description of the provider at that address; none where it is empty."""
    if not server:
        return {}
    known = {"provider_id": "company", "name": OIDC_NAME, "client_id": env.text("OIDC_CLIENT_ID")}
    details = {"server_url": server, "oauth_pkce_enabled": True}
    scope = ["openid", "profile", "email", *env.listed("OIDC_SCOPES")]
    app = {**known, "secret": env.text("OIDC_CLIENT_SECRET"), "settings": details}
    return {"openid_connect": {"APPS": [app], "SCOPE": scope}}


SOCIALACCOUNT_PROVIDERS = provider(OIDC_SERVER_URL)
SOCIALACCOUNT_ADAPTER = "kafkaconsole.accounts.provider.Provider"
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"

# --- mail ---------------------------------------------------------------------------------------


def mail_server(url: str) -> dict[str, Any]:
    """Django's EMAIL_ settings for an address such as smtp+tls://user:password@host:587; empty: no mail is sent."""
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    known = environ.Env.email_url_config(url)
    return {name: value for name, value in known.items() if value is not None} | {"EMAIL_TIMEOUT": 10}


MAIL_URL = env.text("MAIL_URL", "")
MAIL_IS_SET_UP = bool(MAIL_URL)
globals().update(mail_server(MAIL_URL))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("MAIL_FROM", "Kafka Console <console@localhost>")

NOTIFY_BATCH = env.seconds("NOTIFY_BATCH_S", 60, least=0)
NOTIFY_KEEP = env.seconds("NOTIFY_KEEP_S", 90 * 86_400, least=86_400)
REMIND_BEFORE = env.seconds("REMIND_BEFORE_S", 86_400, least=60)
NOTIFY_TRY_FOR = env.seconds("NOTIFY_TRY_FOR_S", 2 * 86_400, least=86_400)
ALLOW_INTERNAL_WEBHOOKS = env.flag("ALLOW_INTERNAL_WEBHOOKS", default=False)

# --- language and time --------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ko", "한국어")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- static files -------------------------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / ".static")))
WHITENOISE_USE_FINDERS = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": env.text("STATIC_STORAGE", "django.contrib.staticfiles.storage.StaticFilesStorage")},
}

# --- safety -------------------------------------------------------------------------------------

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
COOKIE_PREFIX = env.matching("COOKIE_PREFIX", "[A-Za-z0-9_-]{0,64}")
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 12 * 3600
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        # Signing in by the provider begins with a form that leads there, and a browser asks this of where it leads.
        "form-action": ["'self'", *([urlsplit(OIDC_SERVER_URL)._replace(path="").geturl()] if OIDC_SERVER_URL else [])],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "manifest-src": ["'self'"],
    }
}
CSRF_FAILURE_VIEW = "kafkaconsole.overview.views.refusals.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024  # a file of offsets may be 10 MB

# --- work ---------------------------------------------------------------------------------------

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL", "redis://127.0.0.1:6379/0")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "socket_connect_timeout": 3,
    "socket_timeout": 10,
    # A page does not wait for a dead broker (kombu would try for 6 s): the row is the work.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
}
CELERY_TASK_DEFAULT_QUEUE = "plan"
CELERY_TASK_SOFT_TIME_LIMIT = 120
CELERY_TASK_TIME_LIMIT = 150
CELERY_TASK_ROUTES = {
    "resets.preview": {"queue": "plan"},
    "resets.plan": {"queue": "plan"},
    "clusters.test": {"queue": "plan"},
    "clusters.tick": {"queue": "notify"},
    "records.export": {"queue": "plan"},
    "records.look": {"queue": "plan"},
    "records.tick": {"queue": "plan"},
    "records.retain": {"queue": "sweep"},
    "resets.execute": {"queue": "execute"},
    "resets.settle": {"queue": "execute"},
    "resets.tick": {"queue": "execute"},
    "history.sweep": {"queue": "sweep"},
    "history.tick": {"queue": "sweep"},
    "history.retain": {"queue": "sweep"},
    "accounts.tidy": {"queue": "notify"},
    "api.tidy": {"queue": "notify"},
    "audit.check": {"queue": "sweep"},
    "audit.tick": {"queue": "notify"},
    "audit.anchor": {"queue": "notify"},
    "notifications.mail": {"queue": "notify"},
    "notifications.post": {"queue": "notify"},
    "notifications.tick": {"queue": "notify"},
    "notifications.remind": {"queue": "notify"},
}
SWEEP_INTERVAL = env.seconds("SWEEP_INTERVAL_S", 30, least=5)
RESET_TICK = env.seconds("RESET_TICK_S", 10, least=1)
CELERY_BEAT_SCHEDULE = {
    "pick up resets that a lost message left behind": {"task": "resets.tick", "schedule": RESET_TICK},
    "pick up connection tests that a lost message left behind": {"task": "clusters.tick", "schedule": RESET_TICK},
    "start the sweeps that are due": {"task": "history.tick", "schedule": 5.0},
    "drop history past its retention": {"task": "history.retain", "schedule": 3600.0},
    "pick up exports that a lost message left behind": {"task": "records.tick", "schedule": RESET_TICK},
    "drop exports past their keeping time": {"task": "records.retain", "schedule": 3600.0},
    "drop expired tokens, keys and sessions": {"task": "accounts.tidy", "schedule": 3600.0},
    "drop answers kept for repeated calls": {"task": "api.tidy", "schedule": 3600.0},
    "check the audit chain each day": {"task": "audit.tick", "schedule": RESET_TICK},
    "remind of what will expire, and of what waits": {"task": "notifications.remind", "schedule": 300.0},
    "tell people and channels what is due": {"task": "notifications.tick", "schedule": RESET_TICK},
    "say outside the database how far the audit record reaches": {"task": "audit.anchor", "schedule": 3600.0},
}
CELERY_BEAT_SCHEDULE_FILENAME = env.text("BEAT_SCHEDULE_FILE", str(BASE_DIR / "beat-schedule"))

AUDIT_KEEP = env.seconds("AUDIT_KEEP_S", 365 * 86_400, least=86_400)
AUDIT_ANCHORS = env.path("AUDIT_ANCHORS")
HISTORY_RETENTION = env.seconds("HISTORY_RETENTION_S", 90 * 86_400, least=3600)
WORK_LEASE = env.seconds("WORK_LEASE_S", 20, least=4)
ATTEMPT_LEASE = env.seconds("ATTEMPT_LEASE_S", 60, least=5)
LATE_WRITE = env.seconds("LATE_WRITE_S", 120, least=0)
SETTLE_LIMIT = env.seconds("SETTLE_LIMIT_S", 86_400, least=60)
SETTLE_PAUSE = env.seconds("SETTLE_PAUSE_S", 2, least=0)
SECOND_READING_PAUSE = env.seconds("SECOND_READING_PAUSE_S", 3, least=0)
REQUEST_LIFE = env.seconds("REQUEST_LIFE_S", 7 * 86_400, least=60)
RISK_REPLAYED = env.whole("RISK_REPLAYED", 1_000_000)  # replaying more than this is risky
RISK_SHARE_PERCENT = env.whole("RISK_SHARE_PERCENT", 50, least=1)  # or this much of what the logs hold
NUDGE_AFTER = env.seconds("NUDGE_AFTER_S", 10, least=1)
PREVIEW_LIFE = env.seconds("PREVIEW_LIFE_S", 86_400, least=60)
API_CALLS_PER_MINUTE = env.whole("API_CALLS_PER_MINUTE", 600)  # by token, or by person in a browser; 0: no limit
EXPORT_LIFE = env.seconds("EXPORT_LIFE_S", 86_400, least=60)
EXPORT_MAX_RECORDS = env.whole("EXPORT_MAX_RECORDS", 1_000_000, least=1)
EXPORT_MAX_BYTES = env.whole("EXPORT_MAX_BYTES", 256 * 1024 * 1024, least=1024)

# --- logs ---------------------------------------------------------------------------------------

LOG_FORMAT = env.text("LOG_FORMAT", "json")
from kafkaconsole import logs  # noqa: E402  the format is known only here

LOGGING = logs.configuration(LOG_FORMAT)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
