"""The rules that decide a line, in words, found by `Why`."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase

WHYS: Mapping[str, str] = {
    "clamped_to_log_start": phrase("the wanted offset is before the log; its first offset is taken"),
    "clamped_to_log_end": phrase("the wanted offset is beyond the log; its end is taken"),
    "out_of_range": phrase("the wanted offset is outside the log, and the rule is to refuse"),
    "no_commit": phrase("the group has no commit here"),
    "no_record_after": phrase("there is no record at or after the moment"),
    "partition_empty": phrase("the partition holds no record at all"),
    "no_record_after_uncertain": phrase(
        "the broker names no record at or after the moment, yet there may be one; choose an offset or another moment"
    ),
    "no_leader": phrase("the partition has no leader now; try again when it has"),
    "not_authorized": phrase("the console has no right to read this partition or the commit on it"),
    "unknown_partition": phrase("the topic has no such partition"),
    "unavailable": phrase("the broker gave no answer for this partition; plan again"),
    "not_in_source": phrase("the group that is copied has no commit here; it stays as it is"),
    "no_commit_then": phrase("the group had no commit here at that time"),
    "not_in_snapshot": phrase("the snapshot does not tell of this partition; it stays as it is"),
    "not_known_then": phrase(
        "nobody looked at this topic at that time, so what the group had is not known; choose another moment"
    ),
    "topic_made_again": phrase(
        "the topic was deleted and made again since, so the earlier offset is another log's; choose an offset or a moment"
    ),
}
