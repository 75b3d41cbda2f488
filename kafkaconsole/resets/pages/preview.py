"""A plan without a request, as the form shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.core.paginator import Page
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from kafkaconsole.resets.models import AttemptResult, Plan, PlanLine, Preview
from kafkaconsole.resets.pages import lines, sums
from kafkaconsole.resets.pages.rules import RuleChoice, rule_choices
from kafkaconsole.resets.pages.words import Title, title_of
from kafkaconsole.resets.reading import PREVIEWED
from kafkaconsole.resets.reading_rights import may_look_at_records
from kafkaconsole.resets.states import PreviewState
from kafkaconsole.teams.verdicts import Verdict


@dataclass(frozen=True)
class PreviewPage:
    """What the panel draws; `is_slow` when it has been planning for longer than it should.

    `is_outdated`: the form says something else by now.
    """

    row: Preview
    asked: Mapping[str, str] = field(default_factory=dict)
    is_slow: bool = False
    is_outdated: bool = False

    @property
    def plan(self) -> Plan | None:
        """The plan, once there is one."""
        return self.row.plan

    @property
    def is_planning(self) -> bool:
        """Whether to ask again."""
        return self.row.state == PreviewState.PLANNING

    @property
    def title(self) -> Title:
        """The change in a sentence."""
        return title_of(self.row.change, self.plan)

    @property
    def why_not_ask(self) -> str:
        """Why no request can be made of this plan, in a sentence; empty: one can.

        One that changes nothing can be asked for: the same offsets are committed again, and live on.
        """
        if self.plan is None or not self.plan.refused:
            return ""
        return _("The plan refuses: change the partitions, the strategy or the rules, then show the plan again.")

    @cached_property
    def may_look(self) -> Verdict:
        """Whether its person may look at records of the group."""
        return may_look_at_records(self.row.asked_by, self.row.cluster, str(self.row.change["group"]))

    @property
    def look_from(self) -> str:
        """What a look at a line's records is asked with; empty: the person may not."""
        asked = {"cluster": self.row.cluster.name, "group": str(self.row.change["group"])}
        return urlencode(asked) if self.may_look else ""

    @property
    def passes_open_transactions(self) -> bool:
        """Whether a target lies beyond the last stable offset: the form then offers that one instead."""
        return self.plan is not None and any(one["code"] == "open_transactions" for one in self.plan.warnings)

    @cached_property
    def rules(self) -> list[RuleChoice]:
        """The rules with what they decide here, as the change gives them."""
        given = self.row.change.get("rules")
        return rule_choices(given if isinstance(given, Mapping) else {}, self.plan)

    @cached_property
    def lanes(self) -> list[sums.Lane]:
        """The big ruler's lanes."""
        return sums.lanes_of(self.plan) if self.plan else []

    @cached_property
    def lag_after(self) -> int | None:
        """What is left to read after it."""
        return sums.lag_after(self.plan) if self.plan else None

    @property
    def most_timed(self) -> int:
        """Around so many targets were the times of records read; 0: around all, the plan has no more."""
        return PREVIEWED if self.plan is not None and self.plan.partitions_count > PREVIEWED else 0

    @cached_property
    def page(self) -> Page[PlanLine]:
        """The page of plan lines that was asked for."""
        return lines.page_of_lines(self.plan if self.plan else Plan(), self.asked)

    @cached_property
    def rows(self) -> list[tuple[PlanLine, AttemptResult | None]]:
        """That page's lines; a preview has no results."""
        return lines.with_results(self.page, AttemptResult.objects.none())
