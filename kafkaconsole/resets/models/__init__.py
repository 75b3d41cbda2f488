"""Rows of the workflow. What design §2 asks of a database stands here as constraints and in migrations as triggers."""

from kafkaconsole.resets.models.attempts import Attempt, AttemptResult
from kafkaconsole.resets.models.batches import Batch
from kafkaconsole.resets.models.overrides import Override, OverrideKind
from kafkaconsole.resets.models.plans import Plan, PlanLine, Preview
from kafkaconsole.resets.models.requests import Approval, Comment, Decision, ResetRequest, ResetRequestQuerySet
from kafkaconsole.resets.models.revisions import Revision
from kafkaconsole.resets.models.withdrawals import Withdrawal

__all__ = [
    "Approval",
    "Attempt",
    "AttemptResult",
    "Batch",
    "Comment",
    "Decision",
    "Override",
    "OverrideKind",
    "Plan",
    "PlanLine",
    "Preview",
    "ResetRequest",
    "Revision",
    "Withdrawal",
    "ResetRequestQuerySet",
]
