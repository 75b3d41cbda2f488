"""Where a start cannot go on, the way out that always works is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.demo import run
from devtools.demo.layout import DemoRefused, Layout
from devtools.kafka.errors import KafkaDidNotStart


@pytest.mark.parametrize("error", [DemoRefused("The group could not commit."), KafkaDidNotStart("Kafka ended.")])
def test_a_start_that_breaks_says_what_broke_and_names_the_reset(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_off(layout: Layout) -> None:
        with run._advised(layout.folder):
            raise error

    monkeypatch.setenv("DEMO_DIR", str(tmp_path))
    monkeypatch.setattr(run, "_run", break_off)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    assert run.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith(str(error)) and "`make demo-reset` begins afresh" in said and str(tmp_path) in said


def test_what_nobody_foresaw_is_told_with_the_way_out_too(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as broken, run._advised(tmp_path):
        raise ZeroDivisionError
    assert "make demo-reset" in broken.value.__notes__[0]


def test_an_interruption_gets_no_advice(tmp_path: Path) -> None:
    with pytest.raises(run._Stopped) as stopped, run._advised(tmp_path):
        raise run._Stopped
    assert not hasattr(stopped.value, "__notes__")
