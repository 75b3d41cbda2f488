"""The runner behind `make check` and `make test`: true counts, a plain summary, the right exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.testing import run
from devtools.testing.checks import Check
from devtools.testing.checks import run as run_checks
from devtools.testing.run import Result

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10"></testsuite></testsuites>
"""


def test_counts_come_from_the_report(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)

    assert run.counted(tmp_path / "report.xml") == (4, 3, 3)


def test_run_that_wrote_no_report_counts_nothing(tmp_path: Path) -> None:
    assert run.counted(tmp_path / "report.xml") == (0, 0, 0)


def test_summary_closes_with_one_plain_line() -> None:
    results = [Result("checks", 9, 0, 0, True, 12.3), Result("tests on SQLite", 4, 1, 0, False, 60.0)]

    assert run.summary(results).splitlines()[-3:] == [
        "checks: 9 passed, 0 failed, 12 s",
        "tests on SQLite: 4 passed, 1 failed, 60 s",
        "13 passed, 1 failed",
    ]


def test_run_that_ended_badly_without_a_failed_test_is_told() -> None:
    told = run.summary([Result("tests on PostgreSQL", 0, 0, 0, False, 1.0)])

    assert "tests on PostgreSQL: 0 passed, 0 failed (ended badly: see above), 1 s" in told


@pytest.mark.parametrize(("sound", "code"), [(True, 0), (False, 1)])
def test_exit_code_says_whether_all_is_sound(monkeypatch: pytest.MonkeyPatch, sound: bool, code: int) -> None:
    monkeypatch.setitem(run.AIMS, "check", lambda: [Result("a", 1, 0, 0, True, 1), Result("b", 1, 0, 0, sound, 1)])
    monkeypatch.setattr("os.chdir", lambda folder: None)

    assert run.main(["check"]) == code


def test_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["everything"]) == 2
    assert "check, unit, all, long" in capsys.readouterr().err


def test_failed_check_shows_what_it_said(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = run_checks([Check("good", ("true",)), Check("bad", ("sh", "-c", "echo why it failed; exit 3"))])

    assert (good.passed, bad.passed) == (True, False)
    assert "why it failed" in capsys.readouterr().out


def test_check_whose_program_is_missing_fails() -> None:
    (outcome,) = run_checks([Check("gone", ("/nonexistent/program",))])

    assert not outcome.passed
    assert "could not be started" in outcome.said
