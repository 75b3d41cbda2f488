"""Writes the outbox as the record is written: in one transaction with the change, so that neither is without the other."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.audit.signals import recorded
from kafkaconsole.groups.models import Claim
from kafkaconsole.notifications import claim_news, outbox, recipients
from kafkaconsole.notifications.topics import TOLD
from kafkaconsole.resets.models import ResetRequest


def connect() -> None:
    """Called once, when the apps are ready."""
    recorded.connect(_recorded, dispatch_uid="notifications.recorded")


def _recorded(*, event: AuditEvent, target: models.Model, **_: Any) -> None:
    if isinstance(target, Claim) and event.verb in claim_news.SENTENCES:
        told = claim_news.people_of(event, target) if settings.MAIL_IS_SET_UP else []
        outbox.write(told, occasion=f"event:{event.number}", at=event.at, event=event, claim=target)
    if event.verb not in TOLD or not isinstance(target, ResetRequest):
        return
    request = ResetRequest.objects.select_related("team", "requester").get(pk=target.pk)
    told = recipients.channels_of(event, request)
    if settings.MAIL_IS_SET_UP:
        told += recipients.people_of(event, request)
    outbox.write(told, occasion=_occasion(event, request), at=event.at, event=event, request=request)


def _occasion(event: AuditEvent, request: ResetRequest) -> str:
    """What is told once: the event. A request that waits is looked at every few seconds, and may be each time recorded
    to wait still: that is told once for a plan and a reason."""
    if event.verb != "reset.waiting":
        return f"event:{event.number}"
    problem = event.facts.get("problem")
    why = problem.get("code", "") if isinstance(problem, dict) else ""
    return f"waiting:{request.pk}:{request.plan_id}:{why}"[:160]
