"""Every state that a row can be in has its name in the API: else a call fails just while something happens."""

from __future__ import annotations

from enum import Enum
from typing import Any, get_args

import pytest
from ninja import Schema

from kafkaconsole.accounts.models import GlobalRole, Scope
from kafkaconsole.api.shapes import clusters, people, plans, records, requests
from kafkaconsole.clusters.models import Health
from kafkaconsole.records.models import ExportState
from kafkaconsole.resets.models import Decision
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import AttemptState, PreviewState, ResultState, State
from kafkaconsole.teams.models import TeamRole


def names(annotation: Any) -> set[str]:
    """The texts of a Literal, in lists and options too."""
    found = get_args(annotation)
    return {one for part in found for one in ({part} if isinstance(part, str) else names(part))}


@pytest.mark.parametrize(
    ("shape", "field", "kind"),
    [
        (requests.RequestOut, "state", State),
        (requests.ApprovalOut, "decision", Decision),
        (requests.AttemptOut, "state", AttemptState),
        (requests.ResultOut, "state", ResultState),
        (plans.PreviewOut, "state", PreviewState),
        (plans.LineOut, "action", Action),
        (records.RecordsOut, "state", ExportState),
        (clusters.ClusterOut, "health", Health),
        (people.MeOut, "role", GlobalRole),
        (people.TokenOut, "scopes", Scope),
        (people.MembershipOut, "role", TeamRole),
    ],
)
def test_every_name_that_a_row_can_hold_can_be_answered(shape: type[Schema], field: str, kind: type[Enum]) -> None:
    assert names(shape.model_fields[field].annotation) == {str(one.value) for one in kind}
