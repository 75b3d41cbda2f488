"""One sweep: what it reads, what it stores, what it says."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import pytest

from kafkaconsole.clusters.models import Cluster, Health
from kafkaconsole.groups.models import OwnershipKind, OwnershipRule
from kafkaconsole.history import actions, queries, sweeping
from kafkaconsole.history.measuring import SECOND_READING_AFTER
from kafkaconsole.history.models import GroupSample, Sweep, Topic, TopicSample
from kafkaconsole.kafka.errors import AuthenticationRefused, KafkaUnavailable
from kafkaconsole.kafka.values import (
    Committed,
    GroupId,
    GroupState,
    GroupType,
    Offset,
    Problem,
    ProblemKind,
    TopicPartition,
)
from kafkaconsole.teams.models import Team
from tests.history.scene import INTERVAL, Watched, code_of

ORDERS_0 = TopicPartition("orders", 0)
FORBIDDEN = Problem(ProblemKind.NOT_AUTHORIZED, "GROUP_AUTHORIZATION_FAILED")


def cluster(watched: Watched) -> Cluster:
    return Cluster.objects.get(pk=watched.cluster.pk)


def test_a_sweep_tells_where_a_group_stands(watched: Watched) -> None:
    sweep = watched.sweep()
    group = watched.group()
    assert (sweep.outcome, sweep.groups_count, sweep.partitions_count) == ("ok", 1, 3)
    assert (group.lag, group.topics_count, group.partitions_count) == (240, 1, 3)
    assert (group.state, group.type, group.measured_at) == ("Empty", "classic", sweep.at)
    lines = queries.standing(group).lines
    assert [(line.committed, line.log_end, line.lag) for line in lines] == [(10, 100, 90), (20, 100, 80), (30, 100, 70)]


def test_log_ends_are_read_after_commits(watched: Watched) -> None:
    watched.sweep()
    calls = watched.kafka.calls
    assert calls.index("committed") < calls.index("topics") < calls.index("bounds")


def test_each_call_is_made_once_whatever_the_number_of_groups(watched: Watched) -> None:
    for number in range(50):
        watched.commit(f"billing-{number}", "orders", p0=1)
        watched.kafka.join(f"search-{number}", topics=["orders"])
    watched.sweep()
    assert sorted(watched.kafka.calls) == [
        "bounds", "committed", "connect", "describe_cluster", "describe_groups", "list_groups", "topics",
    ]  # fmt: skip


def test_only_topics_that_groups_read_are_asked_for(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        watched.kafka.add_topic(f"unread-{number}", partitions=100)
    asked: dict[str, list[str]] = {}

    def noted(call: str) -> None:
        answer = getattr(watched.kafka, call)

        def ask(of: Collection[object], **how: bool) -> object:
            asked.setdefault(call, []).extend(sorted(map(str, of)))
            return answer(of, **how)

        monkeypatch.setattr(watched.kafka, call, ask)

    for call in ("topics", "bounds"):
        noted(call)
    watched.sweep()
    assert asked == {"topics": ["orders"], "bounds": ["orders-0", "orders-1", "orders-2"]}


def test_only_groups_that_are_not_empty_are_described(watched: Watched) -> None:
    watched.sweep()
    assert "describe_groups" not in watched.kafka.calls


def test_an_idle_group_costs_no_sample(watched: Watched) -> None:
    watched.sweep()
    before = GroupSample.objects.count(), TopicSample.objects.count()
    assert watched.sweep().samples_count == 0
    assert (GroupSample.objects.count(), TopicSample.objects.count()) == before == (1, 1)


def test_bounds_are_stored_once_for_all_groups_of_a_topic(watched: Watched) -> None:
    for number in range(10):
        watched.commit(f"billing-{number}", "orders", p0=1)
    watched.sweep()
    watched.produce("orders", 0, 1)
    assert watched.sweep().samples_count == 1


def test_metadata_is_kept_as_the_committer_stored_it(watched: Watched) -> None:
    watched.kafka.set_committed("billing", {ORDERS_0: Committed(Offset(10), "by hand\\0\0", 7)})
    watched.sweep()
    line = queries.standing(watched.group()).lines[0]
    assert (line.metadata, line.leader_epoch) == ("by hand\\0\0", 7)


def test_members_and_their_partitions_are_told(watched: Watched) -> None:
    member = watched.kafka.join("billing", client_id="worker-1", topics=["orders"])
    watched.sweep()
    group = watched.group()
    assert (group.state, group.members[0]["client_id"]) == ("Stable", "worker-1")
    assert {line.member_id for line in queries.standing(group).lines} == {member.member_id}


def test_partitions_that_a_member_reads_are_shown_before_its_first_commit(watched: Watched) -> None:
    watched.kafka.join("search", topics=["orders"])
    watched.sweep()
    lines = queries.standing(watched.group("search")).lines
    assert [(line.committed, line.lag) for line in lines] == [(None, None)] * 3
    assert watched.group("search").lag is None


def test_state_since_is_told_from_the_first_change_on(watched: Watched) -> None:
    watched.sweep()
    assert watched.group().state_since is None
    watched.kafka.join("billing", topics=["orders"])
    changed = watched.sweep()
    watched.sweep()
    assert watched.group().state_since == changed.at


def test_a_group_gets_the_team_that_its_name_belongs_to(watched: Watched) -> None:
    team = Team.objects.create(slug="billing", name="Billing")
    OwnershipRule.objects.create(kind=OwnershipKind.PREFIX, pattern="bill", team=team)
    watched.sweep()
    assert watched.group().team == team


def test_share_groups_have_no_offsets_and_no_lag(watched: Watched) -> None:
    watched.kafka.join("shared", topics=["orders"], type=GroupType.SHARE)
    watched.sweep()
    assert (watched.group("shared").lag, watched.group("shared").type) == (None, "share")


def test_a_leaderless_partition_leaves_the_rest_measured(watched: Watched) -> None:
    watched.kafka.lose_leader("orders", 1)
    sweep = watched.sweep()
    lags = [line.lag for line in queries.standing(watched.group()).lines]
    assert lags == [90, None, 70]
    assert watched.group().lag is None
    assert (sweep.outcome, sweep.not_measured[0]["what"], sweep.not_measured[0]["name"]) == (
        "partial",
        "partition",
        "orders-1",
    )
    assert (cluster(watched).health, code_of(cluster(watched))) == (Health.DEGRADED, "history.measured_in_part")


def test_a_forbidden_group_leaves_the_others_measured(watched: Watched) -> None:
    watched.commit("search", "orders", p0=1)
    watched.sweep()
    watched.kafka.answer("committed", GroupId("billing"), FORBIDDEN)
    watched.commit("search", "orders", p0=2)
    sweep = watched.sweep()
    assert queries.standing(watched.group("search")).lines[0].committed == 2
    assert queries.standing(watched.group("search")).measured_at == sweep.at
    assert queries.standing(watched.group()).measured_at != sweep.at
    assert sweep.not_measured[0]["problem"]["kafka_error"] == "GROUP_AUTHORIZATION_FAILED"


def test_a_topic_that_became_hidden_is_not_taken_for_a_lost_commit(watched: Watched) -> None:
    watched.sweep()
    held = dict(watched.kafka.group("billing").committed)
    watched.kafka.group("billing").committed.clear()
    watched.kafka.answer("topics", "orders", Problem(ProblemKind.NOT_AUTHORIZED, "TOPIC_AUTHORIZATION_FAILED"))
    watched.sweep()
    assert [line.committed for line in queries.standing(watched.group()).lines] == [10, 20, 30]
    assert watched.group().lag is None
    assert "orders" in queries.at(watched.group(), watched.clock()).not_known
    watched.kafka.forget_answers()
    watched.kafka.set_committed("billing", held)
    watched.sweep()
    assert queries.at(watched.group(), watched.clock()).not_known == {}


def test_deleted_offsets_are_no_commit(watched: Watched) -> None:
    watched.sweep()
    watched.kafka.group("billing").committed.pop(ORDERS_0)
    watched.sweep()
    assert queries.standing(watched.group()).lines[0].committed is None
    assert watched.group().partitions_count == 2


def test_a_topic_made_again_keeps_its_old_history_apart(watched: Watched) -> None:
    before = watched.sweep()
    watched.kafka.add_topic("orders", partitions=1)
    watched.commit("billing", "orders", p0=0)
    watched.sweep()
    assert Topic.objects.filter(name="orders").count() == 2
    assert [line.committed for line in queries.standing(watched.group()).lines] == [0]
    assert before.at is not None
    assert [line.committed for line in queries.at(watched.group(), before.at).lines] == [10, 20, 30]


def test_an_offset_that_went_back_is_read_twice(watched: Watched) -> None:
    watched.sweep()
    watched.kafka.calls.clear()
    watched.commit("billing", "orders", p0=5)
    before = watched.clock()
    sweep = watched.sweep()
    assert watched.kafka.calls.count("committed") == 2
    assert watched.kafka.calls.index("bounds") > max(
        at for at, name in enumerate(watched.kafka.calls) if name == "committed"
    )
    assert sweep.at == before + INTERVAL + SECOND_READING_AFTER
    assert queries.standing(watched.group()).lines[0].committed == 5


def test_a_stale_answer_of_a_moved_coordinator_is_no_rewind(watched: Watched) -> None:
    watched.sweep()
    watched.commit("billing", "orders", p0=5)  # what the new coordinator says at first

    def know_better() -> None:
        if watched.kafka.calls.count("committed") == 3:
            watched.commit("billing", "orders", p0=12)

    watched.kafka.before("committed", know_better, once=False)
    watched.sweep()
    assert queries.standing(watched.group()).lines[0].committed == 12
    found = queries.series(watched.group(), start=watched.clock() - INTERVAL * 4, end=watched.clock(), max_points=50)
    assert found.rewinds == ()


def test_a_reset_just_applied_is_believed_at_once(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.sweep()
    monkeypatch.setattr(actions, "now", watched.clock)
    actions.ask_for_sweep(watched.cluster, reset_group="billing")
    watched.kafka.calls.clear()
    watched.commit("billing", "orders", p0=0)
    watched.sweep()
    assert watched.kafka.calls.count("committed") == 1
    assert queries.standing(watched.group()).lines[0].committed == 0


def test_a_group_missing_from_a_listing_is_not_gone(watched: Watched) -> None:
    watched.sweep()
    watched.kafka.answer("list_groups", GroupId("billing"), None)
    watched.commit("billing", "orders", p0=50)
    watched.sweep()
    assert watched.group().state == GroupState.EMPTY
    assert queries.standing(watched.group()).lines[0].committed == 50


def test_a_group_is_gone_when_its_coordinator_says_so_twice(watched: Watched) -> None:
    watched.sweep()
    watched.kafka.remove_group("billing")
    watched.sweep()
    assert watched.group().state == GroupState.EMPTY
    gone = watched.sweep()
    assert watched.group().state == GroupState.MISSING
    assert watched.group().state_since == gone.at
    assert queries.standing(watched.group()).lines == ()


def test_a_group_made_again_after_it_was_gone_is_seen(watched: Watched) -> None:
    watched.sweep()
    watched.kafka.remove_group("billing")
    watched.sweep()
    watched.sweep()
    watched.commit("billing", "orders", p0=1)
    watched.sweep()
    assert watched.group().state == GroupState.EMPTY
    assert queries.standing(watched.group()).lines[0].committed == 1


def test_a_name_that_no_database_takes_is_said_and_the_rest_measured(watched: Watched) -> None:
    watched.commit("nul\0", "orders", p0=1)
    sweep = watched.sweep()
    assert (sweep.outcome, sweep.groups_count, sweep.not_measured[0]["name"]) == ("partial", 1, "nul\ufffd")


@pytest.mark.parametrize("error", [KafkaUnavailable(reason="nothing_listens"), AuthenticationRefused(reason="sasl")])
def test_a_cluster_that_does_not_answer_fails_its_sweep_and_says_why(
    watched: Watched, error: KafkaUnavailable | AuthenticationRefused
) -> None:
    watched.sweep()
    watched.kafka.go_down(error)
    sweep = watched.sweep()
    assert (sweep.outcome, sweep.problem) == ("failed", {"code": error.code, "facts": dict(error.facts)})
    assert (cluster(watched).health, cluster(watched).problem) == (Health.UNREACHABLE, sweep.problem)
    watched.kafka.come_up()
    assert watched.sweep().outcome == "ok"
    assert (cluster(watched).health, cluster(watched).problem) == (Health.OK, None)


def test_a_cluster_gone_in_the_middle_stores_nothing(watched: Watched) -> None:
    watched.sweep()
    watched.commit("billing", "orders", p0=99)
    watched.kafka.fail("bounds", KafkaUnavailable(reason="timed_out"))
    assert watched.sweep().outcome == "failed"
    assert queries.standing(watched.group()).lines[0].committed == 10


def test_an_unforeseen_error_is_recorded_and_raised(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(sweeping, "measure", break_down)
    with pytest.raises(ZeroDivisionError):
        watched.sweep()
    sweep = Sweep.objects.get()
    assert (sweep.outcome, code_of(sweep)) == ("failed", "history.sweep_broke")


def test_the_cluster_id_is_pinned_and_another_cluster_refused(watched: Watched) -> None:
    watched.sweep()
    assert cluster(watched).cluster_id == watched.kafka.cluster_id
    watched.kafka.cluster_id = "somebody-else"
    sweep = watched.sweep()
    assert (sweep.outcome, code_of(sweep)) == ("failed", "cluster.another_cluster")


def test_a_clock_that_was_set_back_keeps_samples_in_order_and_is_said(watched: Watched) -> None:
    first = watched.sweep()
    watched.commit("billing", "orders", p0=11)
    second = watched.sweep(-timedelta(hours=1))
    assert first.at is not None and second.at is not None
    assert second.at > first.at
    assert code_of(second) == "history.clock_went_back"


def test_time_lag_grows_while_a_group_stands_still(watched: Watched) -> None:
    watched.commit("billing", "orders", p0=100, p1=100, p2=100)
    watched.sweep()
    assert watched.group().time_lag_s == 0
    watched.produce("orders", 1, 5)
    watched.sweep()
    watched.produce("orders", 1, 5)
    watched.sweep()
    assert watched.group().time_lag_s == 30
    watched.commit("billing", "orders", p1=107)  # still behind: its samples tell when the log passed 107
    watched.sweep()
    assert watched.group().time_lag_s == 30
    assert queries.standing(watched.group()).time_lag == timedelta(seconds=30)


def test_time_lag_from_before_the_first_reading_is_not_known(watched: Watched) -> None:
    watched.sweep()
    watched.sweep()
    assert (watched.group().lag, watched.group().time_lag_s) == (240, None)


def test_sweeps_are_listed_newest_first_and_the_latest_has_ended(watched: Watched) -> None:
    sweeps = [watched.sweep(), watched.sweep()]
    Sweep.objects.create(cluster=watched.cluster, started_at=watched.clock())
    assert [one.pk for one in queries.sweeps_of(watched.cluster)][1:] == [sweeps[1].pk, sweeps[0].pk]
    assert queries.latest_sweep(watched.cluster) == sweeps[1]


def test_topics_of_a_groups_history_are_named_once(watched: Watched) -> None:
    watched.sweep()
    watched.kafka.add_topic("orders", partitions=1)
    watched.kafka.add_topic("hello")
    watched.commit("billing", "orders", p0=0)
    watched.commit("billing", "hello", p0=0)
    watched.sweep()
    assert queries.topic_names(watched.group()) == ["hello", "orders"]
