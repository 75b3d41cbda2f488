"""Each partition to its own offset, from a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

from kafkaconsole.kafka.values import Offset, OffsetBounds, TopicPartition
from kafkaconsole.resets import files
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import Fields, said, shown
from kafkaconsole.resets.strategies.contract import Context, Strategy, Wish
from kafkaconsole.words import words


@dataclass(frozen=True, slots=True)
class FromFile(Strategy):
    """The rows of a file, ordered by topic and partition."""

    rows: tuple[files.FileRow, ...]
    _offsets: Mapping[TopicPartition, Offset] = field(init=False, compare=False, repr=False)

    kind: ClassVar[str] = "from_file"
    place: ClassVar[int] = 80
    title: ClassVar[str] = "Each partition its own offset, from a file"

    def __post_init__(self) -> None:
        object.__setattr__(self, "_offsets", {row.of: row.offset for row in self.rows})

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read `csv`, and `topic` for rows that name none."""
        text = fields.text(
            "csv",
            words("the text of a file of {columns}", columns=files.EXPECTED_COLUMNS),
            longest=files.MAX_BYTES,
        )
        topic = fields.topic("topic", words("the topic of rows that name none"), required=False)
        if text is None:
            return None
        try:
            return cls(files.parse_offsets(text, group=context.group, topic=topic))
        except files.BadFile as bad:
            for problem in bad.problems:
                fields.problem("csv", said(_found(problem)), problem.expected, problem.line or None)
            return None

    def own_fields(self) -> Mapping[str, object]:
        """The rows as `topic,partition,offset`, without comments and blanks."""
        return {"csv": files.offsets_as_csv((row.of, row.offset) for row in self.rows)}

    @property
    def names_partitions(self) -> bool:
        """The rows do."""
        return True

    def named(self) -> Mapping[TopicPartition, Offset]:
        """The partitions of the file and what each is to be set to."""
        return self._offsets

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The file's offset."""
        return self._offsets[of.of]

    def option(self) -> str:
        """Kafka's own option, for the exported plan saved as plan.csv."""
        return "--from-file plan.csv"


def _found(problem: files.LineProblem) -> str:
    return f"line {problem.line}: {shown(problem.text)}" if problem.line else words("the file")
