"""The rules for awkward partitions as the form offers them: only where they decide something, with what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafkaconsole.resets.models import Plan, PlanLine
from kafkaconsole.resets.pages import words
from kafkaconsole.resets.plans import Action, Why

NAMED = 6

CHOICES: Mapping[str, tuple[words.Word, Sequence[tuple[str, words.Word]]]] = {
    "no_commit": (words.NO_COMMIT_LABEL, words.NO_COMMIT),
    "no_record_after": (words.NO_RECORD_AFTER_LABEL, words.NO_RECORD_AFTER),
    "out_of_range": (words.OUT_OF_RANGE_LABEL, words.OUT_OF_RANGE),
}
"""Each rule's label and values; the first value is the default."""

FROM_ELSEWHERE = frozenset({"copy_group", "restore"})
"""Strategies whose commit is not the group's own: the rule about it decides where there is none to take over."""

WITHOUT_OTHER_COMMIT = (Why.NOT_IN_SOURCE, Why.NO_COMMIT, Why.NO_COMMIT_THEN, Why.NOT_IN_SNAPSHOT)
WITHOUT_RECORD = (Why.NO_RECORD_AFTER, Why.PARTITION_EMPTY)
OUTSIDE = (Why.CLAMPED_TO_LOG_START, Why.CLAMPED_TO_LOG_END, Why.OUT_OF_RANGE)


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """One rule with the value it has now. `partitions` 0: it decides nothing (here, or as long as there is no plan)."""

    name: str
    value: str
    partitions: int = 0
    named: tuple[str, ...] = ()
    effect: str = ""

    @property
    def label(self) -> words.Word:
        """Where it decides, in words."""
        return CHOICES[self.name][0]

    @property
    def choices(self) -> Sequence[tuple[str, words.Word]]:
        """Its values with their words."""
        return CHOICES[self.name][1]

    @property
    def more(self) -> int:
        """Partitions that are not named."""
        return self.partitions - len(self.named)


def rule_choices(given: Mapping[str, object], plan: Plan | None) -> list[RuleChoice]:
    """All three rules with the values that a form or a change gives, and what each decides in the plan."""
    return [_choice(name, str(given.get(name) or choices[0][0]), plan) for name, (_label, choices) in CHOICES.items()]


def _choice(name: str, value: str, plan: Plan | None) -> RuleChoice:
    if plan is None:
        return RuleChoice(name, value)
    decided = _decided(name, plan)
    counts = dict(decided.order_by().values_list("action").annotate(Count("pk")))
    first = decided.values_list("topic", "partition")[:NAMED]
    named = tuple(f"{topic}-{partition}" for topic, partition in first)
    return RuleChoice(name, value, sum(counts.values()), named, _effect(counts))


def _decided(name: str, plan: Plan) -> QuerySet[PlanLine]:
    strategy = plan.change.get("strategy")
    kind = strategy.get("kind") if isinstance(strategy, Mapping) else ""
    lines = plan.lines.order_by("topic", "partition")
    if name == "no_record_after":
        return lines.filter(why__in=WITHOUT_RECORD)
    if name == "out_of_range":
        return lines.filter(why__in=OUTSIDE)
    if kind in FROM_ELSEWHERE:
        return lines.filter(why__in=WITHOUT_OTHER_COMMIT)
    return lines.filter(committed__isnull=True, log_end__isnull=False)


def _effect(counts: Mapping[str, int]) -> str:
    """What becomes of the partitions that it decides."""
    return _(", ").join(_told(action, counts[action]) for action in Action if counts.get(action))


def _told(action: Action, n: int) -> str:
    told = {
        Action.SET: ngettext("%(n)s is set", "%(n)s are set", n),
        Action.LEAVE: ngettext("%(n)s is left as it is", "%(n)s are left as they are", n),
        Action.DELETE: ngettext("the commit of %(n)s is deleted", "the commits of %(n)s are deleted", n),
        Action.REFUSE: ngettext("%(n)s refuses the plan", "%(n)s refuse the plan", n),
    }
    return told[action] % {"n": f"{n:,}"}
