"""Our plans against Kafka's own tool on a real broker: random scenarios, every strategy that the tool has.

The numbers come from a seed: DIFFERENTIAL_SEED chooses another one, and a failure names the one that it came from.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from secrets import randbelow

import pytest
from hypothesis import HealthCheck, Phase, event, given, note, seed, settings

from tests.differential import sides
from tests.differential.both import Both
from tests.differential.drawing import scenarios
from tests.differential.scenario import Scenario
from tests.differential.sides import Targets

SEED = int(os.environ.get("DIFFERENTIAL_SEED", "1"))
LONG_SEED = int(os.environ.get("DIFFERENTIAL_SEED", randbelow(2**32)))
"""The long run looks somewhere else each time."""

QUIET = settings(
    deadline=None,
    database=None,
    print_blob=True,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


def check(both: Both, scenario: Scenario) -> None:
    """We agree with the tool, or differ by a rule with a name."""
    compared = both.compare(scenario)
    for name in compared.differences:
        event(name)
    event("refused" if not isinstance(compared.ours, Targets) else "planned")
    assert compared.agrees, compared.report()


@seed(SEED)
@settings(QUIET, max_examples=60)
@given(scenario=scenarios())
def test_a_plan_is_what_the_tool_says_or_differs_by_name(both: Both, scenario: Scenario) -> None:
    note(f"DIFFERENTIAL_SEED={SEED}")
    check(both, scenario)


@pytest.mark.long
@seed(LONG_SEED)
@settings(QUIET, max_examples=500)
@given(scenario=scenarios())
def test_five_hundred_plans_are_what_the_tool_says_or_differ_by_name(both: Both, scenario: Scenario) -> None:
    note(f"DIFFERENTIAL_SEED={LONG_SEED}")
    check(both, scenario)


@seed(SEED)
@settings(QUIET, max_examples=12)
@given(scenario=scenarios())
def test_the_tool_and_we_read_our_exported_plan_back_to_the_same_plan(both: Both, scenario: Scenario) -> None:
    note(f"DIFFERENTIAL_SEED={SEED}")
    check_export(both, scenario)


@pytest.mark.long
@seed(LONG_SEED)
@settings(QUIET, max_examples=100)
@given(scenario=scenarios())
def test_a_hundred_exported_plans_are_read_back_to_the_same_plan(both: Both, scenario: Scenario) -> None:
    note(f"DIFFERENTIAL_SEED={LONG_SEED}")
    check_export(both, scenario)


def check_export(both: Both, scenario: Scenario) -> None:
    """The export of a plan means the same to the tool and to us."""
    built, now = both.ground.build(scenario), datetime.now(UTC)
    text = sides.exported(both.ground.admin, built, scenario, now)
    event("exported" if text else "nothing to export")
    if not text:
        return
    ours = sides.ours(both.ground.admin, built, scenario, now)
    assert sides.outcome_of(built, both.of_file(built, text)) == ours, text
    change = {**sides.change_of(built, scenario, now), "scope": None, "strategy": {"kind": "from_file", "csv": text}}
    assert sides.outcome_of_plan(built, sides.planned(both.ground.admin, change, now)) == ours, text
