"""Everything that a group's page shows, for one person: built once, drawn first or refreshed alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import cached_property

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.groups.claims import policies as claims
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.standings import Standing, StandingLine
from kafkaconsole.kafka.values import RESETTABLE_TYPES
from kafkaconsole.overview.pages.asked import Asked, read
from kafkaconsole.overview.pages.chart import Chart
from kafkaconsole.resets import queries
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.pages.listing import Summary, summaries
from kafkaconsole.resets.policies import may_request
from kafkaconsole.resets.reading_rights import may_look_at_records
from kafkaconsole.teams.verdicts import Verdict, denied

TABS = ("history", "partitions", "members", "requests", "audit")
PARTITIONS_A_PAGE = 100
REQUESTS_A_PAGE = 25
EVENTS_A_PAGE = 50
SHOWN_BELOW_CHART = 10
SORTS = ("place", "lag", "behind")


@dataclass(frozen=True)
class GroupPage:
    """Each part is read when first drawn, so that a fragment costs only what it draws."""

    group: ConsumerGroup
    user: User
    query: Mapping[str, str]

    @property
    def tab(self) -> str:
        """The open tab; an unknown word opens the first."""
        asked = self.query.get("tab", "")
        return asked if asked in TABS else TABS[0]

    @cached_property
    def verdict(self) -> Verdict:
        """Whether this person may ask for a reset, and why not."""
        if self.group.type not in RESETTABLE_TYPES:
            return denied(f"Offsets of a group of type {self.group.type} are not reset here.")
        return may_request(self.user, self.group.cluster, self.group.name)

    @cached_property
    def may_claim(self) -> bool:
        """Whether this person may claim the group for a team of theirs."""
        return bool(claims.may_claim(self.user, self.group.cluster, self.group.name))

    @cached_property
    def may_skip(self) -> bool:
        """Whether one record may be skipped here: the person may ask for resets and may look at records."""
        return bool(self.verdict) and bool(may_look_at_records(self.user, self.group.cluster, self.group.name))

    @cached_property
    def standing(self) -> Standing:
        """Where the group stands."""
        return history.standing(self.group)

    @cached_property
    def keeps_no_offsets(self) -> bool:
        """Whether it was measured, has no members, and no commit: its reader, if there is one, keeps its position elsewhere."""
        if self.group.measured_at is None or self.group.members:
            return False
        return all(line.committed is None for line in self.standing.lines)

    @property
    def without_commit(self) -> int:
        """Partitions that are assigned or known, without a commit."""
        return sum(line.committed is None for line in self.standing.lines)

    @cached_property
    def topics_not_read(self) -> frozenset[str]:
        """Topics with commits of which no member holds a partition; none while nobody holds any: then nobody knows."""
        read = {topic for member in self.group.members for topic, _ in member["partitions"]}
        return frozenset(line.topic for line in self.standing.lines) - read if read else frozenset()

    @property
    def lag_not_read(self) -> int:
        """The part of the lag that lies on those topics."""
        return sum(line.lag or 0 for line in self.standing.lines if line.topic in self.topics_not_read)

    @property
    def topics(self) -> list[str]:
        """The topics it stands on."""
        return sorted({line.topic for line in self.standing.lines})

    @property
    def first_lines(self) -> list[StandingLine]:
        """What stands below the chart: the partitions with the largest lag."""
        return _sorted(self.standing.lines, "lag" if len(self.standing.lines) > SHOWN_BELOW_CHART else "place")[
            :SHOWN_BELOW_CHART
        ]

    @cached_property
    def lines(self) -> Page[StandingLine]:
        """The page of partitions that was asked for."""
        text = self.query.get("q", "").strip().casefold()
        found = [line for line in self.standing.lines if text in f"{line.topic}-{line.partition}".casefold()]
        return Paginator(_sorted(found, self.sort), PARTITIONS_A_PAGE).get_page(self.query.get("page"))

    @property
    def sort(self) -> str:
        """The order of the partitions."""
        asked = self.query.get("sort", "")
        return asked if asked in SORTS else SORTS[0]

    @cached_property
    def asked(self) -> Asked:
        """The chart's stretch."""
        return read(self.query, timezone.now(), self.group.first_seen_at)

    @cached_property
    def chart(self) -> Chart:
        """The chart."""
        return Chart(self.group, self.asked, self.user)

    @cached_property
    def all_requests(self) -> QuerySet[ResetRequest]:
        """Requests of this group that the person may see."""
        return queries.requests_for(self.user, cluster=self.group.cluster.name, group=self.group.name)

    @cached_property
    def requests_count(self) -> int:
        """How many."""
        return self.all_requests.count()

    @cached_property
    def requests(self) -> Page[ResetRequest]:
        """The page of them that was asked for."""
        return Paginator(self.all_requests, REQUESTS_A_PAGE).get_page(self.query.get("page"))

    @property
    def summaries(self) -> list[Summary]:
        """That page with titles."""
        return summaries(self.requests.object_list)

    @cached_property
    def events(self) -> Page[AuditEvent]:
        """What happened to these requests, newest first."""
        ids = [str(pk) for pk in self.all_requests.values_list("pk", flat=True)]
        kind = ResetRequest._meta.model_name or ""
        found = AuditEvent.objects.filter(target_kind=kind, target_id__in=ids).select_related("actor")
        return Paginator(found.order_by("-number"), EVENTS_A_PAGE).get_page(self.query.get("page"))

    @property
    def members(self) -> list[dict[str, object]]:
        """Its members with the partitions that they hold, by topic."""
        return [member | {"by_topic": _by_topic(member["partitions"])} for member in self.group.members]


def _by_topic(partitions: list[tuple[str, int]]) -> list[tuple[str, list[int]]]:
    held: dict[str, list[int]] = {}
    for topic, partition in sorted((one[0], one[1]) for one in partitions):
        held.setdefault(topic, []).append(partition)
    return list(held.items())


def _sorted(lines: tuple[StandingLine, ...] | list[StandingLine], order: str) -> list[StandingLine]:
    """By place; or the largest first, what is not known last."""
    if order == "lag":
        return sorted(lines, key=lambda line: (line.lag is None, -(line.lag or 0), line.topic, line.partition))
    if order == "behind":
        return sorted(
            lines,
            key=lambda line: (
                line.time_lag is None,
                -(line.time_lag.total_seconds() if line.time_lag else 0),
                line.topic,
                line.partition,
            ),
        )
    return sorted(lines, key=lambda line: (line.topic, line.partition))
