"""The reset strategies: one file each, found by themselves. A new one is one file in this package and nothing else."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType

from kafkaconsole.resets.strategies.contract import Context, Nothing, Strategy, Wish

__all__ = ["STRATEGIES", "Context", "Nothing", "Strategy", "Wish"]


def _concrete() -> Iterator[type[Strategy]]:
    """Every strategy class of this package's modules that is complete."""
    for found in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        for thing in vars(module).values():
            if (
                inspect.isclass(thing)
                and issubclass(thing, Strategy)
                and thing.__module__ == module.__name__
                and not inspect.isabstract(thing)
            ):
                yield thing


STRATEGIES: Mapping[str, type[Strategy]] = MappingProxyType(
    {strategy.kind: strategy for strategy in sorted(_concrete(), key=lambda strategy: strategy.place)}
)
"""`strategy.kind` → its class, in the order of a form."""
