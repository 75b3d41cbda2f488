"""Where a plan comes to something else than Kafka's own tool, on purpose. `docs/differences.md` tells the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """What we come to on one vector, and why."""

    ours: dict[str, object]
    why: str


def _offset(new: int, replayed: int = 0, skipped: int = 0) -> dict[str, object]:
    return {"new_offset": new, "replayed": replayed, "skipped": skipped}


REFUSED: dict[str, object] = {"error": "reset.bad_change"}
NOT_READ: dict[str, object] = {"error": "unreadable"}
UNCERTAIN: dict[str, object] = {"error": "no_record_after_uncertain"}
WRONG_KIND: dict[str, object] = {"error": "reset.wrong_group_kind"}
WARNED: dict[str, object] = {"warning": "group_not_empty"}

SENTINEL = "a time before 1970 is a command to Kafka, not a time: refused"
NUMBER = "a missing number is refused, never read as 0"
ACTIVE = "an active group is planned with a warning that names its members; the write is refused"
MORE_FORMS = "a form of time that people paste is read; here the log holds no record to look at"

DIFFERENCES = {
    "V022": Difference(_offset(100, skipped=60), "a shift beyond 64 bits does not wrap around to the log start"),
    "V029": Difference(_offset(10), "a commit outside the log is brought in, in sight, or refused by rule"),
    "V043": Difference({"error": "no_commit"}, "there is nothing to stay at; the tool would skip to the end"),
    "V066": Difference(REFUSED, SENTINEL),
    "V067": Difference(REFUSED, SENTINEL),
    "V068": Difference(REFUSED, SENTINEL),
    "V071": Difference(UNCERTAIN, "the newest record contradicts the broker's “none”: refused, not the log end"),
    "V080": Difference(NOT_READ, "digits are not guessed: .6 is no 6 ms"),
    "V081": Difference(NOT_READ, "text after the zone is not passed over"),
    "V083": Difference(UNCERTAIN, MORE_FORMS),
    "V085": Difference(UNCERTAIN, MORE_FORMS),
    "V102": Difference(UNCERTAIN, "blanks around a pasted duration are passed over; no record to look at here"),
    "V107": Difference(REFUSED, NUMBER),
    "V108": Difference(REFUSED, NUMBER),
    "V110": Difference(REFUSED, NUMBER),
    "V113": Difference(REFUSED, "a fourth, empty column is not dropped"),
    "V114": Difference(REFUSED, "a partition named twice is refused, the last row does not win"),
    "V117": Difference(
        _offset(50, skipped=10), "a change is about one group, so three columns are always read as such"
    ),
    "V118": Difference(_offset(50, skipped=10), "a known header is read, and gives the order of the columns"),
    "V119": Difference(
        {"error": "unknown_partition"}, "blank lines are passed over; the second row's partition is not there"
    ),
    "V125": Difference(_offset(50, skipped=10), "a byte order mark is no part of the first topic's name"),
    "V129": Difference(REFUSED, "a scope beside a file limits it: a row outside is refused"),
    "V149": Difference(WARNED, ACTIVE),
    "V150": Difference(WARNED, ACTIVE),
    "V151": Difference(WARNED, ACTIVE),
    "V152": Difference(WARNED, ACTIVE),
    "V154": Difference(WARNED, ACTIVE),
    "V158": Difference({"error": "reset.nothing_in_scope"}, "“all committed” of a group without commits is refused"),
    "V160": Difference(WRONG_KIND, "share groups are refused by name, not planned as if missing"),
    "V162": Difference(WRONG_KIND, "streams groups are refused by name"),
    "V163": Difference(WRONG_KIND, "streams groups are refused by name: their state would not be reset"),
}

NOT_ABOUT_A_PLAN = {
    "export": "the tool's own output; ours is tested in test_files",
    "any": "what a write comes to: tested with execution",
    "commit": "what the broker accepts: the adapter's contract",
    "retention": "when the broker forgets a group",
    "fetch": "reading commits: the adapter's contract",
    "txn": "which of two commits wins in the broker",
    "options": "usage of the tool's command line",
    "multi-group": "the tool's loop over groups; a change is about one group",
    "client": "faults of a client library: the adapter's contract",
}
"""Vectors of these kinds say nothing of a plan; what else tests them."""
