"""Checks of the whole chain as a worker's work: asked for on a page or due each day, told as they go."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.audit import anchors, queries, verifying
from kafkaconsole.audit.anchors import Anchor
from kafkaconsole.audit.errors import CheckUnderWay
from kafkaconsole.audit.models import AuditCheck
from kafkaconsole.audit.verifying import Broken, Verification

logger = logging.getLogger(__name__)

EVERY = timedelta(days=1)
AT_ONCE = 20_000
"""So many events are walked in about a second, while the caller waits."""
KEPT = 100
"""Checks that stay in the list of earlier ones."""
LEASE = timedelta(seconds=60)
"""A walk tells its progress about each second; one that is silent for so long is begun again."""


def newest(*, by: User) -> tuple[Verification, datetime]:
    """What is known of the chain, and since when: a short record is walked at once.

    For a long one a worker is asked, and the newest finished walk is given; CheckUnderWay while there is none.
    """
    head = queries.head()
    if head.number <= AT_ONCE:
        return verifying.verify(anchors=_kept_anchors()), timezone.now()
    under_way = ask(by=by)
    done = AuditCheck.objects.filter(is_open=False).first()
    if done is None or done.done_at is None:
        raise CheckUnderWay(checked=under_way.checked, total=head.number)
    why = Broken(done.why) if done.why else None
    return Verification(done.checked, done.number, why, 0, done.head_number, done.head_mac), done.done_at


def ask(*, by: User | None) -> AuditCheck:
    """A check to look at: the one that is under way, or a new one."""
    under_way = AuditCheck.objects.filter(is_open=True).first()
    if under_way is not None:
        return under_way
    try:
        with transaction.atomic():
            check = AuditCheck.objects.create(asked_by=by, nudge_at=timezone.now() + settings.NUDGE_AFTER)
            nudge.after_commit(nudge.Nudge.CHECK_AUDIT, check_id=check.pk)
    except IntegrityError:  # somebody asked at the same moment
        return AuditCheck.objects.get(is_open=True)
    return check


def run(*, check_id: int) -> None:
    """Walk, and keep what was found. One that is done stays as it is."""
    check = AuditCheck.objects.filter(pk=check_id, is_open=True).first()
    if check is None:
        return
    found = verifying.verify(anchors=_kept_anchors(), progress=_Teller(check))
    AuditCheck.objects.filter(pk=check.pk, is_open=True).update(
        is_open=False,
        done_at=timezone.now(),
        checked=found.checked,
        number=found.number,
        why=found.why or "",
        head_number=found.head_number,
        head_mac=found.head_mac,
    )
    if not found.whole:
        logger.error("The audit record is broken", extra={"number": found.number, "why": str(found.why)})


def tick() -> None:
    """Beat: begin the day's check, send again what a lost message or a dead worker left behind, forget the oldest."""
    now = timezone.now()
    newest = AuditCheck.objects.first()
    if newest is None or (not newest.is_open and newest.asked_at < now - EVERY):
        ask(by=None)
    for check in AuditCheck.objects.filter(is_open=True, nudge_at__lte=now):
        AuditCheck.objects.filter(pk=check.pk).update(nudge_at=now + LEASE)
        nudge.after_commit(nudge.Nudge.CHECK_AUDIT, check_id=check.pk)
    kept = AuditCheck.objects.values_list("pk", flat=True)[:KEPT]
    AuditCheck.objects.exclude(pk__in=list(kept)).delete()


class _Teller:
    """Writes the progress of a walk to its row, about once a second."""

    def __init__(self, check: AuditCheck) -> None:
        self._check, self._due = check, 0.0

    def __call__(self, checked: int, total: int) -> None:
        """Called after each page."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + 1
        renewed: datetime = timezone.now() + LEASE
        AuditCheck.objects.filter(pk=self._check.pk).update(checked=checked, total=total, nudge_at=renewed)


def _kept_anchors() -> Iterator[Anchor]:
    """Those of the file that AUDIT_ANCHORS names; none when it names none or does not exist yet."""
    file = settings.AUDIT_ANCHORS
    if file is not None and file.exists():
        with file.open(encoding="ascii") as lines:
            yield from anchors.read(lines)
