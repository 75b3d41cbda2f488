"""What can be refused when records are asked for. Sentences are found by code in `messages`."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class NoPlanYet(Refused):
    """The request has no plan, so nothing says which records it covers. Facts: request, state."""

    code = "records.no_plan"


class NothingToRead(Refused):
    """No partition of the plan has an offset to read. Facts: request, until."""

    code = "records.nothing_to_read"


class NotInPlan(BadInput):
    """A topic or partition that the plan has no line for. Facts: field, found, expected."""

    code = "records.not_in_plan"


class BadLimit(BadInput):
    """A limit outside 1 … EXPORT_MAX_RECORDS. Facts: field, found, expected."""

    code = "records.bad_limit"


class TooManyExports(Refused):
    """The person already has exports running. Facts: running, most."""

    code = "records.too_many"
    status = 429


class AlreadyEnded(Refused):
    """An export that has ended cannot be cancelled. Facts: export, state."""

    code = "records.already_ended"


class NotOfGroup(BadInput):
    """A partition that the group neither has a commit on nor is assigned. Facts: group, partition."""

    code = "records.not_of_group"


class TooManyLooks(Refused):
    """The person already has looks waiting for a worker. Facts: waiting, most."""

    code = "records.too_many_looks"
    status = 429
