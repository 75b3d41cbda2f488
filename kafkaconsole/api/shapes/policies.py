"""Policies: where they apply, who signs, and on what terms."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from kafkaconsole.api.shapes.values import InstantText, instant_text
from kafkaconsole.approvals import differences, queries
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.errors import BadPolicy
from kafkaconsole.approvals.models import Policy, PolicyVersion
from kafkaconsole.approvals.quorum import Least, Need, Of
from kafkaconsole.approvals.risk import Level
from kafkaconsole.approvals.terms import as_json, from_json
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.teams.models import Team

LONGEST_S = 366 * 86_400


class GroupPatternShape(Schema):
    """Groups of one name, or all that begin with it."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["name", "prefix"]
    pattern: str = Field(..., min_length=1, max_length=LONGEST_GROUP_NAME)


class NeedShape(Schema):
    """So many signatures; `team` is a slug, for `of` `team` alone."""

    model_config = ConfigDict(extra="forbid")

    count: int = Field(1, ge=1, le=9)
    of: Literal["own_team", "other_team", "team"] = "own_team"
    least: Literal["approver", "owner"] = "approver"
    team: str | None = Field(None, min_length=1, max_length=50)


class TermsShape(Schema):
    """What is asked for besides; lives are whole minutes in seconds, null: no limit of the policy's own."""

    model_config = ConfigDict(extra="forbid")

    reason_least: int = Field(1, ge=1, le=1000)
    ticket_needed: bool = False
    ticket_pattern: str = Field("", max_length=60)
    approval_life_s: int | None = Field(None, ge=60, le=LONGEST_S)
    request_life_s: int | None = Field(None, ge=60, le=LONGEST_S)
    zone: str = Field("UTC", min_length=1, max_length=64)
    windows: list[str] = Field(default_factory=list, max_length=50, description="Like `mon-fri 09:00-17:00`")
    freezes: list[str] = Field(
        default_factory=list, max_length=50, description="Like `2026-12-24 00:00 to 2027-01-02 00:00 year's end`"
    )
    override_by: Literal["nobody", "administrators", "owners"] = "nobody"
    second_administrator: bool = False
    log_growth: int | None = Field(None, ge=0, lt=2**63, description="Offsets that a log may have grown since planning")
    wait_limit_s: int | None = Field(None, ge=0, le=LONGEST_S, description="How long it waits for an empty group")
    last_editor_may_count: bool = Field(
        False, description="Whoever changed the request last may be one of those who sign"
    )


class PolicyBody(Schema):
    """What a version says. A condition that is null (or no strategy) is open; a cluster brings its environment."""

    model_config = ConfigDict(extra="forbid")

    environment: str | None = Field(None, max_length=50, description="Slug of an environment")
    cluster: str | None = Field(None, max_length=60, description="Name of a cluster")
    team: str | None = Field(None, max_length=50, description="Slug of the owning team")
    group: GroupPatternShape | None = None
    strategies: list[str] = Field(default_factory=list, max_length=20)
    level: Literal["low", "raised", "high"] = Field("low", description="Plans of this risk or higher")
    needs: list[NeedShape] = Field(..., max_length=5)
    requester_may_count: bool = False
    break_glass: bool = Field(False, description="Administrators may carry a plan out without signatures")
    terms: TermsShape = Field(default_factory=lambda: TermsShape.model_validate({}))
    note: str = Field("", max_length=1000)

    def draft(self) -> Draft:
        """As the actions take it. Raises BadPolicy for a name that nothing has."""
        group = self.group
        return Draft(
            environment=_row(Environment, "environment", slug=self.environment),
            cluster=_row(Cluster, "cluster", name=self.cluster, is_active=True),
            team=_row(Team, "team", slug=self.team),
            group_kind=group.kind if group else "",
            group_pattern=group.pattern if group else "",
            strategies=tuple(sorted(set(self.strategies))),
            level=Level(self.level),
            needs=tuple(_need(one) for one in self.needs),
            requester_may_count=self.requester_may_count,
            break_glass=self.break_glass,
            terms=from_json(self.terms.model_dump()),
        )


class PolicyIn(PolicyBody):
    """A new policy."""

    name: str = Field(..., min_length=1, max_length=80)


class PolicyChange(PolicyBody):
    """The next version: all that it says. `seen` is the number of the last version that the caller knows."""

    seen: int = Field(..., ge=1, le=1_000_000)


class PolicyOff(Schema):
    """Switch a policy off."""

    model_config = ConfigDict(extra="forbid")

    seen: int = Field(..., ge=1, le=1_000_000)
    note: str = Field("", max_length=1000)


class PolicySaid(Schema):
    """What a second administrator says of the proposed version, by its number."""

    model_config = ConfigDict(extra="forbid")

    seen: int = Field(..., ge=1, le=1_000_000)


class PolicyRow(Schema):
    """A policy by its version in force; `applies_to` and `signs` say the same in words."""

    id: int
    name: str
    is_builtin: bool
    is_active: bool
    version: int
    in_force: bool = Field(..., description="False: an earlier version, or one that waits for a second administrator")
    environment: str | None
    cluster: str | None
    team: str | None
    group: GroupPatternShape | None
    strategies: list[str]
    level: Literal["low", "raised", "high"]
    needs: list[NeedShape]
    requester_may_count: bool
    break_glass: bool
    terms: TermsShape
    note: str
    made_by: str | None
    made_at: InstantText
    applies_to: str
    signs: str

    @classmethod
    def fields_of(cls, row: PolicyVersion) -> dict[str, Any]:
        """The fields of a version."""
        group = {"kind": row.group_kind, "pattern": row.group_pattern} if row.group_kind else None
        needs = [
            {"count": one.count, "of": one.of.value, "least": one.least.value, "team": one.team} for one in row.quorum
        ]
        return {
            "id": row.policy_id,
            "name": row.name,
            "is_builtin": row.policy.is_builtin,
            "is_active": row.is_active,
            "version": row.number,
            "in_force": row.policy.current_id == row.pk,
            "environment": row.environment.slug if row.environment else None,
            "cluster": row.cluster.name if row.cluster else None,
            "team": row.team.slug if row.team else None,
            "group": group,
            "strategies": row.strategies,
            "level": row.level,
            "needs": needs,
            "requester_may_count": row.requester_may_count,
            "break_glass": bool(row.break_glass),
            "terms": as_json(row.rules),
            "note": row.note,
            "made_by": row.made_by.username if row.made_by else None,
            "made_at": instant_text(row.made_at),
            "applies_to": str(differences.reach_in_words(row)),
            "signs": str(differences.signs_in_words(row)),
        }


class PolicyList(Schema):
    """A page of policies."""

    items: list[PolicyRow]
    next: str | None
    as_of: InstantText


class PolicyWithVersions(PolicyRow):
    """A policy with all of its versions, the newest first; `proposed` is the one that waits for a second administrator."""

    versions: list[PolicyRow]
    proposed: int | None

    @classmethod
    def of(cls, policy: Policy) -> PolicyWithVersions:
        """From its rows."""
        current = cls.fields_of(queries.shown_version(policy))
        proposal = queries.proposal_of(policy)
        versions = [cls.fields_of(one) for one in queries.versions_of(policy)]
        return cls.model_validate(current | {"versions": versions, "proposed": proposal.number if proposal else None})


def _row(model: Any, field: str, **named: object) -> Any:
    key, value = next(iter(named.items()))
    if value is None:
        return None
    found = model.objects.filter(**named).first()
    if found is None:
        raise BadPolicy(field=field, found=value, expected=f"the {key} of a {field} that there is")
    return found


def _need(one: NeedShape) -> Need:
    if (one.of == "team") != (one.team is not None):
        raise BadPolicy(field="needs", found=str(one.team), expected="a team for `of` team, and for nothing else")
    return Need(one.count, Of(one.of), Least(one.least), one.team, one.team or "")
