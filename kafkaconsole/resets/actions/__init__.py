"""The verbs of a request's life, one function each: permission, change, record, and what a worker is told.

`asking`, `revising`, `batching`, `undoing`, `signing`, `withdrawing`, `overriding` and `ending` are people's; `working_out`, `executing` and `ticking` are the workers'.
"""

from kafkaconsole.resets.actions.asking import preview, replan, request
from kafkaconsole.resets.actions.batching import Signed, approve_batch, request_batch
from kafkaconsole.resets.actions.ending import cancel, comment
from kafkaconsole.resets.actions.executing import execute, settle
from kafkaconsole.resets.actions.overriding import break_glass, set_windows_aside
from kafkaconsole.resets.actions.revising import revise
from kafkaconsole.resets.actions.signing import approve, reject
from kafkaconsole.resets.actions.ticking import tick
from kafkaconsole.resets.actions.undoing import undo
from kafkaconsole.resets.actions.withdrawing import withdraw
from kafkaconsole.resets.actions.working_out import make_plan, make_preview

__all__ = [
    "Signed",
    "approve",
    "approve_batch",
    "break_glass",
    "cancel",
    "comment",
    "execute",
    "make_plan",
    "make_preview",
    "preview",
    "reject",
    "replan",
    "request",
    "request_batch",
    "revise",
    "set_windows_aside",
    "settle",
    "tick",
    "undo",
    "withdraw",
]
