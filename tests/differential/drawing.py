"""Random scenarios. The simplest is drawn first, so that a failure shrinks to one that can be read."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.differential.ground import COMPACTED
from tests.differential.scenario import (
    NOWHERE,
    Batch,
    Ending,
    GroupKind,
    Log,
    Place,
    Scenario,
    ScopedTopic,
    Topic,
    Wish,
)

MOST = 2**63 - 1
LEAST = -(2**63)

MINUTES = st.integers(0, 9)
ENDINGS = st.sampled_from([Ending.PLAIN] * 5 + [Ending.COMMITTED, Ending.ABORTED, Ending.OPEN])
LOGS = st.builds(
    Log,
    st.lists(st.builds(Batch, st.lists(MINUTES, min_size=1, max_size=5).map(tuple), ENDINGS), max_size=3).map(tuple),
    st.one_of(st.just(0), st.integers(0, 16)),
)
TOPICS = st.one_of(*[st.lists(LOGS, min_size=1, max_size=3).map(tuple)] * 9, st.just(COMPACTED))
NEAR = st.integers(-3, 18)
OFFSETS = st.one_of(NEAR, NEAR, st.sampled_from([MOST, LEAST, 2**31, 10**12, -1]))
COMMITS = st.one_of(st.integers(0, 16), st.integers(0, 16), st.sampled_from([MOST, 10**12]))
EDGES = st.sampled_from([0, -1, 1, 500])
ZONES = st.sampled_from(["", "Z", "+09:00", "-03:30", "+0900"])
EPOCH_MINUTE = -29_538_720
"""1970-01-01, counted from 2026-03-01."""
FAR_MINUTES = st.sampled_from([EPOCH_MINUTE, -10_000_000, 40_000_000])

PLAIN_WISHES = st.sampled_from([Wish("to-earliest"), Wish("to-latest"), Wish("to-current")])
NUMBER_WISHES = st.one_of(st.builds(Wish, st.just("to-offset"), OFFSETS), st.builds(Wish, st.just("shift-by"), OFFSETS))
TIME_WISHES = st.one_of(
    st.builds(lambda at, ms, zone: Wish("to-datetime", minute=at, ms=ms, zone=zone), MINUTES, EDGES, ZONES),
    st.builds(lambda at, ms, zone: Wish("to-datetime", minute=at, ms=ms, zone=zone), MINUTES, EDGES, ZONES),
    st.builds(lambda at: Wish("by-duration", minute=at), st.integers(-1, 9)),
    st.builds(lambda at, ms: Wish("to-datetime", minute=at, ms=ms), FAR_MINUTES, EDGES),
)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """One scenario; a third of those without commits have no group at all."""
    topics = tuple(draw(st.lists(TOPICS, min_size=1, max_size=2, unique=True)))
    places = [Place(topic, number) for topic, logs in enumerate(topics) for number in range(len(logs))]
    commits = draw(st.dictionaries(st.sampled_from(places), COMMITS, max_size=len(places)))
    wish = draw(st.one_of(PLAIN_WISHES, NUMBER_WISHES, NUMBER_WISHES, TIME_WISHES, TIME_WISHES, _files(places)))
    group = draw(st.sampled_from(list(GroupKind) if commits else [*GroupKind, GroupKind.CLASSIC, GroupKind.CONSUMER]))
    return Scenario(
        topics=topics,
        wish=wish,
        scope=draw(_scopes(topics)),
        commits=tuple(sorted(commits.items())),
        group=group,
        create=draw(st.sampled_from([True, True, True, False])),
    )


def _files(places: list[Place]) -> st.SearchStrategy[Wish]:
    """A file of rows for some of the partitions, now and then for a topic that is not there."""
    offsets = st.one_of(st.integers(0, 18), st.sampled_from([MOST, 10**12]))
    known = st.dictionaries(st.sampled_from(places), offsets, min_size=1, max_size=len(places))
    lost = st.sampled_from([{}] * 9 + [{Place(NOWHERE, 0): 5}])
    return st.builds(
        lambda rows, more: Wish("from-file", rows=tuple(sorted({**rows, **more}.items()))),
        known,
        lost,
    )


@st.composite
def _scopes(draw: st.DrawFn, topics: tuple[Topic, ...]) -> tuple[ScopedTopic, ...] | None:
    """Whole topics, some of their partitions, or all that is committed; seldom what does not exist."""
    if draw(st.integers(0, 9)) >= 7:
        return None
    chosen = draw(st.sets(st.sampled_from(range(len(topics))), min_size=1))
    scoped = [ScopedTopic(topic, draw(_partitions(len(topics[topic])))) for topic in sorted(chosen)]
    if draw(st.integers(0, 19)) == 19:
        scoped.append(ScopedTopic(NOWHERE))
    return tuple(scoped)


def _partitions(count: int) -> st.SearchStrategy[tuple[int, ...] | None]:
    some = st.sets(st.sampled_from(range(count)), min_size=1).map(lambda chosen: tuple(sorted(chosen)))
    return st.one_of(st.none(), some, some, st.sampled_from([None] * 5 + [(0, count)]))
