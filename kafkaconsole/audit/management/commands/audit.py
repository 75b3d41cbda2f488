"""`manage.py audit verify`: checks the whole record and says the first broken event and why."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from kafkaconsole.audit import actions
from kafkaconsole.audit.actions import Broken
from kafkaconsole.audit.models import AuditHead

SENTENCES = {
    Broken.CHANGED: "Event {number} is not as it was recorded. Compare it with a backup.",
    Broken.MISSING: "Event {number} is missing. Look for it in a backup.",
    Broken.REORDERED: "Event {number} does not follow the event before it: events were put in or exchanged.",
    Broken.CUT_OFF: "Event {number} and what followed is gone, though the head still counts it.",
    Broken.UNACCOUNTED: "Event {number} is beyond the head: it was not recorded by the console.",
}


class Command(BaseCommand):
    """Checks of the audit record."""

    help = "verify: walk the audit chain and say whether it is whole (exit code 1 if it is not)"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One verb so far."""
        parser.add_argument("verb", choices=["verify"])

    def handle(self, *args: Any, **options: Any) -> None:
        """Walk and tell."""
        result = actions.verify()
        if result.why is not None:
            self.stderr.write(SENTENCES[result.why].format(number=result.number))
            sys.exit(1)
        head = AuditHead.objects.filter(pk=1).first() or AuditHead()
        self.stdout.write(
            f"The record is whole: {result.checked} events. Head {head.number}, mac {head.mac or 'none'}."
        )
