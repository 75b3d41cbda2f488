"""What a policy says beside who signs, and patterns for tickets."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from kafkaconsole.approvals import patterns
from kafkaconsole.approvals.errors import BadPolicy
from kafkaconsole.approvals.terms import Terms, as_json, check, from_json


@pytest.mark.parametrize(
    ("pattern", "text", "matched"),
    [
        ("OPS-#", "OPS-1234", True),
        ("OPS-#", "OPS-", False),
        ("OPS-#", "OPS-12a", False),
        ("OPS-#", "ops-12", False),
        ("OPS-#", "XOPS-12", False),
        ("\\##", "#12", True),
        ("\\##", "12", False),
        ("?-*", "a-", True),
        ("?-*", "-b", False),
        ("*/issues/#", "https://git.example.com/x/issues/7", True),
        ("", "", True),
    ],
)
def test_a_pattern_matches_whole_texts(pattern: str, text: str, matched: bool) -> None:
    assert patterns.matches(pattern, text) is matched


def test_a_hard_text_is_answered_at_once() -> None:
    began = time.monotonic()
    assert not patterns.matches("*#*#x", "1" * 4000)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("pattern", ["x" * 61, "a\nb", "*****"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(BadPolicy):
        check(Terms(ticket_pattern=pattern))


@pytest.mark.parametrize(
    "terms",
    [
        Terms(reason_least=0),
        Terms(reason_least=1001),
        Terms(approval_life=timedelta(seconds=59)),
        Terms(request_life=timedelta(days=367)),
    ],
)
def test_terms_out_of_bounds_are_refused(terms: Terms) -> None:
    with pytest.raises(BadPolicy):
        check(terms)


def test_terms_come_back_from_json_as_they_were() -> None:
    terms = Terms(20, True, "OPS-#", timedelta(hours=4), timedelta(days=2))
    assert from_json(as_json(terms)) == terms
    assert from_json({}) == Terms()
