"""Which of a change's rules decide something in its plan: the others are no choice here."""

from __future__ import annotations

from collections.abc import Iterable

from kafkaconsole.resets.change import Change
from kafkaconsole.resets.plans import Line, Why

_OUTSIDE = frozenset({Why.CLAMPED_TO_LOG_START, Why.CLAMPED_TO_LOG_END, Why.OUT_OF_RANGE})
_NOTHING_TO_TAKE = frozenset({Why.NOT_IN_SOURCE, Why.NO_COMMIT, Why.NO_COMMIT_THEN, Why.NOT_IN_SNAPSHOT})
_NO_LATER_RECORD = frozenset({Why.NO_RECORD_AFTER, Why.PARTITION_EMPTY})
_NO_RULE = frozenset({Why.NOT_KNOWN_THEN, Why.TOPIC_MADE_AGAIN})


def rules_that_decide(change: Change, lines: Iterable[Line]) -> tuple[str, ...]:
    """The names of the rules of which another value would give another plan, in the order of the API.

    `lines` are those of the change's own plan. A partition without bounds is refused whatever the rules.
    """
    lines = [line for line in lines if line.log_end is not None]
    decide = {
        "no_commit": any(_lacks_commit(change, line) for line in lines),
        "no_record_after": any(line.why in _NO_LATER_RECORD for line in lines),
        "out_of_range": any(line.why in _OUTSIDE for line in lines),
    }
    return tuple(name for name, decides in decide.items() if decides)


def _lacks_commit(change: Change, line: Line) -> bool:
    """Whether there is no commit to start from: the group's own, or the one that is copied or put back."""
    if change.strategy.source_group is not None or change.strategy.recalls is not None:
        return line.why in _NOTHING_TO_TAKE
    return line.committed is None and line.why not in _NO_RULE
