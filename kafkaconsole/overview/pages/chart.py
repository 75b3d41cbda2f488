"""The history of one group for the chart, its table and its file: series of the history, markers of the resets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from kafkaconsole.accounts.models import User
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.series import Series
from kafkaconsole.history.standings import Standing, StandingLine
from kafkaconsole.overview.pages import columns
from kafkaconsole.overview.pages.asked import RANGES, Asked
from kafkaconsole.resets.models import Attempt
from kafkaconsole.resets.pages.words import title_of
from kafkaconsole.resets.policies import may_see
from kafkaconsole.resets.states import AttemptState

POINTS = 1200
POINTS_EACH = 360
MOST_LINES = 12
"""So many partitions at most are drawn by themselves: those with the largest lag."""
MOST_CHOICES = 200


@dataclass(frozen=True, slots=True)
class Marker:
    """A reset that was written: `url` only for those who may see the request."""

    at: datetime
    text: str
    url: str = ""
    request: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One topic or partition to look at."""

    value: str
    label: str


@dataclass(frozen=True)
class Chart:
    """One group's history as asked."""

    group: ConsumerGroup
    asked: Asked
    user: User

    @cached_property
    def standing(self) -> Standing:
        """Where the group stands now; it says which partitions there are."""
        return history.standing(self.group)

    @cached_property
    def places(self) -> list[StandingLine]:
        """The partitions to draw by themselves, largest lag first."""
        topic = self.asked.topic
        lines = [line for line in self.standing.lines if topic in (None, line.topic)]
        return sorted(lines, key=lambda line: (-(line.lag or 0), line.topic, line.partition))

    @property
    def all(self) -> int:
        """How many partitions could be drawn by themselves."""
        return len(self.places)

    @property
    def shown(self) -> int:
        """How many are."""
        return min(self.all, MOST_LINES)

    @property
    def left_out(self) -> int:
        """How many are not."""
        return self.all - self.shown

    @property
    def ranges(self) -> list[tuple[str, str]]:
        """The stretches to choose from: key and label."""
        units = {"m": _("%(n)s min"), "h": _("%(n)s h"), "d": _("%(n)s d")}
        return [(key, units[key[-1]] % {"n": key[:-1]}) for key in RANGES]

    @property
    def choices(self) -> list[Choice]:
        """What the chart can be narrowed to: topics, and partitions while they are not too many to list."""
        lines = sorted({(line.topic, line.partition) for line in self.standing.lines})
        found = []
        for topic in history.topic_names(self.group):
            found.append(Choice(topic, topic))
            if len(lines) <= MOST_CHOICES:
                found += [Choice(f"{topic}:{number}", f"{topic}-{number}") for name, number in lines if name == topic]
        return found

    @cached_property
    def series(self) -> list[Series]:
        """What is drawn: one line, or one for each partition."""
        if self.asked.each:
            chosen = sorted(self.places[:MOST_LINES], key=lambda line: (line.topic, line.partition))
            return [self._series(one.topic, one.partition, POINTS_EACH) for one in chosen]
        return [self._series(self.asked.topic, self.asked.partition, POINTS)]

    @cached_property
    def markers(self) -> list[Marker]:
        """The resets that were written to this group in the stretch, oldest first."""
        written = Attempt.objects.filter(
            cluster=self.group.cluster_id,
            group_name=self.group.name,
            state__in=(AttemptState.APPLIED, AttemptState.PARTLY_APPLIED),
            write_began_at__gte=self.asked.start,
            write_began_at__lte=self.asked.end,
        )
        rows = written.select_related("request__requester", "request__team", "plan").order_by("write_began_at")
        return [_marker(row, self.user) for row in rows]

    def as_json(self) -> dict[str, object]:
        """What the script draws; offsets beyond 2^53 as text."""
        rows = [columns.rows_of(one) for one in self.series]
        instants, values = columns.columns(rows)
        again = [] if self.asked.each else columns.replays(self.series[0], rows[0])
        return {
            "zone": timezone.get_current_timezone_name(),
            "from": columns.seconds(self.asked.start),
            "to": columns.seconds(self.asked.end),
            "each": self.asked.each,
            "at": instants,
            "lines": [{"name": _name(one)} | held for one, held in zip(self.series, values, strict=True)],
            "gaps": self._gaps(instants),
            "replays": [{"from": one.start, "to": one.end, "level": one.level} for one in again],
            "markers": [_marker_json(one) for one in self.markers],
            "words": _words(),
        }

    def rows_to_read(self, most: int) -> list[tuple[Series, columns.Row]]:
        """The newest rows of every line, for the table; at most `most`."""
        rows = [(one, row) for one in self.series for row in columns.rows_of(one)]
        rows.sort(key=lambda pair: pair[1].at, reverse=True)
        return rows[:most]

    def every_point(self, most: int) -> Iterator[tuple[Series, columns.Row]]:
        """Every row of every line, oldest first, a line after the other: for a file. At most `most` points a line."""
        places = [(one.topic, one.partition) for one in self.places] if self.asked.each else [self._place()]
        for topic, partition in places:
            line = self._series(topic, partition, most)
            for row in columns.rows_of(line):
                yield line, row

    def _place(self) -> tuple[str | None, int | None]:
        return self.asked.topic, self.asked.partition

    def _series(self, topic: str | None, partition: int | None, points: int) -> Series:
        stretch = {"start": self.asked.start, "end": self.asked.end}
        return history.series(self.group, topic=topic, partition=partition, max_points=points, **stretch)

    def _gaps(self, instants: list[float]) -> list[list[float]]:
        """Stretches in which no line was measured, the one before the first reading included."""
        shared = set(self.series[0].gaps) if self.series else set()
        for one in self.series[1:]:
            shared &= set(one.gaps)
        start = columns.seconds(self.asked.start)
        before = [[start, instants[0]]] if instants and instants[0] > start else []
        inside = [[columns.seconds(since), columns.seconds(to)] for since, to in sorted(shared)]
        return before + [one for one in inside if not before or one[0] >= instants[0]]


def _words() -> dict[str, str]:
    """What the script says, in the reader's language."""
    return {
        "committed": _("committed"),
        "log_end": _("log end"),
        "lag": _("lag"),
        "behind": _("behind"),
        "offsets": _("Offset"),
        "lags": _("Lag, records"),
        "none": _("not measured"),
        "ask": _("Ask for a reset to here"),
        "back": _("Put it back to here"),
        "empty": _("Nothing was measured in this stretch."),
        "units": _("d h min s"),
    }


def _name(series: Series) -> str:
    if series.topic is None:
        return ""
    return series.topic if series.partition is None else f"{series.topic}-{series.partition}"


def _marker(attempt: Attempt, user: User) -> Marker:
    request, at = attempt.request, attempt.write_began_at or attempt.started_at
    if not may_see(user, request):
        return Marker(at, _("A reset of the team %(team)s") % {"team": request.team})
    title = title_of(request.change, attempt.plan)
    text = _("Reset %(number)s: %(title)s") % {"number": request.pk, "title": title}
    return Marker(at, text, reverse("request", args=[request.pk]), request.pk)


def _marker_json(marker: Marker) -> dict[str, object]:
    return {"at": columns.seconds(marker.at), "text": marker.text, "url": marker.url, "request": marker.request}
