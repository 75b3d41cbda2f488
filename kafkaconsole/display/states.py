"""Every state that a page can show: its word, tone and icon together, so that colour is never the only sign.

Keyed by what the state belongs to, because `failed` of a request (nothing was written) is not `failed` of a partition.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Look:
    """How one state is drawn. `tone` is a class of components/tag.css; `icon` a name in the sprite."""

    label: str | Promise
    tone: str
    icon: str


_REQUEST = {
    "planning": Look(_("Is being planned"), "busy", "hourglass-split"),
    "planned": Look(_("Waits for sign-off"), "wait", "person-check"),
    "plan_failed": Look(_("No plan"), "bad", "exclamation-octagon"),
    "approved": Look(_("Approved"), "busy", "check2"),
    "waiting": Look(_("Waits for the group"), "wait", "pause-circle"),
    "executing": Look(_("Is being applied"), "busy", "arrow-repeat"),
    "uncertain": Look(_("Outcome is being checked"), "wait", "question-circle"),
    "applied": Look(_("Applied"), "ok", "check-circle-fill"),
    "partly_applied": Look(_("Applied in part"), "bad", "exclamation-diamond"),
    "failed": Look(_("Failed, nothing written"), "bad", "x-octagon"),
    "rejected": Look(_("Rejected"), "bad", "x-circle"),
    "cancelled": Look(_("Cancelled"), "quiet", "slash-circle"),
    "expired": Look(_("Expired"), "quiet", "clock-history"),
    "stale": Look(_("Plan is out of date"), "wait", "exclamation-triangle"),
}

_ATTEMPT = {
    "running": Look(_("Runs"), "busy", "arrow-repeat"),
    "uncertain": _REQUEST["uncertain"],
    "applied": _REQUEST["applied"],
    "partly_applied": _REQUEST["partly_applied"],
    "failed": _REQUEST["failed"],
    "stopped": Look(_("Stopped before writing"), "quiet", "stop-circle"),
}

_RESULT = {
    "intended": Look(_("About to be written"), "busy", "hourglass-split"),
    "written": Look(_("Written, is read back"), "busy", "arrow-repeat"),
    "done": Look(_("Done"), "ok", "check-circle-fill"),
    "failed": Look(_("Failed"), "bad", "x-octagon"),
    "unknown": Look(_("Not yet known"), "wait", "question-circle"),
}

_GROUP = {
    "Empty": Look(_("Empty"), "quiet", "circle"),
    "Stable": Look(_("Stable"), "ok", "check-circle-fill"),
    "PreparingRebalance": Look(_("Prepares a rebalance"), "wait", "arrow-repeat"),
    "CompletingRebalance": Look(_("Completes a rebalance"), "wait", "arrow-repeat"),
    "Assigning": Look(_("Assigns partitions"), "wait", "arrow-repeat"),
    "Reconciling": Look(_("Reconciles"), "wait", "arrow-repeat"),
    "NotReady": Look(_("Not ready"), "wait", "hourglass"),
    "Dead": Look(_("Dead"), "quiet", "x-circle"),
    "Missing": Look(_("Does not exist"), "quiet", "slash-circle"),
    "Unknown": Look(_("State not known"), "quiet", "question-circle"),
}

_HEALTH = {
    "ok": Look(_("Answers"), "ok", "check-circle-fill"),
    "degraded": Look(_("Answers in part"), "wait", "exclamation-triangle"),
    "unreachable": Look(_("Does not answer"), "bad", "x-octagon"),
    "unknown": Look(_("Not yet measured"), "quiet", "question-circle"),
}

_EXPORT = {
    "waiting": Look(_("Waits for a worker"), "busy", "hourglass-split"),
    "reading": Look(_("Reads"), "busy", "arrow-repeat"),
    "done": Look(_("Complete"), "ok", "check-circle-fill"),
    "bounded": Look(_("Stopped at its limit"), "wait", "stop-circle"),
    "failed": Look(_("Failed"), "bad", "x-octagon"),
    "cancelled": Look(_("Cancelled"), "quiet", "slash-circle"),
}

_LINE = {
    "set": Look(_("Will be set"), "busy", "flag"),
    "leave": Look(_("Stays"), "quiet", "dash-circle"),
    "delete": Look(_("Commit deleted"), "bad", "trash"),
    "refuse": Look(_("Refused"), "bad", "x-octagon"),
}

_MESSAGE = {
    "waiting": Look(_("Waiting"), "wait", "hourglass-split"),
    "sending": Look(_("Being sent"), "busy", "arrow-repeat"),
    "sent": Look(_("Sent"), "ok", "check-circle-fill"),
    "failed": Look(_("Failed"), "bad", "x-octagon"),
    "dropped": Look(_("Not sent"), "quiet", "slash-circle"),
}

_CLAIM = {
    "open": Look(_("Waits for an answer"), "wait", "person-check"),
    "granted": Look(_("Granted"), "ok", "check-circle-fill"),
    "rejected": Look(_("Rejected"), "bad", "x-circle"),
    "withdrawn": Look(_("Withdrawn"), "quiet", "slash-circle"),
}

LOOKS: dict[str, dict[str, Look]] = {
    "request": _REQUEST,
    "preview": _REQUEST,
    "attempt": _ATTEMPT,
    "result": _RESULT,
    "group": _GROUP,
    "health": _HEALTH,
    "export": _EXPORT,
    "line": _LINE,
    "message": _MESSAGE,
    "claim": _CLAIM,
}


def look_of(kind: str, state: str) -> Look:
    """How to draw a state; one that nobody has named is shown by its own name, never hidden."""
    return LOOKS[kind].get(state) or Look(state, "quiet", "question-circle")
