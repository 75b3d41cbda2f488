"""The mutation tests' own parts: which modules, which mutants, and what a report says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.mutation import explained, mutants, report, scope
from devtools.mutation.explained import Explained
from devtools.mutation.mutants import Mutant
from devtools.mutation.report import Findings, told
from devtools.mutation.trying import Outcome

ROOT = Path(__file__).resolve().parents[2]
KILLED = Mutant("a.x_one__mutmut_1", "a.py", "one", "return 1", "return 2")
ALIVE = Mutant("a.x_one__mutmut_2", "a.py", "one", "return 1", "return None")
BARE = Mutant("b.x_two__mutmut_1", "b.py", "two", "pass", "raise")
OUTCOMES = {KILLED.name: "killed", ALIVE.name: "survived", BARE.name: "untested"}
WHY = Explained("a.py", "one", "return 1", "return None", "nobody asks")


def test_every_pattern_finds_modules_and_a_stranger_is_refused() -> None:
    found = scope.modules(ROOT)
    assert {"kafkaconsole/resets/planning.py", "kafkaconsole/resets/strategies/restore.py"} <= set(found)
    assert all(list(ROOT.glob(pattern)) for pattern in scope.PATTERNS)
    assert scope.modules(ROOT, ("kafkaconsole/resets/files.py",)) == ["kafkaconsole/resets/files.py"]
    with pytest.raises(ValueError, match="kafkaconsole/settings.py"):
        scope.modules(ROOT, ("kafkaconsole/settings.py",))


def test_what_is_copied_and_left_out_is_there() -> None:
    assert all((ROOT / name).exists() for name in scope.COPIED)
    for test in scope.LEFT_OUT:
        file, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8") if name else (ROOT / file).exists()


def test_mutants_are_made_in_a_copy_and_told_by_the_lines_that_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, copy = tmp_path / "root", tmp_path / "copy"
    (root / "pack").mkdir(parents=True)
    (root / "pack" / "part.py").write_text("def double(n: int) -> int:\n    return n * 2\n", encoding="utf-8")
    monkeypatch.setattr(scope, "PATTERNS", ("pack/*.py",))
    monkeypatch.setattr(scope, "COPIED", ("pack",))
    made = mutants.make(root, copy)
    assert mutants.read(copy) == made
    assert {(one.function, one.was, one.becomes) for one in made} == {
        ("double", "return n * 2", "return n / 2"),
        ("double", "return n * 2", "return n * 3"),
    }
    assert made[0].name.startswith("pack.part.x_double__mutmut_")
    assert "mutmut" in (copy / "pack" / "part.py").read_text(encoding="utf-8")


def test_a_report_counts_by_module_and_names_what_is_not_explained() -> None:
    findings = Findings([KILLED, ALIVE, BARE], OUTCOMES, [WHY])
    assert (findings.alive, findings.unexplained, findings.outdated) == ([ALIVE, BARE], [BARE], [])
    assert report.ALIVE == (Outcome.SURVIVED, Outcome.UNTESTED)
    text = told(findings)
    rows = [line.split() for line in text.splitlines() if line]
    assert ["a.py", "2", "1", "1", "0"] in rows and ["b.py", "1", "0", "0", "1"] in rows
    assert ["all", "3", "1", "1", "1"] in rows
    assert "b.py, two: untested" in text and "  + raise" in text and "return None" not in text


def test_an_explanation_of_a_killed_mutant_is_outdated_and_one_of_another_module_is_not_judged() -> None:
    elsewhere = Explained("c.py", "three", "x", "y", "nobody asks")
    of_killed = Explained("a.py", "one", "return 1", "return 2", "nobody asks")
    findings = Findings([KILLED, ALIVE], OUTCOMES, [WHY, of_killed, elsewhere])
    assert (findings.unexplained, findings.outdated) == ([], [of_killed])
    assert "killed or gone" in told(findings)


def test_every_explanation_has_a_reason_and_is_of_a_mutated_module(tmp_path: Path) -> None:
    modules = scope.modules(ROOT)
    assert all(why.module in modules for why in explained.read())
    empty = tmp_path / "explained.toml"
    empty.write_text(
        "[[mutant]]\nmodule = 'a'\nfunction = 'b'\nwas = 'c'\nbecomes = 'd'\nwhy = ' '\n", encoding="utf-8"
    )
    with pytest.raises(ValueError, match="without a reason"):
        explained.read(empty)
