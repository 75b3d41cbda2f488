"""Who owns which groups: rules, what they say of one name, and claims."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from kafkaconsole.api.paging import PageQuery
from kafkaconsole.api.shapes.values import InstantText, instant, instant_text
from kafkaconsole.groups.models import Claim, OwnershipRule
from kafkaconsole.groups.queries import Tie
from kafkaconsole.groups.trying import Tried
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME

Kind = Literal["name", "prefix", "glob", "regex"]
ClaimState = Literal["open", "granted", "rejected", "withdrawn"]


class RuleIn(Schema):
    """A new rule; without `cluster` and `environment` it holds everywhere, and it cannot have both."""

    model_config = ConfigDict(extra="forbid")

    kind: Kind
    pattern: str = Field(..., min_length=1, max_length=LONGEST_GROUP_NAME)
    team: str = Field(..., min_length=1, max_length=50, description="Slug of a team")
    cluster: str | None = Field(None, min_length=1, max_length=60, description="Name of a cluster")
    environment: str | None = Field(None, min_length=1, max_length=50, description="Slug of an environment")


class RuleOut(Schema):
    """Groups of a name, a beginning, a pattern with * and ?, or a regular expression belong to a team."""

    id: int
    kind: Kind
    pattern: str
    team: str
    cluster: str | None
    environment: str | None

    @classmethod
    def fields_of(cls, row: OwnershipRule) -> dict[str, Any]:
        """The fields of its row."""
        return {
            "id": row.pk,
            "kind": row.kind,
            "pattern": row.pattern,
            "team": row.team.slug,
            "cluster": row.cluster.name if row.cluster else None,
            "environment": row.environment.slug if row.environment else None,
        }


class RuleList(Schema):
    """A page of rules."""

    items: list[RuleOut]
    next: str | None
    as_of: InstantText


class RuleLost(RuleOut):
    """A rule that matches and does not decide."""

    why: str


class OwnerOut(Schema):
    """What the rules say of one name on one cluster; `team` null: nobody owns it, or rules of one rank tie."""

    cluster: str
    group: str
    team: str | None
    is_tie: bool
    why: str
    best: list[RuleOut] = Field(..., description="The rule that decides; those that agree or tie")
    lost: list[RuleLost] = Field(..., description="Others that match, the highest rank first")

    @classmethod
    def of(cls, tried: Tried) -> OwnerOut:
        """From what was tried."""
        return cls.model_validate(
            {
                "cluster": tried.cluster.name,
                "group": tried.group,
                "team": tried.rule.team.slug if tried.rule else None,
                "is_tie": tried.is_tie,
                "why": str(tried.why),
                "best": [RuleOut.fields_of(row) for row in tried.best],
                "lost": [{**RuleOut.fields_of(one.row), "why": str(one.why)} for one in tried.lost],
            }
        )


class TieOut(Schema):
    """A known group that rules of one rank give to different teams."""

    cluster: str
    group: str
    teams: list[str]

    @classmethod
    def of(cls, tie: Tie) -> TieOut:
        """From what was found."""
        return cls(cluster=tie.cluster.name, group=tie.finding.group, teams=tie.finding.teams)


class TieList(Schema):
    """Ties, at most 200 of them."""

    items: list[TieOut]
    as_of: InstantText


class ClaimQuery(PageQuery):
    """Which claims."""

    state: ClaimState | None = None


class ClaimIn(Schema):
    """A group that nobody owns, and the caller's team that it shall belong to."""

    model_config = ConfigDict(extra="forbid")

    cluster: str = Field(..., min_length=1, max_length=60)
    group: str = Field(..., min_length=1, max_length=LONGEST_GROUP_NAME)
    team: str = Field(..., min_length=1, max_length=50, description="Slug of a team that the caller is in")
    reason: str = Field(..., min_length=1, max_length=1000)


class ClaimAnswer(Schema):
    """What is said to a claim; whoever rejects says why."""

    model_config = ConfigDict(extra="forbid")

    comment: str = Field("", max_length=1000)


class ClaimOut(Schema):
    """One claim, and its answer once it has one."""

    id: int
    cluster: str
    group: str
    team: str
    reason: str
    state: ClaimState
    claimed_by: str
    claimed_at: InstantText
    answered_by: str | None
    answered_at: InstantText | None
    comment: str

    @classmethod
    def fields_of(cls, row: Claim) -> dict[str, Any]:
        """The fields of its row."""
        return {
            "id": row.pk,
            "cluster": row.cluster.name,
            "group": row.group_name,
            "team": row.team.slug,
            "reason": row.reason,
            "state": row.state,
            "claimed_by": row.claimed_by.username,
            "claimed_at": instant_text(row.claimed_at),
            "answered_by": row.answered_by.username if row.answered_by else None,
            "answered_at": instant(row.answered_at),
            "comment": row.comment,
        }

    @classmethod
    def of(cls, row: Claim) -> ClaimOut:
        """From its row."""
        return cls.model_validate(cls.fields_of(row))


class ClaimList(Schema):
    """A page of claims."""

    items: list[ClaimOut]
    next: str | None
    as_of: InstantText
