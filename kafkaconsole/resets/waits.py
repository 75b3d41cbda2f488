"""How long an approved request waits for its group to be Empty: as long as the policy of its plan says."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from kafkaconsole.problems import problem
from kafkaconsole.resets import governing, refusals
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State

WAITED_TOO_LONG = "approval.waited_too_long"


def limited(request: ResetRequest, target: State, trouble: dict[str, object]) -> tuple[State, dict[str, object]]:
    """Where a request goes that was found not ready: where it was to go, or *stale* where it has waited too long.

    The trouble of a group in use carries since when it has been so (`since`), from look to look.
    """
    if target is not State.WAITING or trouble["code"] != refusals.GROUP_STILL_ACTIVE:
        return target, trouble
    now = timezone.now()
    since = _since(request) or now
    version = governing.version_of(request)
    limit = version.rules.wait_limit
    if limit is not None and since + limit <= now:
        facts = {"group": request.group_name, "limit_s": int(limit.total_seconds()), "policy": version.name}
        return State.STALE, problem(WAITED_TOO_LONG, **facts)
    facts = trouble["facts"] if isinstance(trouble["facts"], dict) else {}
    return target, {"code": trouble["code"], "facts": facts | {"since": since.isoformat()}}


def _since(request: ResetRequest) -> datetime | None:
    held = request.problem or {}
    facts = held.get("facts")
    if held.get("code") != refusals.GROUP_STILL_ACTIVE or not isinstance(facts, dict) or "since" not in facts:
        return None
    return datetime.fromisoformat(str(facts["since"]))
