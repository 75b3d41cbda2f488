"""Who owns which groups: everyone reads it, administrators write the rules."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.utils import timezone
from ninja import Path, Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.paging import PageQuery, by_key
from kafkaconsole.api.shapes.ownership import OwnerOut, RuleIn, RuleList, RuleOut, TieList, TieOut
from kafkaconsole.api.shapes.values import RowId, instant_text
from kafkaconsole.clusters import queries as clusters
from kafkaconsole.clusters.models import Environment
from kafkaconsole.groups import actions, policies, queries, trying
from kafkaconsole.groups.errors import BadOwnership
from kafkaconsole.teams.models import Team
from kafkaconsole.teams.queries import teams_for

router = Router(tags=["ownership"])


@router.get("/ownership", auth=needs(Scope.READ), response=RuleList)
def list_ownership_rules(request: ApiRequest, query: Query[PageQuery]) -> RuleList:
    """Every rule that the caller may see, in the order in which they were added."""
    rows, following = by_key(request, queries.rules_for(request.auth.user), query, field="pk", newest_first=False)
    items = [RuleOut.model_validate(RuleOut.fields_of(row)) for row in rows]
    return RuleList(items=items, next=following, as_of=instant_text(timezone.now()))


@router.post("/ownership", auth=needs(Scope.ADMIN), response={201: RuleOut})
def add_ownership_rule(request: ApiRequest, body: RuleIn) -> HttpResponse:
    """Give groups to a team. 409 `ownership.taken` when there is a rule for this very pattern. Administrators."""

    def write() -> Answer:
        user = request.auth.user
        policies.may_set_ownership(user).require()
        cluster = clusters.cluster_for(user, body.cluster) if body.cluster is not None else None
        rule = actions.add_ownership(
            by=user,
            cluster=cluster,
            environment=_environment(body.environment),
            kind=body.kind,
            pattern=body.pattern,
            team=_team(request, body.team),
        )
        return Answer(201, RuleOut.model_validate(RuleOut.fields_of(rule)))

    return once(request, write)


@router.delete("/ownership/{row:rule_id}", auth=needs(Scope.ADMIN), response={204: None})
def remove_ownership_rule(request: ApiRequest, rule_id: Path[RowId]) -> HttpResponse:
    """Take a rule away; its groups fall to the next rule that matches, or to nobody. Administrators."""

    def write() -> Answer:
        user = request.auth.user
        policies.may_set_ownership(user).require()
        rule = queries.rules_for(user).filter(pk=rule_id).first()
        if rule is None:
            raise Http404(f"There is no ownership rule {rule_id}.")
        actions.remove_ownership(
            by=user, cluster=rule.cluster, environment=rule.environment, kind=rule.kind, pattern=rule.pattern
        )
        return Answer(204)

    return once(request, write)


@router.get("/ownership/ties", auth=needs(Scope.ADMIN), response=TieList)
def list_ties(request: ApiRequest) -> TieList:
    """Groups that rules of one rank give to different teams: they belong to nobody. Administrators."""
    policies.may_set_ownership(request.auth.user).require()
    items = [TieOut.of(tie) for tie in queries.ties_for(request.auth.user)]
    return TieList(items=items, as_of=instant_text(timezone.now()))


@router.get("/clusters/{cluster}/groups/{group:group}/owner", auth=needs(Scope.READ), response=OwnerOut)
def show_owner(request: ApiRequest, cluster: str, group: str) -> OwnerOut:
    """Who owns a group of this name, known or not, and why: the rule that decides, and those that lost."""
    row = clusters.cluster_for(request.auth.user, cluster)
    return OwnerOut.of(trying.who_owns(request.auth.user, row, group))


def _environment(slug: str | None) -> Environment | None:
    if slug is None:
        return None
    found = clusters.environments().filter(slug=slug).first()
    if found is None:
        raise BadOwnership(field="environment", found=slug, expected="the slug of an environment that there is")
    return found


def _team(request: ApiRequest, slug: str) -> Team:
    found = teams_for(request.auth.user).filter(slug=slug).first()
    if found is None:
        raise BadOwnership(field="team", found=slug, expected="the slug of a team that there is")
    return found
