"""Offsets as CSV: reading the forms that people and Kafka's own tool write, and writing one that both read."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from kafkaconsole.kafka.values import MAX_OFFSET, GroupId, Offset, TopicPartition
from kafkaconsole.resets.fields import INT32_POSITIVE, TOPIC_NAME, is_topic_name, shown
from kafkaconsole.resets.plans import Line
from kafkaconsole.words import joined, words

MAX_BYTES = 10_000_000
MAX_ROWS = 200_000

FORMS: dict[int, tuple[str, ...]] = {
    2: ("partition", "offset"),
    3: ("topic", "partition", "offset"),
    4: ("group", "topic", "partition", "offset"),
}
"""The columns of a file without a header, by their number."""

EXPECTED_COLUMNS = words(
    "partition,offset (with a topic given), topic,partition,offset or group,topic,partition,offset"
)
NO_TOPIC = words("a topic: these rows have none, so strategy.topic must name it")
"""What is expected of a row without a topic when none is given beside the file."""
_COLUMNS = frozenset(FORMS[4])
_DIGITS = re.compile(r"\d{1,19}", re.ASCII)
"""As many digits as the largest offset has."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row: the partition, the offset asked for, and the line (from 1) it stands on."""

    of: TopicPartition
    offset: Offset
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class LineProblem:
    """One line that cannot be used: its number (from 1; 0 for the file as a whole), its text, and what was expected."""

    line: int
    text: str
    expected: str


class BadFile(ValueError):
    """A file that cannot be used; `problems` holds every bad line in order."""

    def __init__(self, problems: Sequence[LineProblem]) -> None:
        self.problems = tuple(problems)


def parse_offsets(text: str, *, group: GroupId | None, topic: str | None) -> tuple[FileRow, ...]:
    """Read a file's text into rows, ordered by topic and partition.

    `topic` is for rows that have none, `group` is what rows that name a group must name. Blank lines and lines
    that begin with `#` are passed over. Raises `BadFile` with every bad line; nothing is guessed or dropped.
    """
    _check_size(text)
    reader = _Reader(group=group, topic=topic)
    for number, line in _lines(text):
        reader.read(number, line)
    if not reader.problems and not reader.rows:
        reader.problem(0, "", words("at least one row: the file holds none"))
    if reader.problems:
        raise BadFile(reader.problems)
    return tuple(sorted(reader.rows.values(), key=lambda row: row.of))


def _check_size(text: str) -> None:
    # A character takes at least one byte, so the cheap count comes first.
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise BadFile([LineProblem(0, "", words("at most {most:,} bytes", most=MAX_BYTES))])
    if sum(1 for _ in _lines(text)) > MAX_ROWS:
        raise BadFile([LineProblem(0, "", words("at most {most:,} rows", most=MAX_ROWS))])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers; a byte order mark before the first is no part of it."""
    for number, line in enumerate(io.StringIO(text.removeprefix("\ufeff"), newline=None), start=1):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            yield number, bare


class _Reader:
    """Reads line by line; the first line decides which columns there are."""

    def __init__(self, *, group: GroupId | None, topic: str | None) -> None:
        self._group = group
        self._topic = topic
        self._columns: tuple[str, ...] | None = None
        self.rows: dict[TopicPartition, FileRow] = {}
        self.problems: list[LineProblem] = []

    def problem(self, number: int, text: str, expected: str) -> None:
        """Note a line that cannot be used."""
        self.problems.append(LineProblem(number, text, expected))

    def read(self, number: int, line: str) -> None:
        """Take one line in: a header, a row, or a problem."""
        cells = _cells(line)
        if cells is None:
            self.problem(number, line, words("quotes that are closed and stand around a whole value"))
        elif self._columns is None:
            self._first(number, line, cells)
        elif self._columns:
            self._row(number, line, cells)

    def _first(self, number: int, line: str, cells: list[str]) -> None:
        header = tuple(cell.lower() for cell in cells)
        if "offset" in header or "partition" in header:
            self._header(number, line, header)
            return
        self._columns = FORMS.get(len(cells))
        if self._columns is None:
            self.problem(
                number,
                line,
                words("{columns}: found {count} columns", columns=EXPECTED_COLUMNS, count=len(cells)),
            )
            return
        self._row(number, line, cells)

    def _header(self, number: int, line: str, header: tuple[str, ...]) -> None:
        unknown = [name for name in header if name not in _COLUMNS]
        if unknown or len(set(header)) != len(header) or not {"partition", "offset"} <= set(header):
            told = words("; not known: {names}", names=joined(map(shown, unknown))) if unknown else ""
            self.problem(
                number,
                line,
                words(
                    "a header of {columns}, each column once{unknown}",
                    columns=EXPECTED_COLUMNS,
                    unknown=told,
                ),
            )
            header = ()  # what the rows below it mean is not known
        self._columns = header

    def _row(self, number: int, line: str, cells: list[str]) -> None:
        columns = self._columns or ()
        if len(cells) != len(columns):
            self.problem(
                number,
                line,
                words(
                    "{count} columns ({names}): found {found}",
                    count=len(columns),
                    names=",".join(columns),
                    found=len(cells),
                ),
            )
            return
        values = dict(zip(columns, cells, strict=True))
        wrong = [why for why in (self._wrong_group(values), self._wrong_topic(values), _wrong_numbers(values)) if why]
        for why in wrong:
            self.problem(number, line, why)
        if wrong:
            return  # a row of another group or topic is no second row of this one's partition
        of = TopicPartition(values.get("topic") or self._topic or "", int(values["partition"]))
        if of in self.rows:
            self.problem(
                number,
                line,
                words("each partition once: {of} is on line {line} already", of=of, line=self.rows[of].line),
            )
            return
        self.rows[of] = FileRow(of, Offset(int(values["offset"])), number)

    def _wrong_group(self, values: dict[str, str]) -> str | None:
        if "group" not in values or self._group is None or values["group"] == self._group:
            return None
        return words("the group {group}: a request is about one group", group=shown(self._group))

    def _wrong_topic(self, values: dict[str, str]) -> str | None:
        name = values.get("topic")
        if name is None:
            return None if self._topic else NO_TOPIC
        if not is_topic_name(name):
            return words("a topic name ({rule})", rule=TOPIC_NAME)
        if self._topic and name != self._topic:
            return words(
                "the topic {topic} that was given beside the file, or no topic beside it", topic=shown(self._topic)
            )
        return None


def _cells(line: str) -> list[str] | None:
    """The line's values without the blanks around them; None when its quotes are wrong."""
    try:
        (row,) = csv.reader([line], strict=True, skipinitialspace=True)
    except (csv.Error, ValueError):
        return None
    return [cell.strip() for cell in row]


def _wrong_numbers(values: dict[str, str]) -> str | None:
    for name, limit in (("partition", INT32_POSITIVE[-1]), ("offset", MAX_OFFSET)):
        text = values[name]
        if not text:
            return words("a number for the {name}: it is missing", name=name)
        if not _DIGITS.fullmatch(text) or int(text) > limit:
            return words(
                "a whole number from 0 to {most} for the {name}, of plain digits: found {found}",
                most=limit,
                name=name,
                found=shown(text),
            )
    return None


def offsets_as_csv(rows: Iterable[tuple[TopicPartition, int]]) -> str:
    """`topic,partition,offset` rows without a header: Kafka's own tool takes none."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows((of.topic, of.partition, offset) for of, offset in rows)
    return out.getvalue()


def plan_as_csv(lines: Iterable[Line]) -> str:
    """The targets of a plan in a form that this product and `kafka-consumer-groups --from-file` read.

    Lines without a target (left as they are, deleted, refused) are not in it: a file can only set.
    """
    return offsets_as_csv((line.of, line.target) for line in lines if line.target is not None)
