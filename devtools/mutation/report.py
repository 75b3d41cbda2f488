"""What a run found, as text, and whether it is good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from devtools.mutation.explained import Explained
from devtools.mutation.mutants import Mutant

ALIVE = ("survived", "untested")
_ROW = "{:<48} {:>7} {:>7} {:>9} {:>11}"


@dataclass(frozen=True, slots=True)
class Findings:
    """The mutants of a run and what became of each (by name), beside the explanations."""

    mutants: Sequence[Mutant]
    outcomes: Mapping[str, str]
    explanations: Sequence[Explained]

    @property
    def alive(self) -> list[Mutant]:
        """Those that no test killed."""
        return [mutant for mutant in self.mutants if self.outcomes[mutant.name] in ALIVE]

    @property
    def unexplained(self) -> list[Mutant]:
        """Those that no test killed and nobody explained."""
        return [one for one in self.alive if not any(why.is_of(one) for why in self.explanations)]

    @property
    def outdated(self) -> list[Explained]:
        """Explanations, of the modules that were tried, of a mutant that is killed or that there is no more."""
        tried = {mutant.module for mutant in self.mutants}
        alive = self.alive
        return [why for why in self.explanations if why.module in tried and not any(map(why.is_of, alive))]


def told(findings: Findings) -> str:
    """The whole report: a row per module, then each survivor without an explanation, then each outdated explanation."""
    return "\n".join([*_table(findings), *_survivors(findings), *_outdated(findings)])


def _table(findings: Findings) -> Iterator[str]:
    all_of = Counter(mutant.module for mutant in findings.mutants)
    alive = Counter(mutant.module for mutant in findings.alive)
    bare = Counter(mutant.module for mutant in findings.unexplained)
    yield _ROW.format("", "mutants", "killed", "explained", "unexplained")
    for module in sorted(all_of):
        yield _row(module.removeprefix("kafkaconsole/"), all_of[module], alive[module], bare[module])
    yield _row("all", all_of.total(), alive.total(), bare.total())


def _row(name: str, mutants: int, alive: int, bare: int) -> str:
    return _ROW.format(name, mutants, mutants - alive, alive - bare, bare)


def _survivors(findings: Findings) -> Iterator[str]:
    for mutant in findings.unexplained:
        yield f"\n{mutant.module}, {mutant.function}: {findings.outcomes[mutant.name]}"
        yield f"  - {mutant.was}"
        yield f"  + {mutant.becomes}"


def _outdated(findings: Findings) -> Iterator[str]:
    for why in findings.outdated:
        yield f"\n{why.module}, {why.function}: explained, but killed or gone; take it out of explained.toml"
        yield f"  - {why.was}"
        yield f"  + {why.becomes}"
