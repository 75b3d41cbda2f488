"""What a plan needs to know beside offsets: the topics' settings, how long commits are kept, whether they still move."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import timedelta

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.port import OffsetReader
from kafkaconsole.kafka.values import Committed, GroupState, Problem
from kafkaconsole.resets.facts import Facts


def with_settings(admin: OffsetReader, facts: Facts) -> Facts:
    """The facts with the settings of their topics, and of brokers and group where it may expire or members may stay."""
    topics = sorted({one.of.topic for one in facts.partitions})
    configs = dict(admin.topic_configs(topics)) if topics else {}
    asks_retention = facts.group.state is GroupState.EMPTY and facts.seen.empty_since is not None
    has_static = any(one.instance_id for one in facts.group.members)
    return replace(
        facts,
        topic_configs=configs,
        offsets_retention=admin.offsets_retention() if asks_retention else None,
        session_timeout=admin.session_timeout(facts.group) if has_static else None,
    )


@dataclass(slots=True)
class Watch:
    """Two readings of a group's commits, `pause` apart; None: no second one. What else is gathered fills the pause.

    A running consumer with manual assignment commits although its group is Empty, and nothing else shows it.
    """

    pause: timedelta | None
    _began: float = 0.0

    def begin(self) -> None:
        """The commits have been read for the first time."""
        self._began = time.monotonic()

    def again(self, admin: OffsetReader, facts: Facts) -> Facts:
        """The facts with the commits that have moved since; a reading that fails shows nothing."""
        held = {one.of: one.committed for one in facts.partitions if one.problem is None}
        if self.pause is None or facts.group.state is not GroupState.EMPTY or not any(held.values()):
            return facts
        time.sleep(max(0.0, self._began + self.pause.total_seconds() - time.monotonic()))
        try:
            answers = admin.committed_of(facts.group.group, sorted(held))
        except (KafkaUnavailable, KafkaRefused):
            return facts
        read = {of: now for of, now in answers.items() if not isinstance(now, Problem)}
        return replace(facts, second={of: now for of, now in read.items() if _offset(now) != _offset(held[of])})


def _offset(held: Committed | None) -> int | None:
    return None if held is None else held.offset
