"""Checking the chain: whoever gets round the triggers is still found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import Settings

from kafkaconsole.audit import actions, verifying
from kafkaconsole.audit.chain import mac_of
from kafkaconsole.audit.models import AuditEvent, AuditHead
from kafkaconsole.audit.verifying import Broken
from tests.factories import Cast


@pytest.fixture
def chain(cast: Cast) -> Cast:
    """Five events."""
    for number in range(5):
        with transaction.atomic():
            actions.record("team.added", actor=cast.carol, target=cast.billing, facts={"number": number})
    return cast


@contextmanager
def triggers_down() -> Iterator[None]:
    """What an attacker with the database's own rights does first."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no ALTER while foreign keys wait to be checked
            cursor.execute("ALTER TABLE audit_auditevent DISABLE TRIGGER USER")
            yield
            cursor.execute("ALTER TABLE audit_auditevent ENABLE TRIGGER USER")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_auditevent'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _, sql in triggers:
            cursor.execute(sql)


def test_an_untouched_record_is_whole(chain: Cast) -> None:
    result = verifying.verify()
    assert (result.whole, result.checked) == (True, 5)


def test_an_empty_record_is_whole(cast: Cast) -> None:
    assert verifying.verify().whole


def _event(number: int) -> AuditEvent:
    return AuditEvent.objects.get(number=number)


def _swap() -> None:
    third, fourth = _event(3), _event(4)
    AuditEvent.objects.filter(pk=third.pk).update(number=99)
    AuditEvent.objects.filter(pk=fourth.pk).update(number=3)
    AuditEvent.objects.filter(pk=third.pk).update(number=4)


def _forge_beyond_the_head() -> None:
    last = _event(5)
    last.pk, last.number, last.previous_mac = None, 6, last.mac
    last.mac = mac_of(last)
    last.save()


TAMPERING: dict[str, tuple[Callable[[], object], int, Broken]] = {
    "another verb": (lambda: AuditEvent.objects.filter(number=3).update(verb="x"), 3, Broken.CHANGED),
    "another actor's name": (lambda: AuditEvent.objects.filter(number=2).update(actor_name="Bob"), 2, Broken.CHANGED),
    "other facts": (lambda: AuditEvent.objects.filter(number=1).update(facts={}), 1, Broken.CHANGED),
    "another mac": (lambda: AuditEvent.objects.filter(number=4).update(mac="0" * 64), 4, Broken.CHANGED),
    "one is gone": (lambda: AuditEvent.objects.filter(number=3).delete(), 3, Broken.MISSING),
    "the first is gone": (lambda: AuditEvent.objects.filter(number=1).delete(), 1, Broken.MISSING),
    "two are exchanged": (_swap, 3, Broken.REORDERED),
    "the end is gone": (lambda: AuditEvent.objects.filter(number__gt=3).delete(), 4, Broken.CUT_OFF),
    "the head is another": (lambda: AuditHead.objects.update(mac="0" * 64), 6, Broken.CUT_OFF),
    "one is put behind the head": (_forge_beyond_the_head, 6, Broken.UNACCOUNTED),
}


@pytest.mark.parametrize("what", TAMPERING)
@pytest.mark.parametrize("rows", [2, 1000])
def test_tampering_is_found_and_named(chain: Cast, what: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "PAGE", rows)
    tamper, number, why = TAMPERING[what]
    with triggers_down():
        tamper()
    result = verifying.verify()
    assert (result.number, result.why) == (number, why)


def test_without_the_key_no_event_can_be_made(chain: Cast, settings: Settings) -> None:
    settings.AUDIT_KEY = "another"
    assert verifying.verify().why is Broken.CHANGED


def test_the_command_says_whole_and_gives_what_to_keep(chain: Cast) -> None:
    out = StringIO()
    call_command("audit", "verify", stdout=out)
    assert "The record is whole: 5 events" in out.getvalue()
    assert AuditHead.objects.get().mac in out.getvalue()


def test_the_command_ends_with_1_and_names_the_event(chain: Cast) -> None:
    with triggers_down():
        AuditEvent.objects.filter(number=3).update(verb="x")
    errors = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("audit", "verify", stderr=errors)
    assert ended.value.code == 1
    assert "Event 3 is not as it was recorded" in errors.getvalue()
