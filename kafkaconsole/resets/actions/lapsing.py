"""Right before an approved request is carried out: do its signatures still carry it (docs/decisions/0051)?"""

from __future__ import annotations

from django.db import transaction

from kafkaconsole.audit import actions as audit
from kafkaconsole.resets import lapses
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State


def lapsed(request: ResetRequest) -> bool:
    """Whether the signatures no longer carry the request; then it has been sent back, with the reason and a record.

    Raises StateMoved when someone else was first.
    """
    trouble = lapses.of(request)
    if trouble is None:
        return False
    target = State.STALE if trouble["code"] == lapses.TOO_OLD else State.PLANNED
    unsigned = {"approved_digest": ""} if target is State.PLANNED else {}
    with transaction.atomic():
        row = ResetRequest.objects.filter(pk=request.pk, plan=request.plan_id)
        row.move(State(request.state), target, problem=trouble, nudge_at=None, **unsigned)
        verb = "reset.stale" if target is State.STALE else "reset.sent_back"
        audit.record(verb, actor=None, target=request, facts={"problem": trouble, "digest": request.plan_digest})
    return True
