"""The OpenAPI document is true: a fuzzer calls every operation, and what comes back is what the document says."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, given, seed, settings
from pytest_django.fixtures import Settings
from schemathesis import GenerationMode, checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import Scope
from kafkaconsole.api import waiting
from kafkaconsole.api.urls import api as console_api
from kafkaconsole.clusters.models import ConnectionTest
from kafkaconsole.groups.models import Claim, OwnershipRule
from kafkaconsole.records import exporting, streaming
from kafkaconsole.records.models import RUNNING, RecordExport
from kafkaconsole.resets.models import Batch, Preview, ResetRequest
from kafkaconsole.teams.models import Membership, TeamRole
from kafkaconsole.wsgi import application
from tests.api.test_groups import add_group
from tests.approvals import making
from tests.fakes.kafka import FakeKafka
from tests.nudges import Sent
from tests.records.scene import Scene, change_json

EXAMPLES = 6
ADDRESS = "/api/v1/openapi.json"
CHECKS = [
    checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
OPERATIONS = sorted(
    (method.upper(), path)
    for path, methods in console_api.get_openapi_schema(path_prefix="api/v1/")["paths"].items()
    for method in methods
)


@pytest.fixture
def caller(scene: Scene, planned: ResetRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Carol, who here is an approver too, so that most calls get past the door; a worker reads exports at once."""
    settings.API_CALLS_PER_MINUTE = 0
    Membership.objects.create(team=scene.billing, user=scene.carol, role=TeamRole.OWNER)
    add_group(scene, "billing")
    KNOWN.update(owning(scene))
    Preview.objects.create(id=KNOWN["preview_id"], asked_by=scene.carol, cluster=scene.cluster, change=change_json())
    kafka = FakeKafka()
    kafka.add_topic("hello", partitions=2)
    kafka.produce("hello", 0, b"m1")

    def work(seconds: float) -> None:
        for export in RecordExport.objects.filter(state__in=RUNNING):
            exporting.export(export_id=export.pk, connect_records=kafka.connect_records)

    monkeypatch.setattr(waiting, "LONGEST_S", 0.05)
    monkeypatch.setattr(streaming, "rest", work)
    end = planned.expires_at
    _, text = tokens.create(scene.carol, "fuzz", Scope.values, end, by=scene.carol)
    spare, _ = tokens.create(scene.carol, "spare", ["read"], end, by=scene.carol)
    test = ConnectionTest.objects.create(cluster=scene.cluster, asked_by=scene.carol)
    batch = Batch.objects.create(by=scene.alice, reason="Read again")
    ResetRequest.objects.filter(pk=planned.pk).update(batch=batch)
    policy = making.make_policy("High", making.own(2), level="high").policy
    KNOWN.update(policy_id=policy.pk, request_id=planned.pk, token_id=spare.pk, test_id=test.pk, batch_id=batch.pk)
    return {"Authorization": f"Bearer {text}"}


def owning(scene: Scene) -> dict[str, int]:
    """A rule that can be taken away, and a claim that can be answered."""
    rule = OwnershipRule.objects.create(kind="name", pattern="orders", team=scene.billing, cluster=scene.cluster)
    claim = Claim.objects.create(
        cluster=scene.cluster, group_name="shipping", team=scene.billing, reason="Ours", claimed_by=scene.alice,
        claimed_at=datetime.now(UTC),
    )  # fmt: skip
    return {"rule_id": rule.pk, "claim_id": claim.pk}


KNOWN: dict[str, Any] = {"cluster": "demo", "group": "billing", "preview_id": str(uuid.UUID(int=7))}
NEW_CLUSTER: dict[str, object] = {
    "name": "new",
    "title": "New",
    "environment": "test",
    "bootstrap_servers": ["kafka-2:9092"],
}
TOKEN: dict[str, object] = {
    "name": "script",
    "scopes": ["read"],
    "expires_at": (datetime.now(UTC) + timedelta(days=1)).isoformat(),
}
BODIES: dict[str, dict[str, object]] = {
    "/clusters": NEW_CLUSTER,
    "/clusters/{cluster}": {"title": "Other"},
    "/previews": change_json(),
    "/requests": {**change_json(), "reason": "Read again"},
    "/requests/{request_id}/approve": {"digest": "d" * 64},
    "/requests/{request_id}/reject": {"digest": "d" * 64, "comment": "No"},
    "/requests/{request_id}/withdraw": {"digest": "d" * 64},
    "/requests/{request_id}/cancel": {"comment": "No"},
    "/requests/{request_id}/comment": {"text": "Hello"},
    "/requests/{request_id}/undo": {"reason": "Wrong"},
    "/requests/{request_id}/revisions": {**change_json(), "reason": "Read all again", "seen": 1},
    "/batches": {"changes": [change_json(), change_json(group="billing-mails")], "reason": "Read again"},
    "/batches/{batch_id}/approve": {"digests": {"1": "d" * 64}},
    "/tokens": TOKEN,
    "/ownership": {"kind": "prefix", "pattern": "search-", "team": "billing"},
    "/claims": {"cluster": "demo", "group": "returns", "team": "billing", "reason": "We run it"},
    "/claims/{claim_id}/grant": {"comment": "Yes"},
    "/claims/{claim_id}/reject": {"comment": "No"},
    "/delegations": {"to": "bora", "starts_at": "2026-12-24T00:00:00Z", "ends_at": "2027-01-02T00:00:00Z"},
    "/policies": {"name": "Two", "level": "high", "needs": [{"count": 2}]},
    "/policies/{policy_id}": {"seen": 1, "needs": [{"count": 2}]},
    "/policies/{policy_id}/off": {"seen": 1},
    "/policies/{policy_id}/confirm": {"seen": 1},
    "/policies/{policy_id}/decline": {"seen": 1},
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda part: part)
def test_what_comes_back_is_what_the_document_says(caller: dict[str, str], sent: Sent, method: str, path: str) -> None:
    """Aims: rows that are there (with a body that can be carried out, with any), any values, and wrong forms."""
    for aim in ("known", "anything", "wrong", "real"):
        fuzz(caller, method, path, aim)


def fuzz(caller: dict[str, str], method: str, path: str, aim: str) -> None:
    """Call one operation EXAMPLES times and hold every answer to the document."""
    operation = schemathesis.openapi.from_wsgi(ADDRESS, application)[path][method]
    named = {name: value for name, value in KNOWN.items() if f"{{{name}}}" in path}
    mode = GenerationMode.NEGATIVE if aim == "wrong" else GenerationMode.POSITIVE
    if aim == "wrong" and not (operation.query or operation.body or operation.path_parameters):
        mode = GenerationMode.POSITIVE  # nothing about it can be wrong
    chosen = [*CHECKS, negative_data_rejection] if aim == "wrong" else CHECKS
    given_parts: dict[str, Any] = {"path_parameters": named} if named and aim in ("known", "real") else {}
    if aim == "real" and operation.body:
        given_parts |= {"body": BODIES[path.removeprefix("/api/v1")], "media_type": "application/json"}
    strategy = operation.as_strategy(mode, **given_parts)

    @seed(20261201)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=strategy)
    def call(case: Any) -> None:
        case.validate_response(case.call(headers=caller), checks=chosen)

    call()


def test_the_document_is_openapi_3_1_and_names_every_call_of_the_paper(client: Client) -> None:
    document = client.get(ADDRESS).json()
    assert document["openapi"].startswith("3.1")
    named = {(method, path.removeprefix("/api/v1")) for method, path in OPERATIONS}
    group = "/clusters/{cluster}/groups/{group}"
    request = "/requests/{request_id}"
    for call in [
        ("GET", "/clusters"),
        ("PATCH", "/clusters/{cluster}"),
        ("POST", "/clusters/{cluster}/test"),
        ("GET", group),
        ("GET", f"{group}/history"),
        ("POST", "/previews"),
        ("GET", "/previews/{preview_id}"),
        *[("POST", "/batches"), ("GET", "/batches/{batch_id}"), ("POST", "/batches/{batch_id}/approve")],
        *[("POST", f"{request}/{verb}") for verb in ("approve", "reject", "cancel", "replan", "comment", "undo")],
        ("GET", f"{request}/records"),
        ("GET", f"{request}/records.jsonl"),
        ("GET", f"{request}/plan.csv"),
        ("GET", "/audit/verify"),
        ("DELETE", "/tokens/{token_id}"),
        ("GET", "/me"),
    ]:
        assert call in named


def test_every_write_tells_of_the_idempotency_key_and_every_call_of_its_problems(client: Client) -> None:
    paths = client.get(ADDRESS).json()["paths"]
    for methods in paths.values():
        for method, operation in methods.items():
            assert "application/problem+json" in operation["responses"]["4XX"]["content"]
            names = {one["name"] for one in operation["parameters"]}
            assert ("Idempotency-Key" in names) == (method != "get")


def test_the_readable_form_needs_no_other_host_and_no_script_of_its_own(client: Client) -> None:
    page = client.get("/api/v1/docs")
    assert page.status_code == 200
    text = page.content.decode()
    assert "/api/v1/requests/{request_id}/approve" in text and "Idempotency-Key" in text
    assert "https://" not in text and "http://" not in text
    assert "<script>" not in text and "style=" not in text and "onclick" not in text
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
