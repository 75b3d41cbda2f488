"""The history as lines to read: the table beside the chart, and the file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO

from kafkaconsole.display.instants import utc_iso
from kafkaconsole.history.series import Point, Series
from kafkaconsole.overview.pages.chart import Chart
from kafkaconsole.overview.pages.columns import Row, seconds

HEADER = ("at", "topic", "partition", "measured", "committed", "log_start", "log_end", "lag", "time_lag_s")
POINTS_IN_FILE = 100_000


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of the table; `point` None: not measured from `at` on."""

    at: datetime
    topic: str | None
    partition: int | None
    point: Point | None


def table_rows(chart: Chart, most: int) -> list[TableRow]:
    """The newest rows; a value that is only held up to a hole is not a reading, so it is left out."""
    rows = [TableRow(_instant(row), line.topic, line.partition, row.point) for line, row in chart.rows_to_read(most)]
    return [row for row in rows if row.point is None or seconds(row.point.at) == seconds(row.at)]


def csv_lines(chart: Chart) -> Iterator[str]:
    """Lines of the file, the header first."""
    yield _line(HEADER)
    for series, row in chart.every_point(POINTS_IN_FILE):
        yield _line(_cells(series, row))


def file_name(chart: Chart) -> str:
    """A name that every system takes."""
    group = re.sub(r"[^A-Za-z0-9._-]+", "_", chart.group.name)[:80]
    return f"history-{chart.group.cluster.name}-{group}-{chart.asked.range}.csv"


def _cells(series: Series, row: Row) -> tuple[object, ...]:
    point = row.point
    if point is None:
        return (utc_iso(_instant(row)), series.topic, series.partition, "no", None, None, None, None, None)
    values = (point.committed, point.log_start, point.log_end, point.lag, point.time_lag_s)
    return (utc_iso(_instant(row)), series.topic, series.partition, "yes", *values)


def _line(cells: tuple[object, ...]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow("" if cell is None else cell for cell in cells)
    return line.getvalue()


def _instant(row: Row) -> datetime:
    return datetime.fromtimestamp(row.at, UTC)
