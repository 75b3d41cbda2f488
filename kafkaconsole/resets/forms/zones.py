"""The zones that a form offers for a wall clock: the reader's own first, then UTC, then all."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from kafkaconsole.resets.instants import zone_names

AS_WRITTEN = "as_written"
"""The moment carries its own offset (Z, +09:00) or is an epoch: no zone is added."""

Choices = list[tuple[str, str | list[tuple[str, str]]]]


def zone_choices() -> Choices:
    """Grouped choices for a select."""
    own = timezone.get_current_timezone_name()
    first = [own] if own in zone_names() else []
    if "UTC" not in first:
        first.append("UTC")
    rest = [(name, name) for name in sorted(zone_names()) if "/" in name and not name.startswith(("posix/", "right/"))]
    return [
        (
            _("Likely"),
            [*((name, name) for name in first), (AS_WRITTEN, _("as written in the moment (Z, +09:00, epoch)"))],
        ),
        (_("All zones"), rest),
    ]
