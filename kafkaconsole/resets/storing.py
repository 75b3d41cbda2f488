"""Plans between values and rows: stored once, frozen from then on, read back as the same values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from kafkaconsole.kafka.values import Committed, Member, Offset, TopicPartition
from kafkaconsole.problems import plain
from kafkaconsole.resets import plans
from kafkaconsole.resets.governing import Pin
from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest
from kafkaconsole.resets.plans import Action, Why

BATCH = 500


def store(plan: plans.Plan, *, change: dict[str, object], request: ResetRequest | None, pin: Pin | None = None) -> Plan:
    """Write a plan and its lines, with the policy and the risk that are pinned to a request's plan.

    Belongs in one transaction with the move to *planned*.
    """
    row = Plan.objects.create(
        request=request,
        digest=plan.digest,
        planned_at=plan.planned_at,
        kafka_cluster_id=plan.cluster_id,
        group_name=plan.group,
        group_type=plan.group_type,
        group_state=plan.group_state,
        members=members_as_json(plan.members),
        change=change,
        resolved_instant=plan.resolved_instant,
        partitions_count=plan.totals.partitions,
        changed_count=plan.totals.changed,
        replayed=plan.totals.replayed,
        skipped=plan.totals.skipped,
        warnings=[{"code": one.code, "facts": plain(one.facts)} for one in plan.warnings],
        command=plan.command or "",
        refused=plan.refused,
        policy_version=pin.version if pin else None,
        risk=pin.risk.as_json() if pin else None,
        barred_id=pin.barred if pin else None,
    )
    for batch in batches(plan.lines):
        PlanLine.objects.bulk_create([_row_of(row, line) for line in batch])
    return row


def lines_of(plan: Plan) -> tuple[plans.Line, ...]:
    """The lines of a stored plan as values, by topic and partition."""
    return tuple(line_of(row) for row in plan.lines.order_by("topic", "partition").iterator(chunk_size=2000))


def line_of(row: PlanLine) -> plans.Line:
    """One stored line as a value."""
    return plans.Line(
        of=TopicPartition(row.topic, row.partition),
        topic_id=row.topic_id,
        log_start=_offset(row.log_start),
        log_end=_offset(row.log_end),
        last_stable=_offset(row.last_stable),
        committed=_offset(row.committed),
        metadata=row.metadata,
        leader_epoch=row.leader_epoch,
        wanted=None if row.wanted is None else int(row.wanted),
        target=_offset(row.target),
        action=Action(row.action),
        why=Why(row.why) if row.why else None,
        replayed=row.replayed,
        skipped=row.skipped,
        record_at=row.record_at,
        record_before_at=row.record_before_at,
        put_back=_put_back(row),
    )


def _put_back(row: PlanLine) -> Committed | None:
    if row.put_back_metadata is None or row.target is None:
        return None
    return Committed(Offset(row.target), row.put_back_metadata, row.put_back_epoch)


def members_as_json(members: Iterable[Member]) -> list[dict[str, object]]:
    """Members as pages and the API show them."""
    return [
        {
            "member_id": one.member_id,
            "client_id": one.client_id,
            "host": one.host,
            "instance_id": one.instance_id,
            "partitions": [[of.topic, of.partition] for of in one.partitions],
        }
        for one in members
    ]


def batches(lines: Iterable[plans.Line], size: int = BATCH) -> Iterator[Sequence[plans.Line]]:
    """Runs of at most `size`."""
    rest = iter(lines)
    while batch := list(islice(rest, size)):
        yield batch


def _row_of(plan: Plan, line: plans.Line) -> PlanLine:
    return PlanLine(
        plan=plan,
        topic=line.of.topic,
        topic_id=line.topic_id,
        partition=line.of.partition,
        log_start=line.log_start,
        log_end=line.log_end,
        last_stable=line.last_stable,
        committed=line.committed,
        metadata=line.metadata,
        leader_epoch=line.leader_epoch,
        wanted=line.wanted,
        target=line.target,
        action=line.action,
        why=line.why or "",
        replayed=line.replayed,
        skipped=line.skipped,
        record_at=line.record_at,
        record_before_at=line.record_before_at,
        put_back_metadata=line.put_back.metadata if line.put_back else None,
        put_back_epoch=line.put_back.leader_epoch if line.put_back else None,
    )


def _offset(number: int | None) -> Offset | None:
    return None if number is None else Offset(number)
