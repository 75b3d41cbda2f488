"""What people read for each code of this app; facts fill the sentence."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.resets.wording import state_words
from kafkaconsole.words import phrase, phrase_in, words

ENDED = (phrase_in("state", "done"), phrase_in("state", "bounded"))
"""How the states of an export stand inside a sentence; the others are those of a request, too."""

SENTENCES: dict[str, str] = {
    "records.no_plan": phrase(
        "Request {request} is {state} and has no plan yet, and the plan says which records are read. "
        "Wait until it is planned."
    ),
    "records.nothing_to_read": phrase(
        "The plan of request {request} has no offset to read up to its {until}. "
        "Ask for the records up to the log end, or look at the plan: it may only skip."
    ),
    "records.not_in_plan": phrase("{field} is {found}, and the plan has {expected}. Name a partition of the plan."),
    "records.not_of_group": phrase(
        "{group} has no commit on {partition} and does not read it, as far as the last sweep saw. "
        "Choose a partition that the group reads, or look from the plan of a request."
    ),
    "records.too_many_looks": phrase(
        "{waiting} of your looks still wait for a worker, and {most} is the most at a time. Wait until one is read."
    ),
    "records.bad_limit": phrase("{field} is {found}; it must be {expected}."),
    "records.too_many": phrase(
        "{running} of your exports are still running, and {most} is the most at a time. "
        "Wait until one has ended, or cancel one."
    ),
    "records.already_ended": phrase("Export {export} is {state}, so there is nothing left to cancel."),
    "records.bounded": phrase(
        "Stopped after {records} records: {bound} is the most for this export. More records follow at the places "
        "under `next`. Ask with a higher limit, or for fewer partitions."
    ),
    "records.cancelled": phrase("The export was cancelled after {records} records. Ask again to read all of them."),
    "records.stalled": phrase(
        "No record came for {seconds} s, so the download ended after {records} records. "
        "Look whether the cluster answers and a worker runs, then ask again."
    ),
    "records.gave_up": phrase(
        "The records could not be read: {tries} tries ended without progress, the last one with “{last}”. "
        "Look whether the cluster answers (page Clusters), then ask again."
    ),
    "records.interrupted": phrase("a worker that stopped in the middle"),
    "records.dropped": phrase("Export {export} was dropped after its keeping time. Ask again."),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    if "state" in facts:
        facts = {**facts, "state": state_words(facts["state"])}
    return words(SENTENCES[code], **facts)
