"""`manage.py audit verify|anchor|seal`: is the record whole, how far does it reach, and old events into a sealed file."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from kafkaconsole.audit import anchors, sealing, verifying
from kafkaconsole.audit.anchors import Anchor
from kafkaconsole.audit.messages import sentence
from kafkaconsole.audit.verifying import Broken
from kafkaconsole.errors import ConsoleError

SENTENCES = {
    Broken.CHANGED: "Event {number} is not as it was recorded. Compare it with a backup.",
    Broken.MISSING: "Event {number} is missing. Look for it in a backup.",
    Broken.REORDERED: "Event {number} does not follow the event before it: events were put in or exchanged.",
    Broken.CUT_OFF: "Event {number} and what followed is gone. Look for them in a backup.",
    Broken.UNACCOUNTED: "Event {number} is beyond the head: it was not recorded by the console.",
    Broken.SEAL_FORGED: "The seal at event {number} was not made by this console. Compare with a backup.",
    Broken.ANCHOR_FORGED: "The anchor at event {number} was not written by this console. Compare with the logs.",
}


class Command(BaseCommand):
    """The record from the shell."""

    help = "Check the audit record, write down how far it reaches, or move old events to a sealed file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The three verbs."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        check = verbs.add_parser("verify", help="walk the chain, or a sealed file; exit code 1 if it is broken")
        check.add_argument("--anchors", type=Path, help="a file of anchors, kept elsewhere: a record cut off shows")
        check.add_argument("--sealed", type=Path, help="check this sealed file instead")
        verbs.add_parser("anchor", help="print a signed line that says how far the record reaches")
        seal = verbs.add_parser("seal", help="write old events to a file and take them out of the database")
        seal.add_argument("--before", required=True, help="an instant with its zone: 2026-01-01T00:00:00Z")
        seal.add_argument("--out", required=True, type=Path, help="a file that does not exist yet")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        """Do one of them."""
        try:
            if verb == "verify" and options["sealed"]:
                self._check_file(options["sealed"])
            elif verb == "verify":
                self._verify(options["anchors"])
            elif verb == "anchor":
                self._anchor()
            else:
                self._seal(options["before"], options["out"])
        except ConsoleError as error:
            raise CommandError(sentence(error.code, error.facts)) from error

    def _verify(self, file: Path | None) -> None:
        result = verifying.verify(anchors=_anchors(file), progress=self._tell)
        if result.why is not None:
            self.stderr.write(SENTENCES[result.why].format(number=result.number))
            sys.exit(1)
        sealed = f" after {result.sealed} sealed ones" if result.sealed else ""
        reach = f"Head {result.head_number}, mac {result.head_mac or 'none'}."
        self.stdout.write(f"The record is whole: {result.checked} events{sealed}. {reach}")

    def _tell(self, checked: int, total: int) -> None:
        if checked % 100_000 == 0 and checked < total:
            self.stderr.write(f"{checked} of {total} events …")

    def _check_file(self, file: Path) -> None:
        with file.open("rb") as lines:
            found = sealing.check(lines)
        if found.broken_line is not None:
            self.stderr.write(f"Line {found.broken_line} is not as it was recorded. Compare with another copy.")
            sys.exit(1)
        if found.seal is None:
            self.stderr.write(f"{found.checked} events hold together, but no seal here covers exactly this file.")
            sys.exit(1)
        self.stdout.write(f"The file is whole: {found.checked} events, sealed at event {found.seal.number}.")

    def _anchor(self) -> None:
        taken = anchors.take()
        if taken is None:
            raise CommandError("Nothing is recorded yet, so there is nothing to anchor.")
        self.stdout.write(taken.line(), ending="")

    def _seal(self, before: str, file: Path) -> None:
        if file.exists():
            raise CommandError(f"{file} exists already. Name a file that does not.")
        with file.open("xb") as out:
            try:
                seal = sealing.export(before=_instant(before), out=out)
                out.flush()
                os.fsync(out.fileno())
            except BaseException:
                file.unlink()
                raise
        sealing.close(seal)
        self.stdout.write(f"Events up to {seal.number} are in {file} and no longer in the database. Keep the file.")


def _anchors(file: Path | None) -> list[Anchor]:
    if file is None:
        return []
    try:
        return list(anchors.read(file.read_text(encoding="ascii").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"The anchors cannot be read: {error}") from error


def _instant(text: str) -> datetime:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None or timezone.is_naive(found):
        raise CommandError(f"{text!r} is no instant with a zone. Write it like 2026-01-01T00:00:00Z.")
    return found
