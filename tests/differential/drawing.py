"""Random scenarios. The simplest is drawn first, so that a failure shrinks to one that can be read."""

from __future__ import annotations

from typing import TypeVar

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

Drawn = TypeVar("Drawn")
MOST = 2**63 - 1
LEAST = -(2**63)


def mostly(*choices: tuple[int, st.SearchStrategy[Drawn]]) -> st.SearchStrategy[Drawn]:
    """One of the choices, each as often as its weight says; `one_of` would take choices that are the same as one."""
    places = [place for place, (weight, _) in enumerate(choices) for _ in range(weight)]
    return st.sampled_from(places).flatmap(lambda place: choices[place][1])


MINUTES = st.integers(0, 9)
ENDINGS = st.sampled_from([Ending.PLAIN] * 5 + [Ending.COMMITTED, Ending.ABORTED, Ending.OPEN])
BATCHES = st.builds(Batch, st.lists(MINUTES, min_size=1, max_size=5).map(tuple), ENDINGS)
WRITTEN = st.builds(
    Log,
    st.lists(BATCHES, min_size=1, max_size=3).map(tuple),
    mostly((3, st.just(0)), (2, st.integers(1, 5)), (1, st.integers(1, 16))),
)
LOGS = mostly((6, WRITTEN), (1, st.just(Log())))
TOPICS = mostly((9, st.lists(LOGS, min_size=1, max_size=3).map(tuple)), (1, st.just(COMPACTED)))
OFFSETS = mostly((6, st.integers(-16, 16)), (1, st.sampled_from([-1, 10**12, 2**31, MOST, LEAST])))
COMMITS = mostly((6, st.integers(0, 16)), (1, st.sampled_from([10**12, MOST])))
EDGES = st.sampled_from([0, -1, 1, 500])
ZONES = st.sampled_from(["", "Z", "+09:00", "-03:30", "+0900"])
EPOCH_MINUTE = -29_538_720
"""1970-01-01, counted from 2026-03-01."""
FAR_MINUTES = st.sampled_from([EPOCH_MINUTE, -10_000_000, 40_000_000])

PLAIN_WISHES = st.sampled_from([Wish("to-earliest"), Wish("to-latest"), Wish("to-current")])
NUMBER_WISHES = mostly(
    (3, st.builds(Wish, st.just("shift-by"), mostly((6, st.integers(-9, 9)), (1, OFFSETS)))),
    (2, st.builds(Wish, st.just("to-offset"), OFFSETS)),
)
TIME_WISHES = mostly(
    (5, st.builds(lambda at, ms, zone: Wish("to-datetime", minute=at, ms=ms, zone=zone), MINUTES, EDGES, ZONES)),
    (2, st.builds(lambda at: Wish("by-duration", minute=at), st.integers(-1, 9))),
    (1, st.builds(lambda at, ms: Wish("to-datetime", minute=at, ms=ms), FAR_MINUTES, EDGES)),
)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """One scenario; a group without commits is missing now and then."""
    topics = draw(st.lists(TOPICS, min_size=1, max_size=2, unique=True).map(tuple))
    places = [Place(topic, number) for topic, logs in enumerate(topics) for number in range(len(logs))]
    committed = st.dictionaries(st.sampled_from(places), COMMITS, min_size=1, max_size=len(places))
    nothing: st.SearchStrategy[dict[Place, int]] = st.just({})
    commits = draw(mostly((7, committed), (1, nothing)))
    return Scenario(
        topics=topics,
        wish=draw(mostly((4, TIME_WISHES), (4, NUMBER_WISHES), (4, PLAIN_WISHES), (3, _files(places)))),
        scope=draw(_scopes(topics)),
        commits=tuple(sorted(commits.items())),
        group=draw(st.sampled_from(GroupKind)),
        create=draw(st.sampled_from([True, True, True, False])),
    )


def _files(places: list[Place]) -> st.SearchStrategy[Wish]:
    """A file of rows for some of the partitions, now and then for a topic that is not there."""
    offsets = mostly((6, st.integers(0, 16)), (1, st.sampled_from([10**12, MOST])))
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
    if draw(st.sampled_from([False, False, True])):
        return None
    chosen = draw(st.sets(st.sampled_from(range(len(topics))), min_size=1))
    scoped = [ScopedTopic(topic, draw(_partitions(len(topics[topic])))) for topic in sorted(chosen)]
    if draw(st.sampled_from([False] * 19 + [True])):
        scoped.append(ScopedTopic(NOWHERE))
    return tuple(scoped)


def _partitions(count: int) -> st.SearchStrategy[tuple[int, ...] | None]:
    some = st.sets(st.sampled_from(range(count)), min_size=1).map(lambda chosen: tuple(sorted(chosen)))
    one_too_many: st.SearchStrategy[tuple[int, ...]] = st.just((0, count))
    return mostly((6, st.none()), (6, some), (1, one_too_many))
