"""The sentences of this app, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "notify.not_delivered": phrase("It could not be delivered: {answer}. It is tried again by itself."),
    "notify.refused": phrase("It was refused: {answer}. Mend the address, and send it again."),
    "notify.internal_address": phrase(
        "{host} leads to {address}, an internal address. Webhooks go to public addresses only, unless "
        "ALLOW_INTERNAL_WEBHOOKS lets them."
    ),
    "notify.bad_channel": phrase("Found {found}, expected {expected}."),
    "notify.not_ended": phrase("This message is on its way already. Wait until it is sent or has failed."),
    "notify.not_theirs": phrase("Whoever it was meant for may not see this request (any more)."),
    "notify.not_reachable": phrase("Whoever it was meant for may not sign in any more, or has no mail address."),
    "notify.no_mail": phrase("No mail server is set up (MAIL_URL)."),
    "notify.broken": phrase(
        "It could not be put together ({kind}); the worker’s log says more. It is tried again by itself."
    ),
    "notify.channel_gone": phrase("The channel was removed."),
    "notify.nothing_waits": phrase("Nothing waited any more when it was to be sent."),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return words(SENTENCES[code], **facts)
