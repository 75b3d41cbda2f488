"""The zones that a form offers for a wall clock: the reader's own, the browser's, the cluster's, UTC, then all."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from kafkaconsole.resets.instants import zone_names

AS_WRITTEN = "as_written"
"""The moment carries its own offset (Z, +09:00) or is an epoch: no zone is added."""

Choices = list[tuple[str, str | list[tuple[str, str]]]]


def zone_choices(*, browser: str = "", cluster: str = "") -> Choices:
    """Grouped choices for a select; the browser's and the cluster's zone are named as such where they are others."""
    own = timezone.get_current_timezone_name()
    first = {own: own} if own in zone_names() else {}
    for zone, label in ((browser, _("%(zone)s (this browser’s)")), (cluster, _("%(zone)s (the cluster’s)"))):
        if zone in zone_names():
            first.setdefault(zone, label % {"zone": zone})
    first.setdefault("UTC", "UTC")
    rest = [(name, name) for name in sorted(zone_names()) if "/" in name and not name.startswith(("posix/", "right/"))]
    return [
        (_("Likely"), [*first.items(), (AS_WRITTEN, _("as written in the moment (Z, +09:00, epoch)"))]),
        (_("All zones"), [one for one in rest if one[0] not in first]),
    ]
