"""House rules of templates: what the content-security policy refuses, and what would let data out unescaped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template

ROOT = Path(settings.BASE_DIR) / "templates"
LONGEST = 70


def templates() -> list[Path]:
    return sorted(ROOT.rglob("*.html"))


@pytest.mark.parametrize("path", templates(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_keeps_the_house_rules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle\s*=", text), "the content-security policy refuses inline styles"
    assert not re.search(r"<style\b", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)", text), "the content-security policy refuses inline scripts"
    markup = re.sub(r"{%.*?%}|{{.*?}}", "", text)
    assert not re.search(r"\son[a-z]+\s*=|hx-on|javascript:", markup)
    assert not re.search(r"\|\s*safe\b|autoescape\s+off", text), "data is escaped"
    assert len(text.splitlines()) <= LONGEST
    get_template(str(path.relative_to(ROOT)))


def test_htmx_is_told_to_evaluate_nothing_and_to_bring_no_style() -> None:
    text = (ROOT / "base.html").read_text(encoding="utf-8")
    for setting in ('"includeIndicatorStyles":false', '"allowEval":false', '"allowScriptTags":false'):
        assert setting in text


@pytest.mark.parametrize(
    "path", sorted((Path(settings.BASE_DIR) / "static" / "js").glob("*.js")), ids=lambda one: one.name
)
def test_a_script_is_small_and_evaluates_nothing(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert not re.search(r"\beval\(|new Function|innerHTML|setAttribute\(.style", text)
