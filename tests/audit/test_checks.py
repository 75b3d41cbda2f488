"""Checks of the chain as work: one at a time, told as they go, never lost."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from kafkaconsole.audit import actions, anchors, checking, verifying
from kafkaconsole.audit.errors import AnchorUnreadable, CheckUnderWay
from kafkaconsole.audit.models import AuditCheck, AuditEvent, AuditHead
from kafkaconsole.audit.verifying import Broken
from kafkaconsole.nudge import Nudge
from tests.audit.test_verify import triggers_down
from tests.factories import Cast
from tests.nudges import Sent


@pytest.fixture
def chain(cast: Cast) -> Cast:
    """Five events."""
    for number in range(5):
        with transaction.atomic():
            actions.record("team.added", actor=cast.carol, target=cast.billing, facts={"number": number})
    return cast


@pytest.mark.django_db(transaction=True)
def test_asking_sends_one_message_and_asking_again_shows_the_same_check(cast: Cast, sent: Sent) -> None:
    first = checking.ask(by=cast.eve)
    assert checking.ask(by=cast.carol) == first
    assert sent.messages == [(Nudge.CHECK_AUDIT, {"check_id": first.pk})]


def test_two_open_checks_are_refused_by_the_database(chain: Cast) -> None:
    AuditCheck.objects.create()
    with pytest.raises(IntegrityError), transaction.atomic():
        AuditCheck.objects.create()


def test_a_check_is_done_once(chain: Cast) -> None:
    check = checking.ask(by=chain.eve)
    checking.run(check_id=check.pk)
    check.refresh_from_db()
    assert (check.is_whole, check.checked, check.head_number, check.head_mac) == (
        *(True, 5, 5),
        AuditHead.objects.get().mac,
    )
    done_at = check.done_at
    checking.run(check_id=check.pk)
    check.refresh_from_db()
    assert check.done_at == done_at


def test_progress_is_told_page_by_page(chain: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "PAGE", 2)
    told: list[tuple[int, int]] = []
    verifying.verify(progress=lambda checked, total: told.append((checked, total)))
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_the_day_s_check_is_begun_by_a_tick_and_only_once_a_day(chain: Cast) -> None:
    checking.tick()
    check = AuditCheck.objects.get()
    assert check.asked_by is None
    checking.run(check_id=check.pk)
    checking.tick()
    assert AuditCheck.objects.count() == 1
    AuditCheck.objects.update(asked_at=timezone.now() - checking.EVERY - timedelta(minutes=1))
    checking.tick()
    assert AuditCheck.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_check_whose_worker_died_is_begun_again(cast: Cast, sent: Sent) -> None:
    check = checking.ask(by=cast.eve)
    checking.tick()
    assert len(sent.messages) == 1
    AuditCheck.objects.update(nudge_at=timezone.now() - timedelta(seconds=1))
    checking.tick()
    assert sent.messages[1:] == [(Nudge.CHECK_AUDIT, {"check_id": check.pk})]


def test_old_checks_are_forgotten(chain: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "KEPT", 2)
    for _ in range(4):
        checking.run(check_id=checking.ask(by=None).pk)
    checking.tick()
    assert AuditCheck.objects.count() == 2


def test_a_long_record_is_not_walked_while_a_script_waits(chain: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "AT_ONCE", 4)
    with pytest.raises(CheckUnderWay):
        checking.newest(by=chain.eve)
    check = AuditCheck.objects.get()
    checking.run(check_id=check.pk)
    check.refresh_from_db()
    found, at = checking.newest(by=chain.eve)
    assert (found.whole, found.checked, at) == (True, 5, check.done_at)


def test_anchors_show_a_record_that_was_cut_off_together_with_its_head(chain: Cast, settings: Settings) -> None:
    taken = anchors.take()
    assert taken is not None
    with triggers_down():
        AuditEvent.objects.filter(number__gt=3).delete()
    AuditHead.objects.update(number=3, mac=AuditEvent.objects.get(number=3).mac)
    assert verifying.verify().whole  # the chain alone cannot know
    found = verifying.verify(anchors=[taken])
    assert (found.number, found.why) == (4, Broken.CUT_OFF)


def test_anchor_that_nobody_here_wrote_is_named(chain: Cast) -> None:
    taken = anchors.take()
    assert taken is not None
    forged = anchors.Anchor(900, taken.mac, taken.at, taken.signature)
    found = verifying.verify(anchors=[forged])
    assert (found.number, found.why) == (900, Broken.ANCHOR_FORGED)


def test_anchors_are_added_to_their_file_and_every_check_compares(
    chain: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.AUDIT_ANCHORS = tmp_path / "anchors.jsonl"
    for _ in range(2):
        taken = anchors.take()
        assert taken is not None
        anchors.keep(taken, file=settings.AUDIT_ANCHORS)
    lines = settings.AUDIT_ANCHORS.read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [5, 5]
    with triggers_down():
        AuditEvent.objects.filter(number=5).delete()
    AuditHead.objects.update(number=4, mac=AuditEvent.objects.get(number=4).mac)
    check = checking.ask(by=None)
    checking.run(check_id=check.pk)
    check.refresh_from_db()
    assert (check.number, check.why) == (5, Broken.CUT_OFF)


def test_nothing_recorded_is_nothing_to_anchor(cast: Cast) -> None:
    assert anchors.take() is None


@pytest.mark.parametrize(
    "line", ["no json", "[]", '{"number": 1}', '{"number": "1", "mac": "", "at": "", "signature": ""}']
)
def test_a_line_that_is_no_anchor_is_named_by_its_number(line: str) -> None:
    with pytest.raises(AnchorUnreadable) as refused:
        list(anchors.read(["\n", line]))
    assert refused.value.facts["line"] == 2


def test_an_event_says_from_which_address_and_in_which_request(
    cast: Cast, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client.force_login(cast.alice)
    caplog.clear()
    client.post("/accounts/logout/", REMOTE_ADDR="192.0.2.7")
    event = AuditEvent.objects.get(verb="person.signed_out")
    assert (event.actor, event.address) == (cast.alice, "192.0.2.7")
    logged = {record.msg["request_id"] for record in caplog.records if isinstance(record.msg, dict)}
    assert logged == {event.request_id}
    assert verifying.verify().whole


@pytest.mark.parametrize("field", ["address", "request_id"])
def test_origin_that_was_wiped_is_found(cast: Cast, client: Client, field: str) -> None:
    client.force_login(cast.alice)
    client.post("/accounts/logout/", REMOTE_ADDR="192.0.2.7")
    event = AuditEvent.objects.get(verb="person.signed_out")
    with triggers_down():
        AuditEvent.objects.filter(pk=event.pk).update(**{field: ""})
    found = verifying.verify()
    assert (found.number, found.why) == (event.number, Broken.CHANGED)


def test_sign_ins_and_their_failures_are_recorded_for_names_that_exist(cast: Cast, client: Client) -> None:
    cast.alice.set_password("right-password-1")
    cast.alice.save()
    for name, password in (("alice", "wrong"), ("nobody-is-called-so", "wrong"), ("alice", "right-password-1")):
        client.post("/accounts/login/", {"login": name, "password": password})
    verbs = list(AuditEvent.objects.order_by("number").values_list("verb", "actor_name", "target_label"))
    assert verbs == [("person.sign_in_failed", "Kafka Console", "Alice"), ("person.signed_in", "Alice", "Alice")]
