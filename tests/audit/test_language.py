"""The record and what rows keep are the same in whatever language a change was made."""

from __future__ import annotations

import pytest
from django.utils import translation

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.groups import actions as ownership
from kafkaconsole.groups.models import OwnershipKind
from kafkaconsole.problems import problem_of
from kafkaconsole.teams import actions as teams
from kafkaconsole.teams.errors import BadTeam
from tests.factories import Cast

LANGUAGES = ("en", "ko")


def _event_of_a_new_rule(cast: Cast) -> tuple[object, ...]:
    rule = ownership.add_ownership(
        by=cast.carol, cluster=None, kind=OwnershipKind.PREFIX, pattern="bill-", team=cast.billing
    )
    event = AuditEvent.objects.latest("number")
    ownership.remove_ownership(by=cast.carol, cluster=None, kind=rule.kind, pattern=rule.pattern)
    return event.verb, event.actor_name, event.target_label, event.facts


def test_an_event_reads_the_same_in_every_language(cast: Cast) -> None:
    events = []
    for language in LANGUAGES:
        with translation.override(language):
            events.append(_event_of_a_new_rule(cast))
    assert events[0] == events[1]
    assert events[0][2] == "Begins with bill- → Billing"


def test_a_problem_that_a_row_keeps_is_english(cast: Cast) -> None:
    with translation.override("ko"), pytest.raises(BadTeam) as raised:
        teams.add(by=cast.carol, slug="billing-2", name="")
    assert problem_of(raised.value)["facts"] == {"field": "name", "found": "", "expected": "1 to 80 characters"}


def test_the_reason_of_a_refusal_is_english_where_a_row_or_a_log_keeps_it(cast: Cast) -> None:
    with translation.override("ko"), pytest.raises(NotAllowed) as raised:
        teams.add(by=cast.alice, name="New", slug="new")
    assert problem_of(raised.value)["facts"] == {"reason": "Only an administrator can add or remove teams."}
    assert "Only an administrator" in str(raised.value)
