"""What the life of a request refuses, and the codes of what a request waits for or ended with."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class BadRequest(BadInput):
    """A field beside the change that cannot be used. Facts: field, found, expected."""

    code = "reset.bad_request"


class DigestOutdated(Refused):
    """The plan that the person saw is not the request's plan now. Facts: seen, current (None: there is none)."""

    code = "approval.digest_outdated"


class WrongState(Refused):
    """The request is in a state in which this cannot be done. Facts: request, state, expected (states, in words)."""

    code = "reset.wrong_state"


class CommentNeeded(BadInput):
    """A rejection says why. Facts: field."""

    code = "reset.comment_needed"


class DecidedOtherwise(Refused):
    """The same person said the opposite of this plan before. Facts: decision."""

    code = "approval.decided_otherwise"


class TakenBack(Refused):
    """The same person took their approval of this plan back. Facts: none."""

    code = "approval.taken_back"


class RevisionOutdated(Refused):
    """The request was changed since the person saw it. Facts: seen, current (numbers of revisions)."""

    code = "reset.revision_outdated"


class NothingRevised(BadInput):
    """Change, reason and ticket are as they were. Facts: request."""

    code = "reset.nothing_revised"


class AlreadyRunning(Refused):
    """Another request of the group is being executed, or its result is not certain. Facts: group, request."""

    code = "reset.already_running"


GROUP_STILL_ACTIVE = "reset.group_still_active"
STALE = "reset.stale"
NOT_YET = "reset.not_yet"
OTHER_RUNNING = "reset.already_running"
PLAN_REFUSED = "reset.plan_refused"
NOTHING_TO_WRITE = "reset.nothing_to_write"
INTERRUPTED = "reset.interrupted"
NOT_SENT = "reset.not_sent"
NOT_WRITTEN = "reset.not_written"
ANSWER_UNKNOWN = "reset.answer_unknown"
OVERWRITTEN = "reset.overwritten"
UNCHANGED = "reset.unchanged"
FOUND_ANOTHER = "reset.found_another"
TOPIC_REPLACED = "reset.topic_replaced"
WATCHED = "reset.watched"
OTHERS_CHANGED = "reset.others_changed"
NEVER_CERTAIN = "reset.never_certain"
NOTHING_WRITTEN = "reset.nothing_written"
IN_PART = "reset.in_part"
UNCERTAIN = "reset.uncertain"
