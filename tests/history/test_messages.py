"""Every code of the history and of groups has a sentence that its facts fill."""

from __future__ import annotations

import re

import pytest

from kafkaconsole.groups import messages as groups
from kafkaconsole.history import messages as history

CODES = [(app, code) for app in (groups, history) for code in app.SENTENCES]


@pytest.mark.parametrize(("app", "code"), CODES, ids=[code for _, code in CODES])
def test_a_sentence_is_filled_by_its_facts(app: object, code: str) -> None:
    template: str = app.SENTENCES[code]  # type: ignore[attr-defined]
    facts = {name: f"<{name}>" for name in re.findall(r"{(\w+)", template)}
    told = app.sentence(code, facts)  # type: ignore[attr-defined]
    assert all(fact in told for fact in facts.values())
    assert told.endswith(".")


def test_codes_of_others_are_left_to_them() -> None:
    with pytest.raises(KeyError):
        history.sentence("reset.bad_change", {})
