"""The strategies that a policy can be for, as its form words them.

The apps that plan stand to the left of this one, so they are named here once more; a test compares.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

KINDS: tuple[tuple[str, str | Promise], ...] = (
    ("to_earliest", lazy("From the beginning")),
    ("to_datetime", lazy("From a moment")),
    ("by_duration", lazy("The last hours or days")),
    ("shift_by", lazy("Back or forward by a number")),
    ("to_offset", lazy("To one offset")),
    ("from_file", lazy("Each partition its own offset")),
    ("copy_group", lazy("Where another group stands")),
    ("restore", lazy("Back to where it was")),
    ("to_latest", lazy("To the end")),
    ("to_current", lazy("Where it stands now")),
    ("delete_offsets", lazy("Delete the commits")),
)
NAMES = frozenset(kind for kind, _label in KINDS)
