"""What can go wrong with telling, and what is refused about channels. Sentences are found by code in `messages`."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused, Unavailable


class NotDelivered(Unavailable):
    """The other side could not be reached, or said “not now”. Facts: answer (its words)."""

    code = "notify.not_delivered"


class RefusedForGood(NotDelivered):
    """The other side said no, and will say so again. Facts: answer."""

    code = "notify.refused"


class InternalAddress(RefusedForGood):
    """A webhook's host leads into the network that the console stands in. Facts: host, address."""

    code = "notify.internal_address"


class BadChannel(BadInput):
    """Something typed of a channel cannot be used. Facts: field, found, expected."""

    code = "notify.bad_channel"


class NothingToSendAgain(Refused):
    """The message has not ended, so it is on its way already. Facts: message."""

    code = "notify.not_ended"
