"""Clusters and tests of their connections."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Path, Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api import waiting
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.errors import BadParameters
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.paging import PageQuery, by_key
from kafkaconsole.api.shapes.clusters import ClusterChange, ClusterIn, ClusterList, ClusterOut, TestOut
from kafkaconsole.api.shapes.requests import WaitQuery
from kafkaconsole.api.shapes.values import RowId, instant_text
from kafkaconsole.clusters import actions, policies, queries
from kafkaconsole.clusters.models import ConnectionTest, Environment

router = Router(tags=["clusters"])


@router.get("/clusters", auth=needs(Scope.READ), response=ClusterList)
def list_clusters(request: ApiRequest, query: Query[PageQuery]) -> ClusterList:
    """Every registered cluster, by name."""
    rows, following = by_key(request, queries.clusters_for(request.auth.user), query, field="name", newest_first=False)
    return ClusterList(items=[ClusterOut.of(row) for row in rows], next=following, as_of=instant_text(timezone.now()))


@router.post("/clusters", auth=needs(Scope.ADMIN), response={201: ClusterOut})
def add_cluster(request: ApiRequest, body: ClusterIn) -> HttpResponse:
    """Register a cluster. Administrators."""

    def write() -> Answer:
        policies.may_administer(request.auth.user).require()
        cluster = actions.add(
            by=request.auth.user,
            name=body.name,
            title=body.title,
            environment=_environment(body.environment),
            connection=body.connection(),
            secrets=body.secrets(),
            time_zone=body.time_zone or "",
        )
        return Answer(201, ClusterOut.of(cluster), location=f"/api/v1/clusters/{cluster.name}")

    return once(request, write)


@router.get("/clusters/{cluster}", auth=needs(Scope.READ), response=ClusterOut)
def show_cluster(request: ApiRequest, cluster: str) -> ClusterOut:
    """One cluster."""
    return ClusterOut.of(queries.cluster_for(request.auth.user, cluster))


@router.patch("/clusters/{cluster}", auth=needs(Scope.ADMIN), response=ClusterOut)
def change_cluster(request: ApiRequest, cluster: str, body: ClusterChange) -> HttpResponse:
    """Change what is given. Administrators."""

    def write() -> Answer:
        row = queries.cluster_for(request.auth.user, cluster)
        policies.may_administer(request.auth.user).require()
        changed = actions.change(cluster=row, by=request.auth.user, **_given(body))
        return Answer(200, ClusterOut.of(changed))

    return once(request, write)


@router.delete("/clusters/{cluster}", auth=needs(Scope.ADMIN), response={204: None})
def remove_cluster(request: ApiRequest, cluster: str) -> HttpResponse:
    """Take a cluster out; its requests and history stay. Administrators."""

    def write() -> Answer:
        actions.remove(cluster=queries.cluster_for(request.auth.user, cluster), by=request.auth.user)
        return Answer(204)

    return once(request, write)


@router.post("/clusters/{cluster}/test", auth=needs(Scope.ADMIN), response={202: TestOut})
def test_cluster(request: ApiRequest, cluster: str) -> HttpResponse:
    """Let a worker test the connection; the answer's Location has the report. Administrators."""

    def write() -> Answer:
        row = queries.cluster_for(request.auth.user, cluster)
        test = actions.ask_for_test(cluster=row, by=request.auth.user)
        test.refresh_from_db()
        return Answer(202, TestOut.of(test), location=f"/api/v1/clusters/{row.name}/tests/{test.pk}")

    return once(request, write)


@router.get("/clusters/{cluster}/tests/{row:test_id}", auth=needs(Scope.ADMIN), response=TestOut)
def show_test(request: ApiRequest, cluster: str, test_id: Path[RowId], query: Query[WaitQuery]) -> TestOut:
    """A connection test and, once it was made, its report. Administrators."""
    policies.may_administer(request.auth.user).require()
    row = queries.cluster_for(request.auth.user, cluster)

    def read() -> ConnectionTest:
        return get_object_or_404(queries.tests_of(row), pk=test_id)

    return TestOut.of(waiting.until(read, lambda test: test.done_at is not None, query.wait_s))


def _given(body: ClusterChange) -> dict[str, Any]:
    return {
        "title": body.title,
        "environment": None if body.environment is None else _environment(body.environment),
        "connection": body.connection() or None,
        "secrets": body.secrets() or None,
        "time_zone": body.time_zone,
    }


def _environment(slug: str) -> Environment:
    known = {one.slug: one for one in queries.environments()}
    if slug not in known:
        wrong = {"field": "environment", "found": repr(slug), "expected": f"one of {', '.join(sorted(known))}"}
        raise BadParameters(problems=[wrong], total=1)
    return known[slug]
