"""The README's pictures are there, are what they say, and stay small."""

from __future__ import annotations

import struct

import pytest

from devtools import pictures
from devtools.demo.layout import ROOT

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("picture", pictures.PICTURES, ids=[one.name for one in pictures.PICTURES])
def test_picture_is_there_in_its_size_and_small(picture: pictures.Picture) -> None:
    raw = (pictures.FOLDER / f"{picture.name}.png").read_bytes()
    assert raw.startswith(PNG)
    assert struct.unpack(">II", raw[16:24]) == (picture.size["width"], picture.size["height"])
    assert len(raw) <= pictures.LARGEST_BYTES


def test_readme_shows_a_picture_that_the_script_takes() -> None:
    shown = "docs/pictures/" + pictures.PICTURES[0].name + ".png"
    assert f"({shown})" in (ROOT / "README.md").read_text()
