"""Events of the record as sentences for those who are told of them."""

from __future__ import annotations

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.resets.models import Comment, ResetRequest
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

LONGEST_TEXT = 600


def said(event: AuditEvent, request: ResetRequest) -> str:
    """The sentence in the language in force."""
    facts = {
        "actor": event.actor_name,
        "requester": str(request.requester),
        "reason": str(event.facts.get("reason", "")),
        "text": _comment(event),
    }
    return shown(words(SENTENCES[event.verb], **facts))


def _comment(event: AuditEvent) -> str:
    row = Comment.objects.filter(pk=event.facts.get("comment") or 0).first()
    text = row.text if row else ""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"
