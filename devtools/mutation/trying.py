"""A pytest plugin that tries mutants instead of running tests once: run in the copy, it writes `outcomes.jsonl`.

The tests are collected once. Each mutant is tried in a child process with the tests that reach its function, up to the
first that fails.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

import pytest
from mutmut.mutation import trampoline

from devtools.mutation import mutants
from devtools.mutation.mutants import Mutant

OUTCOMES = "outcomes.jsonl"
CHILDREN = int(os.environ.get("MUTATION_CHILDREN", "2"))
LEAST_CPU_S, WALL_S = 5, 300
SLOW_S = 0.1
MOST_TESTS = 500
"""A mutant that the tests nearest to it do not kill is a survivor, whatever falls over it far away."""
MEMORY_BYTES = 4_000_000_000
_EVERY = 200


class Outcome(StrEnum):
    """What became of a mutant. TIMED_OUT counts as killed; UNTESTED: no test reaches its function."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True)
class Reached:
    """Per function that has mutants, the numbers of the tests that reach it; per test, the seconds it takes and the number of functions."""

    tests: Mapping[str, Sequence[int]]
    seconds: Sequence[float]
    breadth: Mapping[int, int]

    def by(self, mutant: Mutant) -> list[int]:
        """The tests that may kill a mutant: those that are about little else, and the slow ones of them last."""
        found = self.tests.get(mutant.name.rpartition("__mutmut_")[0], ())
        nearest = sorted(found, key=lambda number: (self.breadth[number], number))[:MOST_TESTS]
        return sorted(nearest, key=lambda number: self.seconds[number] > SLOW_S)


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try every mutant of the copy."""
    if session.testsfailed:
        raise session.Interrupted("the tests cannot be collected")
    reached = _reached(session.items)
    todo = mutants.read(Path.cwd())
    with Path(OUTCOMES).open("w", encoding="utf-8") as file:
        for name, outcome in _tried(todo, session.items, reached):
            print(json.dumps([name, outcome]), file=file, flush=True)
    return True


@dataclass(frozen=True, slots=True)
class _Failure:
    """Ends the child as soon as a test fails, before anybody makes a report of it: that takes longer than the test."""

    is_told: bool

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            if self.is_told:
                print(f"\n{item.nodeid}\n{call.excinfo.getrepr(style='short')}", file=sys.stderr, flush=True)
            os._exit(1)


def _run(items: Sequence[pytest.Item], number: int, following: int | None) -> None:
    item = items[number]
    nextitem = None if following is None else items[following]
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)


def _reached(items: Sequence[pytest.Item]) -> Reached:
    """Run all tests without a mutant, in a child, and note what they reach. Raises RuntimeError where one fails."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _note(items, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        text = answer.read()
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("a test fails without any mutant: mend it first")
    told = json.loads(text)
    breadth = Counter(number for numbers in told["tests"].values() for number in numbers)
    return Reached(told["tests"], told["seconds"], breadth)


def _note(items: Sequence[pytest.Item], writing: int) -> NoReturn:
    tests: dict[str, list[int]] = {}
    seconds: list[float] = []
    hits: set[str] = set()
    setattr(trampoline, "record_trampoline_hit", lambda name, caller=None: hits.add(name))  # noqa: B010
    os.environ["MUTANT_UNDER_TEST"] = "stats"
    items[0].config.pluginmanager.register(_Failure(is_told=True))
    for number in range(len(items)):
        began = time.perf_counter()
        _run(items, number, number + 1 if number + 1 < len(items) else None)
        seconds.append(time.perf_counter() - began)
        for name in hits:
            tests.setdefault(name, []).append(number)
        hits.clear()
    with os.fdopen(writing, "w", encoding="utf-8") as answer:
        json.dump({"tests": tests, "seconds": seconds}, answer)
    os._exit(0)


def _tried(todo: Sequence[Mutant], items: Sequence[pytest.Item], reached: Reached) -> Iterator[tuple[str, Outcome]]:
    """The mutants by name and what became of each, as they end."""
    running: dict[int, str] = {}
    for number, mutant in enumerate(todo):
        if number % _EVERY == 0:
            print(f"{number} of {len(todo)} mutants", file=sys.stderr, flush=True)
        tests = reached.by(mutant)
        if not tests:
            yield mutant.name, Outcome.UNTESTED
            continue
        if len(running) == CHILDREN:
            yield _ended(running)
        limit = LEAST_CPU_S + int(5 * sum(reached.seconds[number] for number in tests))
        child = os.fork()
        if not child:
            _try(mutant, [items[number] for number in tests], limit)
        running[child] = mutant.name
    while running:
        yield _ended(running)


def _ended(running: dict[int, str]) -> tuple[str, Outcome]:
    child, status = os.wait()
    name = running.pop(child)
    if status == 0:
        return name, Outcome.SURVIVED
    stopped = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    return name, Outcome.TIMED_OUT if stopped in (signal.SIGXCPU, signal.SIGALRM) else Outcome.KILLED


def _try(mutant: Mutant, items: Sequence[pytest.Item], cpu_limit_s: int) -> NoReturn:
    """Run the tests with the mutant in their way; ends the child with 0 where none fails."""
    gc.disable()
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit_s, cpu_limit_s + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.alarm(WALL_S)
    os.environ["MUTANT_UNDER_TEST"] = mutant.name
    items[0].config.pluginmanager.register(_Failure(is_told=False))
    try:
        for number in range(len(items)):
            _run(items, number, number + 1 if number + 1 < len(items) else None)
    except BaseException:
        os._exit(1)
    os._exit(0)
