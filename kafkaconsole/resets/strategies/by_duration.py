"""Back by a length of time, counted from the moment of planning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Self

from kafkaconsole.resets import instants
from kafkaconsole.resets.errors import BadInstant
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.strategies.at_instant import AtInstant
from kafkaconsole.resets.strategies.contract import Context
from kafkaconsole.words import words


@dataclass(frozen=True, slots=True)
class ByDuration(AtInstant):
    """The first record at or after now − `duration`; now is when the facts were measured, days are 24 hours."""

    duration: timedelta

    kind: ClassVar[str] = "by_duration"
    place: ClassVar[int] = 60
    title: ClassVar[str] = "Back by a length of time"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read `duration`, the part of ISO 8601 whose length is fixed."""
        text = fields.text("duration", instants.DURATION_FORMS)
        if text is None:
            return None
        try:
            return cls(instants.parse_duration(text))
        except instants.Unreadable as bad:
            fields.problem("duration", text, bad.expected)
            return None

    def own_fields(self) -> Mapping[str, object]:
        """The duration in its canonical form."""
        return {"duration": instants.duration_text(self.duration)}

    def instant(self, measured_at: datetime) -> datetime:
        """`measured_at` − `duration`. Raises `BadInstant` before 1970."""
        if measured_at - instants.EPOCH < self.duration:
            raise BadInstant(
                field="strategy.duration",
                found=instants.duration_text(self.duration),
                expected=words("a duration that does not reach before 1970"),
            )
        return instants.in_whole_ms(measured_at - self.duration)

    def option(self) -> str:
        """Kafka's own option; the tool counts from when it is run."""
        return f"--by-duration {instants.duration_text(self.duration)}"
