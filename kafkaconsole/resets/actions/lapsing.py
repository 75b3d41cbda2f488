"""Right before an approved request is carried out: does what carried it still do so (docs/decisions/0051)?"""

from __future__ import annotations

from django.db import transaction

from kafkaconsole.audit import actions as audit
from kafkaconsole.resets import lapses
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State


def lapsed(request: ResetRequest) -> bool:
    """Whether nothing carries the request any more; then it has been sent back, with the reason and a record.

    It is *stale* where no signature could mend it: then only planning again does.
    Raises StateMoved when someone else was first.
    """
    trouble = lapses.of(request)
    if trouble is None:
        return False
    target = State.STALE if trouble["code"] in (lapses.TOO_OLD, lapses.MAY_NOT_ASK) else State.PLANNED
    unsigned = {"approved_digest": ""} if target is State.PLANNED else {}
    with transaction.atomic():
        row = ResetRequest.objects.filter(pk=request.pk, plan=request.plan_id)
        row.move(State(request.state), target, problem=trouble, nudge_at=None, **unsigned)
        verb = "reset.stale" if target is State.STALE else "reset.sent_back"
        audit.record(verb, actor=None, target=request, facts={"problem": trouble, "digest": request.plan_digest})
    return True
