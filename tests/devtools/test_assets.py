"""Front-end files are copied from what npm brought, once."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from devtools.setup import assets, stamps
from devtools.setup.errors import SetupRefused

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree in which npm has not run."""
    for name in ("package.json", "package-lock.json", assets.ICON_NAMES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def no_npm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Node.js whose user may install nothing."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", "/nonexistent")


def test_set_up_tree_serves_every_file(tree: Path) -> None:
    (tree / "node_modules").symlink_to(ROOT / "node_modules")

    assets.copy(tree, tree / "vendor")

    missing = [name for name in [*assets.FILES.values(), assets.SPRITE] if not (tree / "vendor" / name).stat().st_size]
    assert missing == []


def test_served_files_refer_to_no_source_map(tree: Path) -> None:
    (tree / "node_modules").symlink_to(ROOT / "node_modules")

    assets.copy(tree, tree / "vendor")

    served = [path for path in (tree / "vendor").rglob("*") if path.suffix in {".css", ".js"}]
    assert len(served) == 4
    assert [path.name for path in served if "sourceMappingURL" in path.read_text()] == []


def test_sprite_holds_every_chosen_icon_under_its_name() -> None:
    drawn = ElementTree.fromstring(
        assets.sprite(ROOT / "node_modules" / "bootstrap-icons" / "icons", ["check-lg", "x-lg"])
    )

    assert [symbol.get("id") for symbol in drawn] == ["check-lg", "x-lg"]
    assert all(symbol.tag == f"{SVG}symbol" and symbol.find(f"{SVG}path") is not None for symbol in drawn)


def test_unknown_icon_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupRefused, match="'no-such-icon'"):
        assets.sprite(tmp_path, ["no-such-icon"])


def test_later_start_needs_no_npm(tree: Path, no_npm: None) -> None:
    code = Path(assets.__file__)
    made_from = stamps.digest(tree / "package-lock.json", tree / assets.ICON_NAMES, code)
    stamps.put(tree / "static" / "vendor" / ".stamp", made_from)

    assets.make(tree)


def test_changed_lock_needs_npm_again(tree: Path, no_npm: None) -> None:
    code = Path(assets.__file__)
    made_from = stamps.digest(tree / "package-lock.json", tree / assets.ICON_NAMES, code)
    stamps.put(tree / "static" / "vendor" / ".stamp", made_from)
    (tree / "package-lock.json").write_text("{}")

    with pytest.raises(SetupRefused, match=r"Node\.js with npm"):
        assets.make(tree)


def test_every_icon_of_a_page_is_on_the_list() -> None:
    pages = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "kafkaconsole").rglob("*.py")]
    used = {
        name
        for page in pages
        for name in re.findall(r"icons\.svg[^#\"]*#([a-z0-9-]+)|\{% icon \"([a-z0-9-]+)\"", page.read_text("utf-8"))
    }

    assert {name for pair in used for name in pair if name} <= set(assets.icon_names(ROOT))
