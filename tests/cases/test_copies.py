"""The copies in the repository are those that lie beside it."""

from __future__ import annotations

import json

import pytest

from tests import cases


@pytest.mark.parametrize("name", ["reset-vectors.json", "field-cases.json"])
def test_the_kept_copy_is_the_one_beside_the_checkout(name: str) -> None:
    kept = json.loads((cases.KEPT / name).read_text(encoding="utf-8"))
    assert kept == cases.read(name)
