"""A request from asking to applied, with workers played by direct calls."""

from __future__ import annotations

from tests import factories
from tests.scene import Scene


def test_a_request_is_planned_approved_executed_and_applied(scene: Scene) -> None:
    request = factories.plan(factories.ask(scene.cast.alice), scene.kafka)
    assert request.plan is not None
    assert (request.state, request.plan.replayed) == ("planned", 9)
    request = factories.approve(request, scene.cast.bob)
    assert request.state == "approved"
    request = factories.execute(request, scene.kafka)
    assert (request.state, request.problem) == ("applied", None)
    assert factories.offsets_in(scene.kafka) == [0, 0, 0]
