"""Skipping one record: which one that is, for a group has one place on a partition and can only pass the next record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from kafkaconsole.display.ruler_words import numbered
from kafkaconsole.history.standings import StandingLine
from kafkaconsole.records.contents import ShownRecord
from kafkaconsole.records.look_models import RecordLook


@dataclass(frozen=True, slots=True)
class Skip:
    """The one record that can be skipped alone (`offset`), or why none of those shown can."""

    committed: int | None
    offset: int | None = None
    reason: str = ""

    @property
    def to(self) -> int | None:
        """Where the group stands once it has passed the record."""
        return None if self.offset is None else self.offset + 1


def skip_of(look: RecordLook, records: Sequence[ShownRecord], standing: StandingLine | None) -> Skip:
    """The next record that the group would read there, if the look shows it."""
    committed = standing.committed if standing else None
    if committed is None:
        return Skip(None, reason=_("The group has no commit on this partition, so there is no next record to skip."))
    if look.read_from is None or look.read_from > committed:
        told = _(
            "The group stands at %(committed)s, before the records shown. To skip a record alone it must be the next one:"
            " look from %(committed)s on, or let the group come to the record first."
        )
        return Skip(committed, reason=told % {"committed": numbered(committed)})
    following = next((one for one in records if one.offset >= committed), None)
    if following is None:
        told = _("The group stands at %(committed)s and there is no record from there on: nothing to skip.")
        return Skip(committed, reason=told % {"committed": numbered(committed)})
    return Skip(committed, following.offset)
