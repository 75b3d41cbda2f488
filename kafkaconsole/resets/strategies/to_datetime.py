"""To a moment: the first record at or after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Self

from kafkaconsole.resets import instants
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.strategies.at_instant import AtInstant
from kafkaconsole.resets.strategies.contract import Context
from kafkaconsole.words import words


@dataclass(frozen=True, slots=True)
class ToDatetime(AtInstant):
    """`text` and `timezone` as the person wrote them, and the one moment they mean."""

    text: str
    timezone: str | None
    at: datetime = field(compare=False)

    kind: ClassVar[str] = "to_datetime"
    place: ClassVar[int] = 70
    title: ClassVar[str] = "To a moment"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read `datetime` and, for a wall clock, `timezone`."""
        text = fields.text("datetime", instants.INSTANT_FORMS)
        zone = fields.text("timezone", words("an IANA time zone such as Asia/Seoul"), required=False)
        if text is None:
            return None
        try:
            read = instants.parse_instant(text, zone)
        except instants.Unreadable as bad:
            fields.problem(bad.about, text if bad.about == "datetime" else zone, bad.expected)
            return None
        return cls(text.strip(), zone, read.at)

    def own_fields(self) -> Mapping[str, object]:
        """As written, so that it reads back to the same."""
        return {"datetime": self.text} | ({} if self.timezone is None else {"timezone": self.timezone})

    def instant(self, measured_at: datetime) -> datetime:
        """The moment asked for, whatever the time is now."""
        return self.at

    def option(self) -> str:
        """Kafka's own option, which wants the milliseconds and takes no zone for UTC."""
        return f"--to-datetime {self.at:%Y-%m-%dT%H:%M:%S}.{self.at.microsecond // 1000:03d}"
