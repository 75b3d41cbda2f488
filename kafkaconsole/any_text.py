"""Text of any content in the database: PostgreSQL takes no NUL, and clients built on librdkafka end metadata with one."""

from __future__ import annotations

import re
from typing import Any

from django.db import models

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def escape(text: str) -> str:
    """The text without NUL; `unescape` gives it back."""
    return text.replace("\\", "\\\\").replace("\0", "\\0")


def unescape(stored: str) -> str:
    """The text that `escape` was given."""
    return _ESCAPED.sub(lambda found: "\0" if found[1] == "0" else found[1], stored)


class AnyTextField(models.TextField):  # type: ignore[type-arg]  # not subscriptable when it runs
    """A text that may hold NUL; never searched by content."""

    def get_prep_value(self, value: Any) -> Any:
        """Escape on the way to the database."""
        return escape(value) if isinstance(value, str) else value

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Plain on the way out."""
        return None if value is None else unescape(value)
