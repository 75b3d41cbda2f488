"""Every reset vector that concerns the nine strategies, played as `tests.cases` finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import cases
from tests.resets.vector_differences import DIFFERENCES, NOT_ABOUT_A_PLAN
from tests.resets.vector_runs import Vector, play

STRATEGIES = {
    "to-earliest",
    "to-latest",
    "to-current",
    "to-offset",
    "shift-by",
    "by-duration",
    "to-datetime",
    "from-file",
}
SAME_REFUSAL = {
    "BAD_ARGUMENT": {"reset.bad_change"},
    "BAD_DATETIME": {"reset.bad_change"},
    "BAD_DURATION": {"reset.bad_change"},
    "BAD_CSV": {"reset.bad_change"},
    "NEGATIVE_OFFSET": {"reset.bad_change"},
    "DUPLICATE_PARTITION": {"reset.bad_change"},
    "UNSUPPORTED_TIMESTAMP": {"reset.bad_change"},
    "NO_COMMITTED_OFFSET": {"no_commit"},
    "UNKNOWN_TOPIC_OR_PARTITION": {"unknown_partition", "reset.topic_missing"},
    "TIMEOUT": {"unknown_partition"},
    "NO_LEADER": {"no_leader"},
    "NOT_A_CONSUMER_GROUP": {"reset.wrong_group_kind"},
}
"""The tool's kinds of error, and the codes of ours that refuse the same thing for the same reason."""

VECTORS: list[dict[str, Any]] = cases.read("reset-vectors.json")
OURS = [vector for vector in VECTORS if vector["strategy"] in STRATEGIES]


def _expected(vector: Vector) -> dict[str, object]:
    """The part of `expect` that a plan answers."""
    keys = ("new_offset", "replayed", "skipped", "partitions", "timestamp_ms", "duration_ms")
    return {key: vector["expect"][key] for key in keys if key in vector["expect"]}


@pytest.mark.parametrize("vector", OURS, ids=lambda vector: str(vector["id"]))
def test_vector_comes_out_as_the_tool_says_or_as_the_table_of_differences_says(vector: Vector) -> None:
    outcome = play(vector)
    if vector["id"] in DIFFERENCES:
        assert outcome == DIFFERENCES[vector["id"]].ours
        return
    error = vector["expect"].get("error")
    if error is None:
        assert outcome == _expected(vector)
    else:
        assert outcome.get("error") in SAME_REFUSAL[error]


@pytest.mark.parametrize("vector", [one for one in OURS if one["id"] in DIFFERENCES], ids=lambda one: str(one["id"]))
def test_a_vector_in_the_table_of_differences_really_differs(vector: Vector) -> None:
    ours, error = DIFFERENCES[vector["id"]].ours, vector["expect"].get("error")
    assert ours.get("error") not in SAME_REFUSAL.get(error, set()) if error else ours != _expected(vector)


def test_every_other_vector_is_said_to_be_about_something_else_than_a_plan() -> None:
    others = {vector["strategy"] for vector in VECTORS} - STRATEGIES
    assert others <= NOT_ABOUT_A_PLAN.keys()


def test_every_difference_is_told_in_the_document_on_differences() -> None:
    told = (Path(__file__).resolve().parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")
    assert [key for key in DIFFERENCES if key not in told] == []
