"""The history page: the group chosen, its chart, and what it had committed at a moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404
from django.utils import timezone
from django.utils.functional import cached_property

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.groups.queries import group_for, groups_for, near_names
from kafkaconsole.history import queries as history
from kafkaconsole.history.errors import BadRange
from kafkaconsole.history.standings import Past, PastLine
from kafkaconsole.overview.pages.asked import Asked, read
from kafkaconsole.overview.pages.chart import Chart
from kafkaconsole.resets import instants
from kafkaconsole.resets.policies import may_request
from kafkaconsole.teams.verdicts import Verdict

OFFERED = 300
SUGGESTED = 8
SHOWN_LINES = 200


@dataclass(frozen=True)
class HistoryPage:
    """`query` holds cluster, group, at (a moment as people write it) and what the chart is asked for."""

    user: User
    query: Mapping[str, str]

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Clusters to choose from."""
        return list(clusters_for(self.user))

    @cached_property
    def cluster(self) -> Cluster | None:
        """The chosen one; the only one there is needs no choice."""
        name = self.query.get("cluster", "")
        if not name and len(self.clusters) == 1:
            return self.clusters[0]
        return next((one for one in self.clusters if one.name == name), None)

    @property
    def name(self) -> str:
        """The group's name as asked; one with a NUL is none."""
        name = self.query.get("group", "")
        return "" if "\0" in name else name

    @cached_property
    def group(self) -> ConsumerGroup | None:
        """The chosen group, None while none is chosen or none is known by that name."""
        if self.cluster is None or not self.name:
            return None
        try:
            return group_for(self.user, self.cluster, self.name)
        except Http404:
            return None

    @cached_property
    def near(self) -> list[str]:
        """Names that resemble one that is not known."""
        return near_names(self.user, self.cluster, self.name) if self.cluster and self.name and not self.group else []

    @cached_property
    def names(self) -> list[str]:
        """Names to offer while typing."""
        return [one.name for one in groups_for(self.user, self.cluster)[:OFFERED]] if self.cluster else []

    @cached_property
    def suggested(self) -> list[ConsumerGroup]:
        """The groups with the largest lag: a place to start."""
        return list(groups_for(self.user, self.cluster, sort="-lag")[:SUGGESTED])

    @cached_property
    def chart(self) -> Chart | None:
        """The chosen group's chart."""
        if self.group is None:
            return None
        return Chart(self.group, read(self.query, timezone.now(), self.group.first_seen_at), self.user)

    @property
    def asked(self) -> Asked | None:
        """What that chart shows."""
        return self.chart.asked if self.chart else None

    @property
    def at_text(self) -> str:
        """The moment as typed."""
        return self.query.get("at", "").strip()

    @cached_property
    def past(self) -> Past | BadRange | None:
        """What the group had then; BadRange for a text that is no moment."""
        if not self.group or not self.at_text:
            return None
        try:
            instant = instants.parse_instant(self.at_text, timezone.get_current_timezone_name()).at
        except instants.Unreadable as error:
            return BadRange(field="at", found=repr(self.at_text), expected=error.expected)
        return history.at(self.group, instant)

    @property
    def problem(self) -> BadRange | None:
        """Why nothing can be looked up."""
        return self.past if isinstance(self.past, BadRange) else None

    @property
    def found(self) -> Past | None:
        """What was found."""
        return self.past if isinstance(self.past, Past) else None

    @property
    def lines(self) -> list[PastLine]:
        """The first lines of it."""
        return list(self.found.lines[:SHOWN_LINES]) if self.found else []

    @property
    def as_file(self) -> str:
        """The offsets of then as lines that the form for a reset reads."""
        lines = self.found.lines if self.found else ()
        return "\n".join(f"{one.topic},{one.partition},{one.committed}" for one in lines if one.committed is not None)

    @cached_property
    def may_ask(self) -> Verdict | None:
        """Whether this person may ask for a reset of the group, and why not."""
        return may_request(self.user, self.group.cluster, self.group.name) if self.group else None
