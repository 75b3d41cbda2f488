"""The rules that decide a line, in words, found by `Why`."""

from __future__ import annotations

from collections.abc import Mapping

WHYS: Mapping[str, str] = {
    "clamped_to_log_start": "the wanted offset is before the log; its first offset is taken",
    "clamped_to_log_end": "the wanted offset is beyond the log; its end is taken",
    "out_of_range": "the wanted offset is outside the log, and the rule is to refuse",
    "no_commit": "the group has no commit here",
    "no_record_after": "there is no record at or after the moment",
    "partition_empty": "the partition holds no record at all",
    "no_record_after_uncertain": (
        "the broker names no record at or after the moment, yet there may be one; choose an offset or another moment"
    ),
    "no_leader": "the partition has no leader now; try again when it has",
    "not_authorized": "the console has no right to read this partition or the commit on it",
    "unknown_partition": "the topic has no such partition",
    "unavailable": "the broker gave no answer for this partition; plan again",
    "not_in_source": "the group that is copied has no commit here; it stays as it is",
    "no_commit_then": "the group had no commit here at that time",
    "not_in_snapshot": "the snapshot does not tell of this partition; it stays as it is",
    "not_known_then": (
        "nobody looked at this topic at that time, so what the group had is not known; choose another moment"
    ),
    "topic_made_again": (
        "the topic was deleted and made again since, so the earlier offset is another log's; choose an offset or a moment"
    ),
}
