"""Typed readers for settings from the environment; a wrong value stops the boot and names the variable."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str | None = None) -> str:
    """Read NAME, or the file that NAME_FILE points to (Docker secrets); no default means required."""
    file = os.environ.get(f"{name}_FILE")
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error.strerror} ({file})") from error
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"{name} (or {name}_FILE) must be set")
    return value


def flag(name: str, *, default: bool) -> bool:
    """Read true/false, yes/no, on/off or 1/0."""
    raw = os.environ.get(name, "true" if default else "false").strip().lower()
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, got {raw!r}")


def whole(name: str, default: int, *, least: int = 0) -> int:
    """Read a whole number of at least `least`."""
    raw = os.environ.get(name, str(default))
    if not (raw.isascii() and raw.isdecimal()) or int(raw) < least:
        raise ImproperlyConfigured(f"{name} must be a whole number of at least {least}, got {raw!r}")
    return int(raw)


def seconds(name: str, default: int, *, least: int = 1) -> timedelta:
    """Read whole seconds as a duration."""
    return timedelta(seconds=whole(name, default, least=least))


def listed(name: str, default: str = "") -> list[str]:
    """Read a comma-separated list; blanks around entries are dropped, empty entries too."""
    return [entry.strip() for entry in text(name, default).split(",") if entry.strip()]


def chosen(name: str, choices: list[str]) -> list[str]:
    """Read a comma-separated list of words out of `choices`; none when it is not set."""
    given = listed(name)
    unknown = [word for word in given if word not in choices]
    if unknown:
        raise ImproperlyConfigured(f"{name} may hold {', '.join(choices)}; got {', '.join(unknown)}")
    return given


def mapped(name: str, pattern: str) -> list[tuple[str, str]]:
    """Read `what=where; what=where`; the last = of an entry parts it, and `pattern` matches each right side."""
    entries = [entry.strip() for entry in text(name, "").replace("\n", ";").split(";") if entry.strip()]
    parted = [(left.strip(), right.strip()) for left, _, right in (entry.rpartition("=") for entry in entries)]
    for (left, right), entry in zip(parted, entries, strict=True):
        if not left or not re.fullmatch(pattern, right):
            raise ImproperlyConfigured(f"{name} must hold entries that end in = and {pattern}, got {entry!r}")
    return parted


def path(name: str) -> Path | None:
    """Read the path of a file; None when it is not set."""
    given = text(name, "")
    return Path(given) if given else None


def matching(name: str, pattern: str, default: str = "") -> str:
    """Read a text that a regular expression matches as a whole."""
    given = text(name, default)
    if not re.fullmatch(pattern, given):
        raise ImproperlyConfigured(f"{name} must match {pattern}, got {given!r}")
    return given
