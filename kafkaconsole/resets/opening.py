"""Whether a plan may be carried out now, by the windows and freezes of its policy and by the database's clock.

The database's, because a worker whose own clock is wrong must open no window (and every worker asks the same one).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models.functions import Now

from kafkaconsole.problems import problem
from kafkaconsole.resets import governing
from kafkaconsole.resets.models import ResetRequest

WINDOW_CLOSED = "approval.window_closed"
LOOK_AGAIN = timedelta(hours=1)
"""Where no opening is in sight, it is looked again so soon."""


@dataclass(frozen=True, slots=True)
class Closed:
    """Why it has to wait, and until when."""

    trouble: dict[str, object]
    until: datetime


def closed(request: ResetRequest) -> Closed | None:
    """None: it may be carried out now, also because someone set the windows aside for this plan."""
    version = governing.version_of(request)
    if not (version.rules.windows or version.rules.freezes) or request.overrides.filter(plan=request.plan_id).exists():
        return None
    now = database_now(request)
    found = version.rules.closed(now)
    if found is None:
        return None
    facts = {"policy": version.name, "opens_at": found.opens_at, "why": found.why, "zone": version.rules.zone}
    return Closed(problem(WINDOW_CLOSED, **facts), found.opens_at or now + LOOK_AGAIN)


def database_now(request: ResetRequest) -> datetime:
    """The instant by the database's clock."""
    rows = ResetRequest.objects.filter(pk=request.pk).annotate(clock=Now())
    clock: datetime = rows.values_list("clock", flat=True).get()
    return clock
