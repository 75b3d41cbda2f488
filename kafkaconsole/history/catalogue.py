"""What earlier sweeps left in the database about one cluster, read at once: five queries."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history.measuring import KnownGroup
from kafkaconsole.history.models import Gap, GroupTopic, Topic


@dataclass(slots=True)
class Catalogue:
    """Rows by what Kafka calls them. `topics` holds the newest row of each name; `on_topics` is by group and topic row."""

    cluster_pk: int
    groups: dict[str, ConsumerGroup] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)
    on_topics: dict[int, dict[int, GroupTopic]] = field(default_factory=lambda: defaultdict(dict))
    open_gaps: dict[tuple[int | None, int | None], Gap] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def known(self, at: datetime) -> dict[str, KnownGroup]:
        """The groups as a measurement needs them."""
        return {
            name: KnownGroup(
                state=group.state,
                missing_since=group.missing_since,
                rewind_expected=group.rewind_expected_until is not None and group.rewind_expected_until >= at,
                committed={
                    self.names[topic_pk]: bytes(row.committed)
                    for topic_pk, row in self.on_topics[group.pk].items()
                    if row.committed
                },
                topics=frozenset(self.names[topic_pk] for topic_pk in self.on_topics[group.pk]),
            )
            for name, group in self.groups.items()
        }


def load(cluster_pk: int) -> Catalogue:
    """Everything that a sweep compares its readings with."""
    found = Catalogue(cluster_pk)
    found.groups = {group.name: group for group in ConsumerGroup.objects.filter(cluster_id=cluster_pk)}
    for topic in Topic.objects.filter(cluster_id=cluster_pk).order_by("last_seen_at", "pk"):
        found.topics[topic.name] = topic
        found.names[topic.pk] = topic.name
    for row in GroupTopic.objects.filter(group__cluster_id=cluster_pk):
        found.on_topics[row.group_id][row.topic_id] = row
    for gap in Gap.objects.filter(cluster_id=cluster_pk, to_at__isnull=True):
        found.open_gaps[gap.group_id, gap.topic_id] = gap
    return found
