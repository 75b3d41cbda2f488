"""The ruler as drawn: its text alternative, its marks, and nothing that the content-security policy would refuse."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

import pytest
from django.template import Context, Template
from django.utils import translation


@dataclass
class Line:
    log_start: int | None = 0
    log_end: int | None = 100
    committed: int | None = 60
    target: int | None = 20
    action: str = "set"
    topic: str = "orders"
    partition: int = 3


def drawn(line: object, size: str = "row") -> str:
    return Template("{% ruler line size=size %}").render(Context({"line": line, "size": size}))


class Parts(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def with_class(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for _tag, attrs in self.tags if name in (attrs.get("class") or "").split()]


def label(text: str) -> str:
    return Parts(text).tags[0][1]["aria-label"] or ""


def test_the_text_alternative_tells_the_numbers() -> None:
    text = label(drawn(Line(log_end=1_000_000, committed=600_000)))
    assert text == "orders-3: log from 0 to 1,000,000, stands at 600,000, will stand at 20, 599,980 read again"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Line(committed=None), "no commit, will stand at 20"),
        (Line(log_start=70), "which retention has deleted"),
        (Line(committed=400), "which is beyond the log end, will stand at 20, 80 read again"),
        (Line(committed=10), "10 skipped"),
        (Line(target=60), "nothing read again, nothing skipped"),
        (Line(log_start=5, log_end=5, committed=5, target=5), "empty log at 5"),
        (Line(log_start=None, log_end=None, target=None, action="refuse"), "cannot be reset"),
        (Line(target=None, action="leave"), "stays as it is"),
        (Line(target=None, action="delete"), "its commit will be deleted"),
    ],
)
def test_every_odd_case_is_said_in_words(line: Line, expected: str) -> None:
    assert expected in label(drawn(line))


@pytest.mark.parametrize("size", ["row", "big"])
def test_it_is_an_image_without_inline_style_or_script(size: str) -> None:
    text = drawn(Line(), size)
    assert Parts(text).tags[0][1]["role"] == "img"
    assert "style=" not in text
    assert "<script" not in text


def test_replay_is_amber_and_skip_is_red_and_hatched() -> None:
    back, forward = Parts(drawn(Line())), Parts(drawn(Line(committed=10)))
    assert back.with_class("replay")
    assert not back.with_class("skip")
    assert forward.with_class("skip")
    assert any(attrs.get("fill") == "url(#hatch-skip)" for _tag, attrs in forward.tags)


def test_positions_are_written_with_a_point_in_every_language() -> None:
    with translation.override("de"):
        text = drawn(Line())
    assert ",0%" not in text
    assert 'x="24.200%"' in text


def test_delete_crosses_the_mark_out_and_leave_keeps_it() -> None:
    assert Parts(drawn(Line(target=None, action="delete"))).with_class("cross")
    assert Parts(drawn(Line(target=None, action="leave"))).with_class("stays")
    assert Parts(drawn(Line(target=None, action="refuse"))).with_class("refused")


def test_anything_with_bounds_and_a_commit_can_be_drawn() -> None:
    @dataclass
    class Standing:
        log_start: int = 0
        log_end: int = 9
        committed: int = 9

    assert label(drawn(Standing())) == "log from 0 to 9, stands at 9"
