"""Every code has a sentence, and every sentence can be said with the facts that come with it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from kafkaconsole.errors import ConsoleError
from kafkaconsole.resets import errors, warnings
from kafkaconsole.resets.errors import (
    BadChange,
    BadInstant,
    FieldProblem,
    GroupNotProvenMissing,
    IllegalMove,
    StateMoved,
)
from kafkaconsole.resets.life_sentences import LIFE
from kafkaconsole.resets.messages import ERRORS, SENTENCES, sentence
from kafkaconsole.resets.plans import Why
from kafkaconsole.resets.warning_sentences import WARNINGS
from kafkaconsole.resets.why_sentences import WHYS


def test_every_error_of_resets_has_a_sentence() -> None:
    kinds = [one for one in vars(errors).values() if inspect.isclass(one) and issubclass(one, ConsoleError)]
    own = {kind.code for kind in kinds if kind.__module__ == errors.__name__}
    assert own <= ERRORS.keys()


def test_every_rule_that_decides_has_a_sentence() -> None:
    assert WHYS.keys() == {why.value for why in Why}


def test_every_warning_in_the_source_has_a_sentence_and_the_other_way_round() -> None:
    files = Path(warnings.__file__).parent.glob("*.py")
    source = "".join(one.read_text(encoding="utf-8") for one in files)
    assert set(re.findall(r'PlanWarning\("(\w+)"', source)) == WARNINGS.keys()


def test_no_code_means_two_things() -> None:
    assert len(SENTENCES) == len(ERRORS) + len(LIFE) + len(WARNINGS) + len(WHYS)


def test_a_bad_change_tells_its_first_problem_and_how_many_there_are() -> None:
    problem = FieldProblem("strategy.offset", "'5'", "a whole number")
    one, two, four = (BadChange([problem] * count) for count in (1, 2, 4))
    assert sentence(one.code, one.facts) == "strategy.offset: found '5', expected a whole number."
    assert sentence(two.code, two.facts).endswith(" There is 1 more.")
    assert sentence(four.code, four.facts).endswith(" There are 3 more.")


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (BadInstant(field="strategy.duration", found="P1D", expected="less"), "found P1D, expected less"),
        (GroupNotProvenMissing(group="g", brokers=["1", "2"]), "broker 1, 2 did not answer"),
        (IllegalMove(source="planned", target="applied"), "planned cannot become applied"),
        (StateMoved(expected="planned"), "not planned any more"),
    ],
)
def test_the_other_refusals_can_be_said(error: ConsoleError, part: str) -> None:
    assert part in sentence(error.code, error.facts)


def test_an_unknown_code_is_a_bug_and_not_an_empty_sentence() -> None:
    with pytest.raises(KeyError):
        sentence("reset.no_such_code", {})
