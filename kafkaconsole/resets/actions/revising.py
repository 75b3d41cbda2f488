"""Changing what an open request asks for: a new revision, planned and signed anew; the old one stays to be read."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.resets import governing, policies
from kafkaconsole.resets.actions.asking import (
    LONGEST_REASON,
    LONGEST_TICKET,
    check_words,
    read,
    text_of,
    to_planning,
)
from kafkaconsole.resets.change import Change, change_as_json
from kafkaconsole.resets.errors import BadChange, FieldProblem
from kafkaconsole.resets.models import ResetRequest, Revision
from kafkaconsole.resets.refusals import NothingRevised, RevisionOutdated

Wording = dict[str, object]
"""What a revision says: change, reason, ticket."""


@transaction.atomic
def revise(
    *, request: ResetRequest, by: User, change_json: Mapping[str, object], reason: str, ticket: str = "", seen: int
) -> ResetRequest:
    """Ask for another change of the same group instead; `seen` is the number of the revision that its person saw.

    Its plan and every signature are void. Raises BadChange, BadRequest, NotAllowed, NothingRevised, RevisionOutdated.
    """
    row = ResetRequest.objects.select_for_update().get(pk=request.pk)
    policies.may_revise(by, row).require()
    number = row.revisions.count() + 1
    if seen != number:
        raise RevisionOutdated(seen=seen, current=number)
    change, cluster = read(by, change_json)
    _keeps_its_group(row, change)
    now: Wording = {
        "change": change_as_json(change),
        "reason": text_of("reason", reason, LONGEST_REASON, least=1),
        "ticket": text_of("ticket", ticket, LONGEST_TICKET),
    }
    before: Wording = {"change": row.change, "reason": row.reason, "ticket": row.ticket}
    changed = [name for name in now if now[name] != before[name]]
    if not changed:
        raise NothingRevised(request=row.pk)
    check_words(cluster, row.team, change, str(now["reason"]), str(now["ticket"]))
    void = [one.by.username for one in governing.approvals_of(row)]
    _keep(row, number, by)
    facts = {
        "revision": number + 1,
        "state": row.state,
        "digest": row.plan_digest or None,
        "before": {name: before[name] for name in changed},
        "after": {name: now[name] for name in changed},
        "void": void,
    }
    to_planning(row, **now)
    audit.record("reset.revised", actor=by, target=row, facts=facts)
    row.refresh_from_db()
    return row


def _keep(row: ResetRequest, number: int, by: User) -> None:
    """The wording that is replaced, as a row of its own."""
    last = row.revisions.order_by("-number").first()
    author = last.replaced_by if last else row.requester
    kept = {"change": row.change, "reason": row.reason, "ticket": row.ticket, "plan": row.plan}
    Revision.objects.create(request=row, number=number, by=author, replaced_by=by, **kept)


def _keeps_its_group(row: ResetRequest, change: Change) -> None:
    """Another group has another team, other signers and a history of its own: that is another request."""
    wrong = [
        FieldProblem(field, found, expected)
        for field, found, expected in (
            ("cluster", change.cluster, row.cluster.name),
            ("group", change.group, row.group_name),
        )
        if found != expected
    ]
    if wrong:
        raise BadChange(wrong)
