"""Plans and previews."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Schema

from kafkaconsole.api.shapes.values import InstantText, Offset, ProblemOut, instant, instant_text, problem
from kafkaconsole.display import sentences
from kafkaconsole.resets import storing
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.models import Plan, PlanLine, Preview
from kafkaconsole.resets.rules import rules_that_decide


class LineOut(Schema):
    """One partition of a plan. `wanted` may lie outside the log; `target` is null unless the action is `set`."""

    topic: str
    topic_id: str | None
    partition: int
    log_start: Offset | None
    log_end: Offset | None
    last_stable: Offset | None
    committed: Offset | None
    metadata: str | None
    leader_epoch: int | None
    wanted: int | None
    target: Offset | None
    action: Literal["set", "leave", "delete", "refuse"]
    why: str | None
    replayed: Offset | None
    skipped: Offset | None
    record_at: InstantText | None
    record_before_at: InstantText | None

    @classmethod
    def of(cls, line: PlanLine) -> LineOut:
        """From its row."""
        return cls.model_validate(
            {
                **{field: getattr(line, field) for field in _PLAIN},
                "topic_id": line.topic_id or None,
                "metadata": line.metadata if line.committed is not None else None,
                "wanted": None if line.wanted is None else int(line.wanted),
                "why": line.why or None,
                "record_at": instant(line.record_at),
                "record_before_at": instant(line.record_before_at),
            }
        )


_PLAIN = (
    "topic", "partition", "log_start", "log_end", "last_stable", "committed", "leader_epoch", "target", "action",
    "replayed", "skipped",
)  # fmt: skip


class Totals(Schema):
    """Sums over the lines."""

    partitions: int
    changed: int
    replayed: int
    skipped: int


class Warning(Schema):
    """Something approvers must know."""

    code: str
    detail: str
    facts: dict[str, Any]


class PlanOut(Schema):
    """A frozen plan and its digest, which approvals sign.

    `deciding_rules` are the rules of which another value would give another plan.
    """

    digest: str
    planned_at: InstantText
    cluster_id: str
    group: str
    group_type: str
    group_state: str
    members: list[dict[str, Any]]
    resolved_instant: InstantText | None
    totals: Totals
    warnings: list[Warning]
    command: str | None
    refused: bool
    deciding_rules: list[Literal["no_commit", "no_record_after", "out_of_range"]]
    lines: list[LineOut]

    @classmethod
    def of(cls, plan: Plan) -> PlanOut:
        """From its rows."""
        return cls.model_validate(
            {
                "digest": plan.digest,
                "planned_at": instant_text(plan.planned_at),
                "cluster_id": plan.kafka_cluster_id,
                "group": plan.group_name,
                "group_type": plan.group_type,
                "group_state": plan.group_state,
                "members": plan.members,
                "resolved_instant": instant(plan.resolved_instant),
                "totals": {
                    "partitions": plan.partitions_count,
                    "changed": plan.changed_count,
                    "replayed": plan.replayed,
                    "skipped": plan.skipped,
                },
                "warnings": [_warning(one) for one in plan.warnings],
                "command": plan.command or None,
                "refused": plan.refused,
                "deciding_rules": rules_that_decide(parse_change(plan.change), storing.lines_of(plan)),
                "lines": [LineOut.of(line) for line in plan.lines.all()],
            }
        )


def _warning(stored: dict[str, Any]) -> dict[str, object]:
    code, facts = stored["code"], stored.get("facts") or {}
    return {"code": code, "detail": sentences.sentence(code, facts), "facts": facts}


class PreviewOut(Schema):
    """A plan without a request."""

    id: str
    state: Literal["planning", "planned", "plan_failed"]
    url: str
    problem: ProblemOut | None
    plan: PlanOut | None
    as_of: InstantText | None

    @classmethod
    def of(cls, row: Preview) -> PreviewOut:
        """From its row."""
        return cls.model_validate(
            {
                "id": str(row.pk),
                "state": str(row.state),
                "url": f"/api/v1/previews/{row.pk}",
                "problem": problem(row.problem),
                "plan": PlanOut.of(row.plan) if row.plan else None,
                "as_of": instant(row.plan.planned_at) if row.plan else None,
            }
        )
