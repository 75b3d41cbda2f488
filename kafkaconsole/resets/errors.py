"""Refusals of the workflow: of a change, of a plan, of a move. Codes are part of the API, sentences stand in `messages`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from kafkaconsole.errors import BadInput, Refused, Unavailable

SHOWN_PROBLEMS = 100
"""So many problems are spelled out; of the rest only the number is told."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One thing wrong with what was sent: the field's path (`strategy.offset`), what was found, what was expected.

    `line` is the number (from 1) of the file's line, for a field that holds a file.
    """

    field: str
    found: str
    expected: str
    line: int | None = None


class BadChange(BadInput):
    """A change that cannot be understood. Facts: problems (the first 100, as mappings), total."""

    code = "reset.bad_change"

    def __init__(self, problems: Sequence[FieldProblem]) -> None:
        self.problems = tuple(problems)
        shown = [asdict(problem) for problem in self.problems[:SHOWN_PROBLEMS]]
        super().__init__(problems=shown, total=len(self.problems))


class BadInstant(BadInput):
    """A moment that Kafka cannot be asked for. Facts: field, found, expected."""

    code = "reset.bad_instant"


class GroupMissing(Refused):
    """No such group, and creating it was not asked for. Facts: group, near (names that resemble it)."""

    code = "reset.group_missing"


class SourceGroupMissing(Refused):
    """The group to copy from does not exist. Facts: group, near."""

    code = "reset.source_group_missing"


class GroupNotProvenMissing(Unavailable):
    """The coordinator knows no such group, but some brokers did not list theirs. Facts: group, brokers."""

    code = "reset.group_not_proven_missing"


class WrongGroupKind(Refused):
    """A group whose offsets are not reset this way. Facts: group, kind."""

    code = "reset.wrong_group_kind"


class TopicMissing(Refused):
    """Topics that the cluster does not have. Facts: topics (name → names that resemble it)."""

    code = "reset.topic_missing"


class NothingInScope(Refused):
    """The scope comes to no partition at all. Facts: group, scope (`all_committed` or `topics`)."""

    code = "reset.nothing_in_scope"


class SnapshotMissing(Refused):
    """No attempt on this group with that id has kept a snapshot. Facts: attempt, group."""

    code = "reset.snapshot_missing"


class NothingRemembered(Refused):
    """The history does not tell what the group had at that moment. Facts: group, at."""

    code = "reset.nothing_remembered"


class IllegalMove(Refused):
    """A state was asked to move where the table of moves does not let it. Facts: source, target."""

    code = "reset.illegal_move"


class StateMoved(Refused):
    """Someone else moved the request first. Facts: expected."""

    code = "reset.state_moved"
