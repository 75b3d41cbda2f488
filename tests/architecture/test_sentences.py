"""Every code that the product can tell has a sentence of its own."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from kafkaconsole.display import sentences

ROOT = Path(__file__).resolve().parents[2] / "kafkaconsole"

TELLING = ("problem", "Reason", "respond")
"""Calls whose text with a dot in it is a code."""
TOLD_OTHERWISE = {
    "console.error": "the root, never raised itself",
    "console.refused": "a family, never raised itself",
    "console.not_allowed": "its reason is the sentence",
    "console.bad_input": "a family, never raised itself",
    "console.unavailable": "a family, never raised itself",
    "api.bad_parameters": "a function of its own",
}


def _codes() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for code in _codes_of(node):
                yield code, str(path.relative_to(ROOT))


def _codes_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        for one in node.body:
            target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
            if isinstance(target, ast.Name) and target.id == "code":
                yield from _text(getattr(one, "value", None))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if name in TELLING:
            for arg in node.args[:2]:
                yield from _text(arg)


def _text(node: ast.AST | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
        yield node.value


def _has_sentence(code: str) -> bool:
    return any(code in table for source in sentences.sources() for table in _tables(source))


def _tables(source: object) -> Iterator[Collection[str]]:
    """The codes of a module: those with one sentence, and those whose reason finds it."""
    yield getattr(source, "SENTENCES", ())
    yield getattr(source, "WITH_REASON", ())


def test_there_are_codes_to_look_at() -> None:
    assert {"risk.skips", "reset.group_missing", "kafka.unavailable"} <= {code for code, _ in _codes()}


def test_every_code_has_a_sentence() -> None:
    lacking = {f"{file}: {code}" for code, file in _codes() if code not in TOLD_OTHERWISE and not _has_sentence(code)}
    assert sorted(lacking) == []


@pytest.mark.parametrize("code", TOLD_OTHERWISE)
def test_what_is_told_otherwise_has_no_sentence_to_hide(code: str) -> None:
    assert not _has_sentence(code)
