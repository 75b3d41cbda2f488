"""Where we come to something else than Kafka's tool on purpose, as rules with names. `docs/differences.md` tells the same.

A rule turns what the tool came to into what we come to. It looks at the scenario alone, never at our own answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tests.differential.scenario import START, Place, Scenario
from tests.differential.sides import Outcome, Refused, Targets

MOST = 2**63 - 1
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Rule:
    """A difference on purpose; `ours` gives our outcome for the tool's, the same one where the rule says nothing."""

    name: str
    ours: Callable[[Scenario, Outcome], Outcome]


def expected(scenario: Scenario, theirs: Outcome) -> tuple[Outcome, list[str]]:
    """What we must come to, and the names of the rules that made it another outcome than the tool's."""
    names = []
    outcome = theirs
    for rule in RULES:
        turned = rule.ours(scenario, outcome)
        if turned != outcome:
            names.append(rule.name)
        outcome = turned
    return outcome, names


def _each(outcome: Outcome, offset_of: Callable[[Place, int], int]) -> Outcome:
    if isinstance(outcome, Refused):
        return outcome
    return Targets({of: offset_of(of, offset) for of, offset in outcome.offsets.items()})


def _refused(code: str) -> Refused:
    return Refused(frozenset({code}))


def _shift(scenario: Scenario, theirs: Outcome) -> Outcome:
    if scenario.wish.option != "shift-by":
        return theirs

    def held(of: Place, offset: int) -> int:
        committed = scenario.committed(of)
        wraps = committed is not None and committed + scenario.wish.number > MOST
        return scenario.log(of).end if wraps else offset

    return _each(theirs, held)


def _current_in_range(scenario: Scenario, theirs: Outcome) -> Outcome:
    if scenario.wish.option != "to-current":
        return theirs
    return _each(theirs, lambda of, offset: min(max(offset, scenario.log(of).start), scenario.log(of).end))


def _current_without_commit(scenario: Scenario, theirs: Outcome) -> Outcome:
    if scenario.wish.option != "to-current" or isinstance(theirs, Refused):
        return theirs
    without = any(scenario.committed(of) is None for of in theirs.offsets)
    return _refused("no_commit") if without else theirs


def _none_is_believed(scenario: Scenario, theirs: Outcome) -> Outcome:
    if scenario.wish.option not in ("to-datetime", "by-duration") or isinstance(theirs, Refused):
        return theirs
    wish = scenario.wish
    instant = wish.instant if wish.option == "to-datetime" else START + timedelta(minutes=wish.minute, seconds=30)
    if instant < EPOCH:  # no time, but a command
        return theirs
    doubtful = any(
        offset == scenario.log(of).end > scenario.log(of).start
        and any(START + timedelta(minutes=at) >= instant for at in scenario.log(of).minutes().values())
        for of, offset in theirs.offsets.items()
    )
    return _refused("no_record_after_uncertain") if doubtful else theirs


def _nothing_committed(scenario: Scenario, theirs: Outcome) -> Outcome:
    if scenario.scope is None and scenario.wish.option != "from-file" and theirs == Targets({}):
        return _refused("reset.nothing_in_scope")
    return theirs


def _missing_group(scenario: Scenario, theirs: Outcome) -> Outcome:
    return theirs if scenario.group_exists or scenario.create else _refused("reset.group_missing")


def _before_1970(scenario: Scenario, theirs: Outcome) -> Outcome:
    wish = scenario.wish
    early = wish.option == "to-datetime" and wish.instant < EPOCH
    return _refused("reset.bad_change") if early else theirs


RULES = (
    Rule("a shift is held within 64 bits", _shift),
    Rule("to_current follows out_of_range", _current_in_range),
    Rule("to_current without a commit refuses", _current_without_commit),
    Rule("none is believed only if the newest record is older", _none_is_believed),
    Rule("all committed of nothing is refused", _nothing_committed),
    Rule("a missing group must be asked for", _missing_group),
    Rule("a time before 1970 is refused", _before_1970),
)
"""In the order in which the product comes to them, the first refusal last."""
