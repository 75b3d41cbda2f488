"""Changing what an open request asks for: a new plan, no signature left, the old wording kept to be read."""

from __future__ import annotations

import html

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import BadInput, NotAllowed
from kafkaconsole.notifications import recipients
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.models import Approval, Decision, ResetRequest, Revision
from kafkaconsole.resets.refusals import NothingRevised, RevisionOutdated
from kafkaconsole.resets.states import State
from tests import factories
from tests.approvals import making
from tests.scene import Scene

LATEST = {"kind": "to_latest"}


def revise(request: ResetRequest, by: object, **fields: object) -> ResetRequest:
    told = {"change_json": factories.make_change(strategy=LATEST), "reason": "Skip instead", "seen": 1, **fields}
    return actions.revise(request=request, by=by, **told)  # type: ignore[arg-type]


@pytest.fixture
def approved(scene: Scene) -> ResetRequest:
    return factories.request_in(State.APPROVED, scene.cast, scene.kafka)


@pytest.mark.parametrize("state", [State.PLANNED, State.PLAN_FAILED, State.APPROVED, State.WAITING, State.STALE])
def test_a_changed_request_is_planned_anew_and_nothing_signed_counts(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    scene.kafka.leave(factories.GROUP)
    request = revise(request, scene.cast.alice)
    assert (request.state, request.plan, request.approved_digest, request.problem) == ("planning", None, "", None)
    assert (request.change["strategy"], request.reason) == (LATEST, "Skip instead")
    assert policies.signoff_of(request).given == 0
    assert factories.execute(request, scene.kafka).state == "planning"
    assert scene.kafka.commits == []


def test_the_old_wording_stays_with_its_plan_and_signatures(scene: Scene, approved: ResetRequest) -> None:
    asked, plan = approved.change, approved.plan
    request = factories.plan(revise(approved, scene.cast.amir), scene.kafka)
    kept = Revision.objects.get(request=request)
    assert (kept.number, kept.change, kept.reason, kept.plan) == (1, asked, approved.reason, plan)
    assert (kept.by, kept.replaced_by) == (scene.cast.alice, scene.cast.amir)
    assert [one.by for one in kept.plan.approvals.all()] == [scene.cast.bob]  # type: ignore[union-attr]
    event = AuditEvent.objects.get(verb="reset.revised")
    assert (event.facts["revision"], event.facts["void"], event.facts["digest"]) == (2, ["bob"], plan.digest)  # type: ignore[union-attr]
    assert event.facts["before"] == {"change": asked, "reason": approved.reason}
    assert event.facts["after"]["reason"] == "Skip instead"
    again = revise(request, scene.cast.alice, reason="Once more", seen=2)
    assert [one.by for one in again.revisions.all()] == [scene.cast.alice, scene.cast.amir]


@pytest.mark.parametrize("state", [State.EXECUTING, State.APPLIED, State.REJECTED, State.CANCELLED, State.PLANNING])
def test_what_is_at_work_or_over_is_not_changed(scene: Scene, state: State) -> None:
    with pytest.raises(NotAllowed, match="cannot be changed"):
        revise(factories.request_in(state, scene.cast, scene.kafka), scene.cast.alice)


@pytest.mark.parametrize("name", ["carol", "dave", "eve"])
def test_only_who_may_ask_for_the_group_changes_it(scene: Scene, approved: ResetRequest, name: str) -> None:
    with pytest.raises(NotAllowed):
        revise(approved, getattr(scene.cast, name))
    approved.refresh_from_db()
    assert approved.state == "approved"


def test_an_undo_is_not_made_into_something_else(scene: Scene) -> None:
    applied = factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    undo = factories.plan(actions.undo(request=applied, by=scene.cast.alice, reason="A mistake"), scene.kafka)
    with pytest.raises(NotAllowed, match=f"It undoes request {applied.pk}"):
        revise(undo, scene.cast.alice)


def test_two_people_do_not_overwrite_each_other(scene: Scene, approved: ResetRequest) -> None:
    request = factories.plan(revise(approved, scene.cast.amir), scene.kafka)
    with pytest.raises(RevisionOutdated) as refused:
        revise(request, scene.cast.alice, reason="Mine", seen=1)
    assert refused.value.facts == {"seen": 1, "current": 2}


def test_the_same_again_is_refused_with_the_way_to_go(scene: Scene, approved: ResetRequest) -> None:
    with pytest.raises(NothingRevised):
        revise(approved, scene.cast.alice, change_json=approved.change, reason=approved.reason)


@pytest.mark.parametrize("other", [{"group": "billing-invoices"}, {"strategy": {"kind": "nonsense"}}])
def test_another_group_or_nonsense_is_refused_and_changes_nothing(
    scene: Scene, approved: ResetRequest, other: dict[str, object]
) -> None:
    with pytest.raises(BadChange):
        revise(approved, scene.cast.alice, change_json=factories.make_change(**other))
    assert not Revision.objects.exists()
    with pytest.raises(BadInput):
        revise(approved, scene.cast.alice, reason=" ")


def test_who_changed_it_last_does_not_sign_it(scene: Scene, approved: ResetRequest) -> None:
    request = factories.plan(revise(approved, scene.cast.bob), scene.kafka)
    verdict = policies.may_approve(scene.cast.bob, request)
    assert not verdict and "You changed what is asked for last" in verdict.reason
    assert not queries.inbox_of(scene.cast.bob).exists()
    assert list(queries.inbox_of(scene.cast.bora)) == [request]
    assert list(queries.approvers_waited_for(request)) == [scene.cast.bora]
    assert factories.approve(request, scene.cast.bora).state == "approved"


def test_a_policy_may_let_the_last_editor_sign(scene: Scene, approved: ResetRequest) -> None:
    making.change_builtin(making.own(1), terms={"last_editor_may_count": True})
    request = factories.plan(revise(approved, scene.cast.bob), scene.kafka)
    assert factories.approve(request, scene.cast.bob).state == "approved"


def test_the_database_takes_no_signature_of_the_last_editor(scene: Scene, approved: ResetRequest) -> None:
    request = factories.plan(revise(approved, scene.cast.bob), scene.kafka)
    with pytest.raises(IntegrityError, match="last editor"), transaction.atomic():
        Approval.objects.create(
            request=request,
            plan=request.the_plan,
            digest=request.plan_digest,
            by=scene.cast.bob,
            requester=scene.cast.alice,
            decision=Decision.APPROVED,
        )


def test_the_database_keeps_revisions(scene: Scene, approved: ResetRequest) -> None:
    revise(approved, scene.cast.alice)
    for change in (lambda: Revision.objects.update(reason="x"), lambda: Revision.objects.all().delete()):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_who_signed_in_vain_and_who_asked_are_told(scene: Scene, approved: ResetRequest) -> None:
    for person in (scene.cast.alice, scene.cast.bob):
        person.email = f"{person.username}@example.com"
        person.save()
    request = revise(approved, scene.cast.amir)
    event = AuditEvent.objects.get(verb="reset.revised")
    told = {one.person: str(one.topic) for one in recipients.people_of(event, request)}
    assert told == {scene.cast.alice.pk: "mine", scene.cast.bob.pk: "sign"}


def test_the_form_starts_from_what_is_asked_and_changes_it(
    scene: Scene, approved: ResetRequest, client: Client
) -> None:
    client.force_login(scene.cast.alice)
    assert f"/requests/{approved.pk}/edit" in client.get(f"/requests/{approved.pk}").content.decode()
    page = html.unescape(client.get(f"/requests/{approved.pk}/edit").content.decode())
    assert f"Change request {approved.pk}" in page and approved.reason in page
    assert 'value="to_earliest" checked' in page and 'name="seen" value="1"' in page
    sent = {"scope": "all_committed", "kind": "to_latest", "reason": "Skip", "seen": 1, "group": "another"}
    shown = client.post(f"/requests/{approved.pk}/edit", {**sent, "do": "preview"})
    assert shown.status_code == 200 and Revision.objects.count() == 0
    answer = client.post(f"/requests/{approved.pk}/edit", {**sent, "do": "request"})
    assert (answer.status_code, answer["Location"]) == (302, f"/requests/{approved.pk}")
    request = factories.plan(ResetRequest.objects.get(pk=approved.pk), scene.kafka)
    assert (request.group_name, request.change["group"]) == (factories.GROUP, factories.GROUP)
    page = html.unescape(client.get(f"/requests/{approved.pk}").content.decode())
    assert "Revision 1, as it was asked before" in page and approved.reason in page
    assert "Take billing-orders to the end of the log" in page and "What changed since the plan before" in page
    refused = client.post(f"/requests/{approved.pk}/edit", {**sent, "do": "request", "reason": "Late"})
    assert refused.status_code == 422 and "you saw revision 1" in html.unescape(refused.content.decode())


def test_a_looser_policy_is_told_beside_the_new_plan(scene: Scene, client: Client) -> None:
    making.make_policy("Earliest", making.own(2), team=scene.cast.billing, strategies=("to_earliest",))
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    factories.plan(revise(request, scene.cast.alice), scene.kafka)
    client.force_login(scene.cast.bob)
    page = html.unescape(client.get(f"/requests/{request.pk}").content.decode())
    assert "The plan before was under policy “Earliest”, version 1." in page
    assert "Who signs was: 2 approvers of the owning team. Now: an approver of the owning team." in page


def test_a_script_changes_it_and_reads_what_was_before(scene: Scene, approved: ResetRequest, client: Client) -> None:
    client.force_login(scene.cast.alice)
    body = {**factories.make_change(strategy=LATEST), "reason": "Skip", "seen": 1}
    address = f"/api/v1/requests/{approved.pk}/revisions"
    answers = [
        client.post(address, body, content_type="application/json", headers={"Idempotency-Key": "one"}) for _ in (1, 2)
    ]
    assert [one.status_code for one in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert (answers[0].json()["revision"], answers[0].json()["state"]) == (2, "planning")
    (kept,) = client.get(address).json()["items"]
    assert (kept["number"], kept["change"], kept["plan"]["digest"]) == (1, approved.change, approved.plan_digest)
    factories.plan(approved, scene.kafka)
    late = client.post(address, {**body, "reason": "Late"}, content_type="application/json")
    assert (late.status_code, late.json()["code"]) == (409, "reset.revision_outdated")
