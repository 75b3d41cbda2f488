"""`python -m devtools.setup demo|dev|test|assets|lock`: what a work tree needs before it runs. Silent when nothing is due."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from devtools.setup import assets, environment, jars, lock, tools
from devtools.setup.errors import SetupRefused

ROOT = Path(__file__).resolve().parents[2]


def demo(root: Path) -> None:
    """Make what `make demo` runs on: packages, front-end files, Kafka's jars."""
    python = environment.make(root, environment.DEMO)
    assets.make(root)
    jars.make(root, python)


def dev(root: Path) -> None:
    """Make what the quick checks run on: all packages and the front-end files."""
    environment.make(root, environment.DEV)
    assets.make(root)


def test(root: Path) -> None:
    """Make what the whole test run needs, servers and browser included."""
    tools.require(tools.FOR_TESTS)
    dev(root)
    demo(root)


AIMS: dict[str, Callable[[Path], None]] = {"demo": demo, "dev": dev, "test": test, "assets": assets.make}


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Let one set-up at a time work in this tree: two `make demo` may start side by side."""
    folder = root / ".cache"
    folder.mkdir(exist_ok=True)
    with (folder / "setup.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def main(arguments: Sequence[str]) -> int:
    """Do one aim; give the exit code."""
    if not arguments or arguments[0] not in {*AIMS, "lock"}:
        print(f"Say what to set up: {', '.join([*AIMS, 'lock'])}.", file=sys.stderr)
        return 2
    os.umask(0o022)
    try:
        with alone(ROOT):
            if arguments[0] == "lock":
                lock.make(ROOT, arguments[1:])
            else:
                AIMS[arguments[0]](ROOT)
    except SetupRefused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
