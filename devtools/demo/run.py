"""`python -m devtools.demo.run [--reset]`: start the demo, say how to sign in, run until Ctrl-C."""

from __future__ import annotations

import argparse
import fcntl
import logging
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

import django

from devtools.demo import goods
from devtools.demo import layout as layouts
from devtools.demo.goods import RunningKafka
from devtools.demo.layout import DemoRefused, Layout
from devtools.demo.runner import Runner
from devtools.demo.steps import Steps
from devtools.kafka import jars
from devtools.kafka.errors import LocalKafkaError

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_MARK = "kafka-console-demo"


class _Stopped(BaseException):
    """Raised by the signal, so that whatever is being started is stopped again."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo in the foreground; 0 after Ctrl-C or SIGTERM, 1 when it could not start or broke."""
    parser = argparse.ArgumentParser(prog="python -m devtools.demo.run")
    parser.add_argument("--reset", action="store_true", help="throw the demo's data away first")
    wanted = parser.parse_args(arguments)
    for number in _SIGNALS:
        signal.signal(number, _stop)
    try:
        with _alone(_folder()):
            if wanted.reset:
                _throw_away(_folder())
            _run(layouts.chosen(os.environ))
    except _Stopped:
        _say("Stopped; the data stays in its folder.")
        return 0
    except (DemoRefused, LocalKafkaError) as error:
        print(error, *getattr(error, "__notes__", ()), sep="\n", file=sys.stderr, flush=True)
        return 1


def _run(layout: Layout) -> NoReturn:
    """Until a signal ends it (_Stopped) or something breaks (DemoRefused)."""
    os.environ.update(layout.environment())
    _say("Starting Kafka and Valkey …")
    jars.runtime()
    with Runner(layout, layout.environment()) as runner:
        with _advised(layout.folder):
            _prepare_database(layout)
            runner.wait_for_servers()
            _fill(layout, runner)
        _tell_how_to_sign_in(layout)
        runner.wait_until_it_ends()
        raise DemoRefused(f"The process runner ended: look at {layout.folder / 'logs' / 'runner.log'}.")


def _stop(_number: int, _frame: FrameType | None) -> None:
    # A second Ctrl-C must not break the stopping.
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    _say("Stopping …")
    raise _Stopped


def _prepare_database(layout: Layout) -> None:
    django.setup()
    logging.disable(logging.INFO)  # of this process alone: the terminal is for people
    from django.core.management import call_command  # after django.setup()

    call_command("migrate", verbosity=0, interactive=False)
    # Copied anew till a first start came to its end: an interrupted copy is half a file, and younger than its source.
    call_command("collectstatic", verbosity=0, interactive=False, clear=not Steps(layout.folder).all_done)


def _fill(layout: Layout, runner: Runner) -> None:
    """Stock the shop, register people and cluster, start the rest, play the stories; on a later start nothing is due.

    Interrupted anywhere, the next start goes on: each step is repeatable, and noted once it is done.
    """
    from devtools.demo import cast, story  # models: after django.setup()

    kafka, steps = RunningKafka(layout.bootstrap_servers), Steps(layout.folder)
    _stock(kafka, steps)
    if not steps.all_done:
        story.read_and_stop(kafka, steps)
    cast.gather_people()
    cast.register_cluster(layout)
    _say("Starting web, worker, beat and the shop …")
    runner.start_rest()
    if not steps.all_done:
        _say("Playing the first requests …")
        story.tell()
    cast.announce(layout)
    steps.end()


def _stock(kafka: RunningKafka, steps: Steps) -> None:
    due = goods.due(kafka, steps)
    if due:
        _say("Filling the shop …")
    for topic in due:
        goods.stock(kafka, topic, steps)


@contextmanager
def _advised(folder: Path) -> Iterator[None]:
    """What breaks a start is told with the way out that always works."""
    try:
        yield
    except Exception as error:
        error.add_note(
            f"Start it again to go on from here. If that says the same, `make demo-reset` begins afresh and throws away "
            f"what {folder} holds."
        )
        raise


def _tell_how_to_sign_in(layout: Layout) -> None:
    from devtools.demo.cast import PEOPLE

    _say(f"\nKafka Console runs at {layout.url}   (Kafka itself at {layout.bootstrap_servers})\n")
    _say("Sign in as        password              who")
    for one in PEOPLE:
        _say(f"  {one.username:<15} {one.password:<21} {one.name}, {one.title}")
    _say(
        f"\nFor scripts: {layout.summary}   Logs: {layout.folder / 'logs'}\nCtrl-C stops all of it; `make demo` starts it again, `make demo-reset` afresh."
    )


def _folder() -> Path:
    """The demo's folder, marked as ours: `--reset` empties no other."""
    folder = Path(os.environ.get("DEMO_DIR", str(layouts.ROOT / ".demo"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / _MARK).exists():
        if any(folder.iterdir()):
            raise DemoRefused(f"{folder} holds other files: set DEMO_DIR to a new or an empty folder.")
        (folder / _MARK).touch()
    return folder


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One demo a folder: a second start there is refused, not half done."""
    with (folder / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DemoRefused(f"A demo runs in {folder} already: stop it, or set DEMO_DIR to another folder.") from None
        yield


def _throw_away(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name in {"lock", _MARK}:
            continue
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
