"""Settings for tests, set before Django reads them; a test run may set DATABASE_URL and CELERY_BROKER_URL itself."""

import os

os.environ.setdefault("SECRET_KEY", "tests-only-not-secret")
os.environ.setdefault("AUDIT_KEY", "tests-only-audit-key")
os.environ.setdefault("FIELD_KEYS", "dGVzdHMtb25seS1maWVsZC1rZXktMDEyMzQ1Njc4OSE=")
os.environ.setdefault("LOG_FORMAT", "plain")
os.environ.setdefault("DEBUG", "false")
os.environ.setdefault("NUDGE_AFTER_S", "1")
os.environ.setdefault("RESET_TICK_S", "1")
os.environ.setdefault("SETTLE_PAUSE_S", "0")
os.environ.setdefault("SECOND_READING_PAUSE_S", "0")
