"""Set-up steps run once: stamps."""

from pathlib import Path

from devtools.setup import stamps


def test_stamp_fits_what_it_was_made_from(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text("a==1")
    stamps.put(tmp_path / "made" / ".stamp", stamps.digest(lock, "3.11"))

    assert stamps.fits(tmp_path / "made" / ".stamp", stamps.digest(lock, "3.11"))


def test_stamp_does_not_fit_a_changed_file(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text("a==1")
    stamps.put(tmp_path / ".stamp", stamps.digest(lock))

    lock.write_text("a==2")

    assert not stamps.fits(tmp_path / ".stamp", stamps.digest(lock))


def test_missing_stamp_does_not_fit(tmp_path: Path) -> None:
    assert not stamps.fits(tmp_path / ".stamp", stamps.digest("anything"))


def test_inputs_do_not_run_into_each_other() -> None:
    assert stamps.digest("ab", "c") != stamps.digest("a", "bc")
    assert stamps.digest("a", "b") != stamps.digest("b", "a")
