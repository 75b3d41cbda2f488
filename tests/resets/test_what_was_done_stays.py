"""The database keeps what was done, whatever a hand or a bug tries."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import FINAL, State
from tests import factories
from tests.scene import Scene


@pytest.mark.parametrize("state", sorted(FINAL))
def test_a_request_that_is_over_is_not_taken_up_again(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    rows = ResetRequest.objects.filter(pk=request.pk)
    for other in (State.PLANNED, State.APPROVED, State.EXECUTING):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(state=other)
    assert rows.update(problem=None, state=state) == 1  # what does not take it up again passes


def test_attempts_results_and_snapshots_stay(scene: Scene) -> None:
    request = factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    attempt = factories.attempt_of(request)
    for change in (
        lambda: request.attempts.all().delete(),
        lambda: attempt.results.all().delete(),
        lambda: attempt.results.update(before=1),
        lambda: attempt.results.update(target=1),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
