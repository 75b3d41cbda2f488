"""Events of the record as sentences for those who are told of them."""

from __future__ import annotations

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.notifications.topics import WITHDRAWN
from kafkaconsole.resets.models import Approval, Comment, ResetRequest
from kafkaconsole.words import phrase, shown, words

SENTENCES = {
    "reset.planned": phrase("{requester} asks for this. The plan is there to be signed."),
    "reset.sent_back": phrase("A signature no longer counts. The plan has to be signed again."),
    "reset.plan_failed": phrase("No plan could be made."),
    "reset.approved": phrase("{actor} approved the plan."),
    "reset.rejected": phrase("{actor} rejected the plan."),
    "reset.cancelled": phrase("{actor} cancelled it."),
    "reset.waiting": phrase("It waits."),
    "reset.stale": phrase("The plan is stale: it has to be made and signed anew."),
    "reset.expired": phrase("Its time was over before it was carried out."),
    "reset.applied": phrase("It was applied, and read back as planned."),
    "reset.partly_applied": phrase("It was applied on some partitions, not on all."),
    "reset.failed": phrase("It failed. Nothing was written."),
    "reset.uncertain": phrase("An answer of the cluster was lost. What was written is being found out."),
    "reset.commented": phrase("{actor} named you: “{text}”"),
    "reset.revised": phrase("{actor} changed what is asked for. What was signed is void; a new plan is made."),
    "reset.handed_over": phrase("{actor} handed it over to you."),
    "reset.glass_broken": phrase(
        "{actor} BROKE THE GLASS: it is carried out without the signatures that its policy asks for. Reason: “{reason}”"
    ),
}

SENTENCES["reset.withdrawn"] = SENTENCES["reset.commented"]
"""Only those whom it names are told of it."""

LONGEST_TEXT = 600


def said(event: AuditEvent, request: ResetRequest) -> str:
    """The sentence in the language in force."""
    return _told(event.verb, event, request)


def named(event: AuditEvent, request: ResetRequest) -> str:
    """That the comment of an act names the reader, and what it says."""
    return _told("reset.commented", event, request)


def _told(verb: str, event: AuditEvent, request: ResetRequest) -> str:
    facts = {
        "actor": event.actor_name,
        "requester": str(request.requester),
        "reason": str(event.facts.get("reason", "")),
        "text": _comment(event),
    }
    return shown(words(SENTENCES[verb], **facts))


def _comment(event: AuditEvent) -> str:
    text = _text_of(event)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def _text_of(event: AuditEvent) -> str:
    """What was said, by itself or with a signature or its withdrawal."""
    if "comment" in event.facts:
        said = Comment.objects.filter(pk=event.facts["comment"]).first()
        return said.text if said else ""
    approvals = Approval.objects.select_related("withdrawal")
    signature = approvals.filter(pk=event.facts.get("approval") or 0).first()
    if signature is None:
        return ""
    return signature.withdrawal.comment if event.verb == WITHDRAWN else signature.comment
