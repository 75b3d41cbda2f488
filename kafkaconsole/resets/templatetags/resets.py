"""Tags of the request pages: why a line is as it is, and how a thing that happened reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kafkaconsole.approvals.differences import signs_in_words
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.display.sentences import sentence
from kafkaconsole.resets.models import Plan
from kafkaconsole.resets.pages.words import title_of
from kafkaconsole.resets.queries import TimelineEntry
from kafkaconsole.words import shown

register = template.Library()

Word = str | Promise

WHY_SHORT: dict[str, Word] = {
    "clamped_to_log_start": _("clamped"),
    "clamped_to_log_end": _("clamped"),
    "out_of_range": _("outside the log"),
    "no_commit": _("no commit"),
    "no_record_after": _("no later record"),
    "partition_empty": _("holds nothing"),
    "no_record_after_uncertain": _("not certain"),
    "no_leader": _("no leader"),
    "not_authorized": _("no right"),
    "unknown_partition": _("no such partition"),
    "unavailable": _("no answer"),
    "not_in_source": _("not in the source"),
    "no_commit_then": _("none then"),
    "not_in_snapshot": _("not in the snapshot"),
    "not_known_then": _("not known then"),
    "topic_made_again": _("made again"),
}


@dataclass(frozen=True, slots=True)
class EntryLook:
    """How an entry of the timeline reads; `words` follow the person's name."""

    words: Word
    tone: str = ""


ENTRIES: dict[str, EntryLook] = {
    "reset.requested": EntryLook(_("asked for this reset")),
    "reset.planned": EntryLook(_("planned it")),
    "reset.plan_failed": EntryLook(_("found no plan"), "bad"),
    "reset.approved": EntryLook(_("approved"), "ok"),
    "reset.sent_back": EntryLook(_("sent it back: a signature no longer counts"), "bad"),
    "reset.window_set_aside": EntryLook(_("set the windows aside for this plan"), "bad"),
    "reset.glass_broken": EntryLook(_("broke the glass: it is carried out without signatures"), "bad"),
    "reset.withdrawn": EntryLook(_("took the approval back"), "bad"),
    "reset.rejected": EntryLook(_("rejected"), "bad"),
    "reset.cancelled": EntryLook(_("cancelled it")),
    "reset.expired": EntryLook(_("let it expire"), "bad"),
    "reset.stale": EntryLook(_("found the plan out of date"), "bad"),
    "reset.waiting": EntryLook(_("waits for the group")),
    "reset.executing": EntryLook(_("A worker carries it out:"), "busy"),
    "reset.applied": EntryLook(_("applied it and read it back"), "ok"),
    "reset.partly_applied": EntryLook(_("applied a part of it"), "bad"),
    "reset.failed": EntryLook(_("could not apply it; nothing was written"), "bad"),
    "reset.uncertain": EntryLook(_("does not know the outcome yet"), "busy"),
    "reset.commented": EntryLook(_("said")),
    "reset.replanned": EntryLook(_("had it planned again; approvals are void")),
    "reset.revised": EntryLook(_("changed what is asked for; approvals are void")),
    "reset.undo_requested": EntryLook(_("asked to undo it")),
    "records.asked": EntryLook(_("asked for its records")),
    "records.exported": EntryLook(_("read its records")),
    "records.downloaded": EntryLook(_("downloaded its records")),
    "records.looked": EntryLook(_("looked at records")),
}


@register.simple_tag
def timeline_look(entry: TimelineEntry) -> EntryLook:
    """Words and tone of one entry; a verb without words of its own is shown by its name."""
    return ENTRIES.get(entry.verb) or EntryLook(entry.verb)


@register.filter
def signs(version: PolicyVersion) -> str:
    """Who signs by a policy, in one line."""
    return shown(signs_in_words(version))


@register.simple_tag
def change_title(change: Mapping[str, object], plan: Plan | None) -> str:
    """What a change does, in a sentence."""
    return str(title_of(change, plan))


@register.simple_tag
def why(code: str) -> str:
    """The rule that decided a line, in a sentence."""
    return sentence(code, {})


@register.simple_tag
def why_short(code: str) -> Word:
    """The same in a word or two, for the table."""
    return WHY_SHORT.get(code, code)
