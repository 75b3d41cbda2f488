"""What is mutated, and with which tests it is tried."""

from __future__ import annotations

from pathlib import Path

PATTERNS = (
    "kafkaconsole/resets/change.py",
    "kafkaconsole/resets/planning.py",
    "kafkaconsole/resets/plans.py",
    "kafkaconsole/resets/digest.py",
    "kafkaconsole/resets/facts.py",
    "kafkaconsole/resets/fields.py",
    "kafkaconsole/resets/files.py",
    "kafkaconsole/resets/instants.py",
    "kafkaconsole/resets/rules.py",
    "kafkaconsole/resets/scoping.py",
    "kafkaconsole/resets/reading.py",
    "kafkaconsole/resets/refusals.py",
    "kafkaconsole/resets/states.py",
    "kafkaconsole/resets/strategies/*.py",
    "kafkaconsole/resets/warnings/*.py",
    "kafkaconsole/groups/matching.py",
    "kafkaconsole/groups/ownership.py",
    "kafkaconsole/kafka/answers.py",
    "kafkaconsole/kafka/client_settings.py",
    "kafkaconsole/kafka/values.py",
)
"""The pure modules: nothing in them asks Kafka, a database or the clock, but for what they are given."""

TESTS = ("tests/resets", "tests/groups", "tests/kafka", "tests/field_cases")
"""Of these, those that need nothing but Python (the mark `unit`)."""

LEFT_OUT = (
    # It reads the text of the modules, and in the copy that holds all mutants at once.
    "tests/resets/test_messages.py::test_every_warning_in_the_source_has_a_sentence_and_the_other_way_round",
    # Slow, and by chance: a mutant must fall to a test that is quick and the same each time.
    "tests/resets/test_properties.py",
    "tests/resets/test_files.py::test_two_hundred_thousand_rows_are_read",
)

COPIED = (
    "kafkaconsole",
    "devtools",
    "tests",
    "docs",
    "templates",
    "locale",
    "pyproject.toml",
    "README.md",
    "manage.py",
)
"""What those tests read. Without manage.py, pytest-django would find the one above and put that folder's code first."""


def modules(root: Path, chosen: tuple[str, ...] = ()) -> list[str]:
    """The files to mutate, as paths from `root`; only the `chosen` ones where some are. Raises ValueError for others."""
    found = sorted(str(path.relative_to(root)) for pattern in PATTERNS for path in root.glob(pattern))
    strangers = [name for name in chosen if name not in found]
    if strangers:
        raise ValueError(f"not among the mutated modules: {', '.join(strangers)}; there are {', '.join(found)}")
    return [name for name in found if name in chosen] if chosen else found
