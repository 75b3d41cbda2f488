"""Members of groups that no Python client can be in: share, streams and Connect, by bare requests."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kafka.protocol.consumer.group import JoinGroupRequest, SyncGroupRequest

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.waiting import comes_true
from kafkaconsole.kafka.opening import open_wire
from kafkaconsole.kafka.wire import Wire
from tests.kafka.messages import ShareGroupHeartbeatRequest, StreamsGroupHeartbeatRequest
from tests.kafka.worlds import settings_for

LEAVES = -1
LIMIT_SECONDS = 20.0


@contextmanager
def share_member(kafka: LocalKafka, group: str, topic: str) -> Iterator[None]:
    """A member of a share group, without a heartbeat thread: it stays for the broker's session time-out (6 s)."""
    member = str(uuid.uuid4())

    def beat(epoch: int) -> Any:
        return ShareGroupHeartbeatRequest(
            group_id=group,
            member_id=member,
            member_epoch=epoch,
            subscribed_topic_names=[topic] if epoch == 0 else None,
            min_version=1,
        )

    with _beating(kafka, group, beat, lambda answer: bool(answer.assignment and answer.assignment.topic_partitions)):
        yield


@contextmanager
def streams_member(kafka: LocalKafka, group: str, topic: str) -> Iterator[None]:
    """A member of a streams group whose one subtopology reads the topic."""
    member = str(uuid.uuid4())

    def beat(epoch: int) -> Any:
        joins = epoch == 0
        topology = StreamsGroupHeartbeatRequest.Topology
        subtopology = topology.Subtopology(
            subtopology_id="0",
            source_topics=[topic],
            source_topic_regex=[],
            state_changelog_topics=[],
            repartition_sink_topics=[],
            repartition_source_topics=[],
            copartition_groups=[],
        )
        return StreamsGroupHeartbeatRequest(
            group_id=group,
            member_id=member,
            member_epoch=epoch,
            endpoint_information_epoch=0,
            rebalance_timeout_ms=10_000 if joins else -1,
            topology=topology(epoch=0, subtopologies=[subtopology]) if joins else None,
            active_tasks=[] if joins else None,
            standby_tasks=[] if joins else None,
            warmup_tasks=[] if joins else None,
            process_id="process" if joins else None,
            client_tags=[] if joins else None,
        )

    with _beating(kafka, group, beat, lambda answer: bool(answer.active_tasks)):
        yield


@contextmanager
def _beating(
    kafka: LocalKafka, group: str, beat: Callable[[int], Any], is_settled: Callable[[Any], bool]
) -> Iterator[None]:
    """Join, beat until the member has its share, run the block, leave."""
    with open_wire(settings_for(kafka)) as wire:
        epoch = 0

        def settled() -> bool:
            nonlocal epoch
            answer = wire.run(to_coordinator, wire, group, beat(epoch))
            assert answer.error_code == 0, answer
            epoch = answer.member_epoch
            return is_settled(answer)

        assert comes_true(settled, limit=LIMIT_SECONDS)
        try:
            yield
        finally:
            wire.run(to_coordinator, wire, group, beat(LEAVES))


@contextmanager
def connect_worker(kafka: LocalKafka, group: str) -> Iterator[None]:
    """One Connect worker: a classic member of protocol type `connect`, whose bytes are not a consumer's."""
    with open_wire(settings_for(kafka)) as wire:
        protocol = JoinGroupRequest.JoinGroupRequestProtocol(name="sessioned", metadata=b"\x00\x02worker")
        join = JoinGroupRequest(
            group_id=group,
            session_timeout_ms=10_000,
            rebalance_timeout_ms=10_000,
            member_id="",
            protocol_type="connect",
            protocols=[protocol],
            max_version=3,
        )
        joined = wire.run(to_coordinator, wire, group, join)
        assert joined.error_code == 0, joined
        share = SyncGroupRequest.SyncGroupRequestAssignment(member_id=joined.member_id, assignment=b"\x00\x02tasks")
        sync = SyncGroupRequest(
            group_id=group,
            generation_id=joined.generation_id,
            member_id=joined.member_id,
            assignments=[share],
            max_version=3,
        )
        assert wire.run(to_coordinator, wire, group, sync).error_code == 0
        yield


async def to_coordinator(wire: Wire, group: str, request: Any) -> Any:
    """The answer of the group's coordinator to one request."""
    by_node, failed = await wire.coordinators([group])
    assert not failed
    return await wire.ask(next(iter(by_node)), request)
