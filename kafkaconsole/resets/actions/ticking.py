"""What the clock does: the row is the work, so whatever a lost message left behind is picked up here."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.nudge import Nudge
from kafkaconsole.resets import queries
from kafkaconsole.resets.actions.ending import expire
from kafkaconsole.resets.errors import StateMoved
from kafkaconsole.resets.models import Attempt, Plan, Preview, ResetRequest
from kafkaconsole.resets.states import OPEN_ATTEMPT, PreviewState, State

logger = logging.getLogger(__name__)

AT_ONCE = 500
"""Rows per kind and tick; the rest come with the next ticks."""


def tick() -> None:
    """Expire, send again, let lost attempts be settled, and clear old previews away. Twice at once does no harm."""
    now = timezone.now()
    for request in queries.past_their_time(now)[:AT_ONCE]:
        _expire(request)
    for request in queries.left_behind(now)[:AT_ONCE]:
        task = Nudge.PLAN if request.state == State.PLANNING else Nudge.EXECUTE
        mine = ResetRequest.objects.filter(pk=request.pk, state=request.state, nudge_at=request.nudge_at)
        if mine.update(nudge_at=now + settings.NUDGE_AFTER, holder=None):
            nudge.after_commit(task, request_id=request.pk)
    for preview in Preview.objects.filter(state=PreviewState.PLANNING, nudge_at__lte=now)[:AT_ONCE]:
        mine_too = Preview.objects.filter(pk=preview.pk, state=PreviewState.PLANNING, nudge_at=preview.nudge_at)
        if mine_too.update(nudge_at=now + settings.NUDGE_AFTER, holder=None):
            nudge.after_commit(Nudge.PREVIEW, preview_id=str(preview.pk))
    for attempt_id in _lost_attempts():
        nudge.after_commit(Nudge.SETTLE, attempt_id=attempt_id)
    tidy_previews()


def tidy_previews() -> None:
    """Delete previews past PREVIEW_LIFE with the plans that were made for them alone."""
    old = Preview.objects.filter(created_at__lt=timezone.now() - settings.PREVIEW_LIFE)
    found = list(old.values_list("pk", "plan_id")[:AT_ONCE])
    with transaction.atomic():
        Preview.objects.filter(pk__in=[pk for pk, _ in found]).delete()
        Plan.objects.filter(pk__in=[plan for _, plan in found if plan], request=None).delete()


def _lost_attempts() -> list[int]:
    lost = Attempt.objects.filter(state__in=OPEN_ATTEMPT, lease_until__lte=timezone.now())
    return list(lost.order_by("lease_until").values_list("pk", flat=True)[:AT_ONCE])


def _expire(request: ResetRequest) -> None:
    try:
        expire(request=request)
    except StateMoved:
        logger.info("A request moved on before it expired", extra={"reset_id": request.pk})
