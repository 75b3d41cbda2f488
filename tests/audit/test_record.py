"""Recording: in order, in the change's own transaction, by whom, and never again changed."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import Http404

from kafkaconsole.audit import actions, queries, verifying
from kafkaconsole.audit.models import AuditEvent, AuditHead
from tests.factories import Cast


def _record(cast: Cast, verb: str = "team.added", **facts: object) -> AuditEvent:
    with transaction.atomic():
        return actions.record(verb, actor=cast.carol, target=cast.billing, facts=facts)


def test_an_event_keeps_who_what_and_about_what(cast: Cast) -> None:
    event = _record(cast, slug="billing", at=datetime(2026, 1, 2, tzinfo=UTC), odd="a\0b", share=0.5)
    event.refresh_from_db()
    assert (event.number, event.verb, event.actor, event.actor_name) == (1, "team.added", cast.carol, "Carol")
    assert (event.target_kind, event.target_id, event.target_label) == ("team", str(cast.billing.pk), "Billing")
    assert event.facts == {"slug": "billing", "at": "2026-01-02T00:00:00+00:00", "odd": "a\\0b", "share": "0.5"}


def test_the_console_itself_has_a_name(cast: Cast) -> None:
    with transaction.atomic():
        event = actions.record("reset.expired", actor=None, target=cast.billing)
    assert (event.actor, event.actor_name) == (None, "Kafka Console")


def test_each_event_follows_the_one_before(cast: Cast) -> None:
    first, second = _record(cast), _record(cast)
    assert (second.number, second.previous_mac) == (2, first.mac)
    head = AuditHead.objects.get()
    assert (head.number, head.mac) == (2, second.mac)


def test_what_is_rolled_back_is_not_recorded(cast: Cast) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        _record(cast)
        raise ZeroDivisionError
    assert not AuditEvent.objects.exists()
    assert _record(cast).number == 1


@pytest.mark.django_db(transaction=True)
def test_recording_outside_a_transaction_is_a_bug(cast: Cast) -> None:
    with pytest.raises(RuntimeError):
        actions.record("team.added", actor=cast.carol, target=cast.billing)


def test_events_are_neither_changed_nor_deleted(cast: Cast) -> None:
    event = _record(cast)
    for tamper in (
        lambda: AuditEvent.objects.update(verb="nothing.happened"),
        lambda: AuditEvent.objects.all().delete(),
        event.delete,
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            tamper()


@pytest.mark.django_db(transaction=True)
def test_many_writers_at_once_make_one_chain(cast: Cast) -> None:
    def write() -> None:
        try:
            for _ in range(5):
                _record(cast)
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert list(AuditEvent.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 21))
    assert verifying.verify().whole


def test_administrators_and_auditors_read_the_record(cast: Cast) -> None:
    _record(cast, "team.added")
    _record(cast, "team.removed")
    for person in (cast.carol, cast.eve):
        assert [event.verb for event in queries.events_for(person)] == ["team.removed", "team.added"]
    for person in (cast.alice, cast.bob, cast.dave):
        with pytest.raises(Http404):
            queries.events_for(person)


def test_events_are_found_by_who_what_and_when(cast: Cast) -> None:
    event = _record(cast, "team.added")
    found = queries.events_for
    assert found(cast.eve, actor="carol", verb="team.", target=f"team:{cast.billing.pk}").get() == event
    assert found(cast.eve, target="Bill", start=event.at).get() == event
    assert not found(cast.eve, end=event.at).exists()
    assert not found(cast.eve, actor="dave").exists()
    assert not found(cast.eve, verb="reset.").exists()
    assert list(queries.timeline_of(cast.billing)) == [event]
    assert not queries.timeline_of(cast.search).exists()
