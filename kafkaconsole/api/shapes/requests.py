"""Requests, what was said of them, and what became of them."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from kafkaconsole.api.paging import PageQuery
from kafkaconsole.api.shapes.plans import PlanOut, Totals
from kafkaconsole.api.shapes.values import InstantText, Offset, ProblemOut, instant, instant_text, problem
from kafkaconsole.audit.queries import timeline_of
from kafkaconsole.display.sentences import sentence
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets import governing, policies
from kafkaconsole.resets.models import Attempt, AttemptResult, ResetRequest

StateName = Literal[
    "planning", "planned", "plan_failed", "approved", "waiting", "executing", "uncertain", "applied",
    "partly_applied", "failed", "rejected", "cancelled", "expired", "stale",
]  # fmt: skip


class RequestQuery(PageQuery):
    """Which requests; every filter is exact."""

    state: StateName | None = None
    cluster: str | None = Field(None, min_length=1, max_length=60)
    group: str | None = Field(None, min_length=1, max_length=LONGEST_GROUP_NAME)
    team: str | None = Field(None, min_length=1, max_length=50, description="Slug of a team")
    requester: str | None = Field(None, min_length=1, max_length=150, description="A user name")
    waiting_for_me: bool = Field(False, description="Only what the caller may sign and has not yet")


class WaitQuery(Schema):
    """How long the answer may take, and for what it waits."""

    wait_s: float = Field(0, ge=0, le=20)


class RequestWait(WaitQuery):
    """Without `until` it waits while the console itself is at work on the request."""

    until: StateName | None = Field(None, description="Answer in this state, or in one that never changes again")


class Decide(Schema):
    """A decision on the plan with this digest."""

    model_config = ConfigDict(extra="forbid", strict=True)

    digest: str = Field(..., min_length=1, max_length=64)
    comment: str = Field("", max_length=10_000)


class CancelIn(Schema):
    """Why, if one wants to say it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    comment: str = Field("", max_length=10_000)


class CommentIn(Schema):
    """What to say."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(..., min_length=1, max_length=10_000)


class UndoIn(Schema):
    """Why."""

    model_config = ConfigDict(extra="forbid", strict=True)

    reason: str = Field(..., min_length=1, max_length=10_000)


class PolicyOut(Schema):
    """Signatures needed and given, in words who may give those that are missing, and the policy that says so."""

    needed: int
    given: int
    who: str
    name: str = Field(..., description="The policy that applied when the plan was made")
    version: int


class RiskReasonOut(Schema):
    """One thing that makes a plan risky."""

    code: str
    level: Literal["low", "raised", "high"]
    detail: str
    facts: dict[str, Any]


class RiskOut(Schema):
    """How risky a plan is: the highest level of its reasons."""

    level: Literal["low", "raised", "high"]
    reasons: list[RiskReasonOut]


class ApprovalOut(Schema):
    """One approver's signature on one digest."""

    by: str
    decision: Literal["approved", "rejected"]
    digest: str
    comment: str
    at: InstantText
    withdrawn_at: InstantText | None


class CommentOut(Schema):
    """What someone said."""

    by: str
    text: str
    at: InstantText


class ResultOut(Schema):
    """What became of one partition."""

    topic: str
    partition: int
    before: Offset | None
    target: Offset | None
    after: Offset | None
    state: Literal["intended", "written", "done", "failed", "unknown"]
    problem: ProblemOut | None

    @classmethod
    def of(cls, row: AttemptResult) -> ResultOut:
        """From its row."""
        plain = {field: getattr(row, field) for field in ("topic", "partition", "before", "target", "after")}
        return cls.model_validate({**plain, "state": str(row.state), "problem": problem(row.problem)})


class AttemptOut(Schema):
    """One try at executing the plan."""

    id: int
    state: Literal["running", "uncertain", "applied", "partly_applied", "failed", "stopped"]
    started_at: InstantText
    ended_at: InstantText | None
    problem: ProblemOut | None
    results: list[ResultOut]

    @classmethod
    def of(cls, row: Attempt) -> AttemptOut:
        """From its rows."""
        return cls.model_validate(
            {
                "id": row.pk,
                "state": str(row.state),
                "started_at": instant_text(row.started_at),
                "ended_at": instant(row.ended_at),
                "problem": problem(row.problem),
                "results": [ResultOut.of(one) for one in row.results.all()],
            }
        )


class EventOut(Schema):
    """One entry of the audit record about this request."""

    number: int
    at: InstantText
    actor: str
    verb: str
    facts: dict[str, Any]


class OverrideOut(Schema):
    """A rule that was set aside for the plan: its windows, or in an emergency its signatures (the glass)."""

    kind: Literal["window", "glass"]
    by: str
    reason: str
    at: InstantText


class RequestRow(Schema):
    """A request as lists show it: the plan's totals without its lines."""

    id: int
    state: StateName
    state_since: InstantText
    cluster: str
    group: str
    requester: str
    team: str
    reason: str
    ticket: str
    change: dict[str, Any]
    digest: str | None
    totals: Totals | None
    problem: ProblemOut | None
    policy: PolicyOut
    risk: RiskOut | None
    created_at: InstantText
    not_before: InstantText | None
    expires_at: InstantText
    undo_of: int | None
    batch: int | None = Field(..., description="The batch that it was asked for in, if any")
    as_of: InstantText | None

    @classmethod
    def fields_of(cls, row: ResetRequest) -> dict[str, Any]:
        """The fields of its row."""
        signoff, version = policies.signoff_of(row), governing.version_of(row)
        return {
            "id": row.pk,
            "state": str(row.state),
            "state_since": instant_text(row.state_since),
            "cluster": row.cluster.name,
            "group": row.group_name,
            "requester": row.requester.username,
            "team": row.team.slug,
            "reason": row.reason,
            "ticket": row.ticket,
            "change": row.change,
            "digest": row.plan_digest or None,
            "totals": _totals(row),
            "problem": problem(row.problem),
            "policy": {
                "needed": signoff.needed,
                "given": signoff.given,
                "who": signoff.who,
                "name": version.name,
                "version": version.number,
            },
            "risk": _risk(row),
            "created_at": instant_text(row.created_at),
            "not_before": instant(row.not_before),
            "expires_at": instant_text(row.expires_at),
            "undo_of": row.undo_of_id,
            "batch": row.batch_id,
            "as_of": instant(row.plan.planned_at) if row.plan else None,
        }


def _risk(row: ResetRequest) -> dict[str, Any] | None:
    if row.plan is None or row.plan.risk is None:
        return None
    reasons = [one | {"detail": sentence(one["code"], one["facts"])} for one in row.plan.risk["reasons"]]
    return {"level": row.plan.risk["level"], "reasons": reasons}


def _totals(row: ResetRequest) -> dict[str, int] | None:
    plan = row.plan
    if plan is None:
        return None
    return {
        "partitions": plan.partitions_count,
        "changed": plan.changed_count,
        "replayed": plan.replayed,
        "skipped": plan.skipped,
    }


class RequestList(Schema):
    """A page of requests."""

    items: list[RequestRow]
    next: str | None
    as_of: InstantText


class RequestOut(RequestRow):
    """A request with everything on it. `follow_up` is null until the console has looked at what the group did after."""

    revision: int = Field(..., description="1, and one more for each time what it asks for was changed")
    plan: PlanOut | None
    approvals: list[ApprovalOut]
    overrides: list[OverrideOut]
    comments: list[CommentOut]
    attempts: list[AttemptOut]
    follow_up: dict[str, Any] | None
    events: list[EventOut]

    @classmethod
    def of(cls, row: ResetRequest) -> RequestOut:
        """From its rows."""
        approvals = row.approvals.select_related("by", "withdrawal")
        comments = row.comments.select_related("by")
        attempts = row.attempts.prefetch_related("results")
        return cls.model_validate(
            {
                **cls.fields_of(row),
                "revision": row.revisions.count() + 1,
                "plan": PlanOut.of(row.plan) if row.plan else None,
                "approvals": [
                    {
                        "by": one.by.username,
                        "decision": str(one.decision),
                        "digest": one.digest,
                        "comment": one.comment,
                        "at": instant_text(one.at),
                        "withdrawn_at": instant(one.withdrawal.at) if hasattr(one, "withdrawal") else None,
                    }
                    for one in approvals
                ],
                "overrides": [
                    {"kind": str(one.kind), "by": one.by.username, "reason": one.reason, "at": instant_text(one.at)}
                    for one in row.overrides.filter(plan=row.plan_id).select_related("by")
                ],
                "comments": [{"by": one.by.username, "text": one.text, "at": instant_text(one.at)} for one in comments],
                "attempts": [AttemptOut.of(one) for one in attempts],
                "follow_up": None,
                "events": [
                    {
                        "number": one.number,
                        "at": instant_text(one.at),
                        "actor": one.actor_name,
                        "verb": one.verb,
                        "facts": one.facts,
                    }
                    for one in timeline_of(row)
                ],
            }
        )
