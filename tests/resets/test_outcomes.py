"""What follows from what an attempt came to."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.resets.states import State
from tests import factories
from tests.nudges import Sent
from tests.scene import Scene


@pytest.mark.parametrize(
    ("state", "is_swept"), [(State.APPLIED, True), (State.PARTLY_APPLIED, True), (State.FAILED, False)]
)
def test_the_group_is_swept_as_soon_as_its_offsets_moved(
    scene: Scene,
    sent: Sent,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    state: State,
    is_swept: bool,
) -> None:
    """And going back is what the history then expects."""
    seen = timezone.now()
    ConsumerGroup.objects.create(cluster=scene.cluster, name=factories.GROUP, first_seen_at=seen, last_seen_at=seen)
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    refused = {State.PARTLY_APPLIED: [0], State.FAILED: [0, 1, 2]}.get(state, [])
    factories.refuse_writes(scene.kafka, refused)
    with django_capture_on_commit_callbacks(execute=True):
        assert factories.execute(request, scene.kafka).state == state
    assert ("history.sweep" in sent.names()) is is_swept
    expected = ConsumerGroup.objects.get(name=factories.GROUP).rewind_expected_until
    assert (expected is not None) is is_swept
