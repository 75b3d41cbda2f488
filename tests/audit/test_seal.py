"""Retention by sealed export: what left the database is in a file that can be checked, and nothing else may leave."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import Settings

from kafkaconsole.audit import actions, sealing, verifying
from kafkaconsole.audit.models import AuditEvent, AuditSeal
from kafkaconsole.audit.verifying import Broken
from tests.audit.test_verify import triggers_down
from tests.factories import Cast

LONG_AGO = timezone.now() - timedelta(days=500)
BETWEEN = (timezone.now() - timedelta(days=400)).isoformat()


@pytest.fixture
def chain(cast: Cast) -> Cast:
    """Three events of long ago, two of now."""
    for number in range(5):
        at = LONG_AGO if number < 3 else timezone.now()
        with time_machine.travel(at, tick=False), transaction.atomic():
            actions.record("team.added", actor=cast.carol, target=cast.billing, facts={"number": number})
    return cast


def seal(file: Path, before: str = BETWEEN) -> str:
    out = StringIO()
    call_command("audit", "seal", "--before", before, "--out", str(file), stdout=out)
    return out.getvalue()


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("audit", *arguments, stdout=out)
    return out.getvalue()


def test_old_events_go_to_the_file_and_the_chain_goes_on_from_the_seal(chain: Cast, tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    assert "Events up to 3" in seal(file)
    assert len(file.read_text().splitlines()) == 3
    assert list(AuditEvent.objects.order_by("number").values_list("number", flat=True)) == [4, 5, 6]
    assert AuditEvent.objects.get(number=6).verb == "audit.sealed"
    found = verifying.verify()
    assert (found.whole, found.checked, found.sealed) == (True, 3, 3)
    assert "3 events after 3 sealed ones" in told("verify")
    assert "The file is whole: 3 events, sealed at event 3" in told("verify", "--sealed", str(file))


def test_a_second_seal_goes_on_where_the_first_ended(chain: Cast, tmp_path: Path) -> None:
    seal(tmp_path / "first.jsonl")
    with pytest.raises(CommandError, match="nothing to seal"):
        seal(tmp_path / "again.jsonl")
    assert not (tmp_path / "again.jsonl").exists()
    with time_machine.travel(timezone.now() + timedelta(days=600)):
        seal(tmp_path / "second.jsonl", (timezone.now() - timedelta(days=400)).isoformat())
    assert verifying.verify().whole
    for name in ("first.jsonl", "second.jsonl"):
        assert "The file is whole: 3 events" in told("verify", "--sealed", str(tmp_path / name))


def test_no_event_leaves_without_a_seal(chain: Cast, tmp_path: Path) -> None:
    with pytest.raises(IntegrityError, match="until they are sealed"), transaction.atomic():
        AuditEvent.objects.filter(number=1).delete()
    seal(tmp_path / "audit.jsonl")
    with pytest.raises(IntegrityError, match="until they are sealed"), transaction.atomic():
        AuditEvent.objects.filter(number=4).delete()


def test_seals_are_neither_changed_nor_deleted(chain: Cast, tmp_path: Path) -> None:
    seal(tmp_path / "audit.jsonl")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        AuditSeal.objects.update(number=5)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        AuditSeal.objects.all().delete()


def test_a_seal_that_somebody_put_in_to_delete_events_is_found(chain: Cast) -> None:
    fourth = AuditEvent.objects.get(number=4)
    AuditSeal.objects.create(number=4, mac=fourth.mac, file_digest="0" * 64, at=timezone.now(), signature="0" * 64)
    AuditEvent.objects.filter(number__lte=4).delete()
    found = verifying.verify()
    assert (found.number, found.why) == (4, Broken.SEAL_FORGED)


def test_young_events_stay(chain: Cast, tmp_path: Path, settings: Settings) -> None:
    file = tmp_path / "audit.jsonl"
    with pytest.raises(CommandError, match="Events stay in the database until"):
        seal(file, (timezone.now() - timedelta(days=300)).isoformat())
    assert not file.exists()
    assert AuditEvent.objects.count() == 5


@pytest.mark.parametrize("before", ["yesterday", "2026-01-01", "2026-01-01T00:00:00", "2026-02-31T00:00:00Z"])
def test_an_instant_without_zone_is_asked_for_again(chain: Cast, tmp_path: Path, before: str) -> None:
    with pytest.raises(CommandError, match="no instant with a zone"):
        seal(tmp_path / "audit.jsonl", before)


def test_a_broken_record_is_not_sealed(chain: Cast, tmp_path: Path) -> None:
    with triggers_down():
        AuditEvent.objects.filter(number=2).update(verb="x")
    with pytest.raises(CommandError, match="does not hold together at event 2"):
        seal(tmp_path / "audit.jsonl")
    assert AuditEvent.objects.count() == 5


def test_a_file_that_exists_is_not_written_over(chain: Cast, tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    file.write_text("mine")
    with pytest.raises(CommandError, match="exists already"):
        seal(file)
    assert file.read_text() == "mine"


def _change(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1].replace(b'"number": 1', b'"number": 7', 1), lines[2]]


TAMPERING: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int | None]] = {
    "a fact is another": (_change, 2),
    "a line is gone": (lambda lines: [lines[0], lines[2]], 2),
    "two are exchanged": (lambda lines: [lines[0], lines[2], lines[1]], 2),
    "no event": (lambda lines: [*lines, b"{}\n"], 4),
    "no json": (lambda lines: [*lines, b"\xff\n"], 4),
    "the end is gone": (lambda lines: lines[:2], None),
    "the beginning is gone": (lambda lines: lines[1:], None),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_tampering_with_a_sealed_file_is_found(chain: Cast, tmp_path: Path, what: str) -> None:
    file = tmp_path / "audit.jsonl"
    seal(file)
    tamper, line = TAMPERING[what]
    found = sealing.check(tamper(file.read_bytes().splitlines(keepends=True)))
    assert not found.whole
    assert found.broken_line == line


def test_the_command_says_which_line_of_a_sealed_file_is_wrong(chain: Cast, tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    seal(file)
    file.write_bytes(b"".join(_change(file.read_bytes().splitlines(keepends=True))))
    errors = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("audit", "verify", "--sealed", str(file), stderr=errors)
    assert ended.value.code == 1
    assert "Line 2 is not as it was recorded" in errors.getvalue()
