"""Lengths of time as people type them in a policy: `2d 4h 30min`. Plain Python."""

from __future__ import annotations

import re
from datetime import timedelta

_FORM = re.compile(r"(?:(\d{1,4}) ?d)? ?(?:(\d{1,5}) ?h)? ?(?:(\d{1,6}) ?min)?")


def read(text: str) -> timedelta | None:
    """The length, None where the text is none."""
    found = _FORM.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes = (int(part or 0) for part in found.groups())
    return timedelta(days=days, hours=hours, minutes=minutes)


def said(length: timedelta) -> str:
    """The same back: whole minutes, the largest unit first."""
    minutes = int(length.total_seconds()) // 60
    parts = ((minutes // 1440, "d"), (minutes % 1440 // 60, "h"), (minutes % 60, "min"))
    return " ".join(f"{number}{unit}" for number, unit in parts if number) or "0min"
