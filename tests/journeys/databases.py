"""The database of a console under test: an SQLite file, or one of its own on the PostgreSQL that DATABASE_URL names.

`rows` reads it directly, for tests that must see a state the moment it is written; nothing here writes to it.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

Row = Sequence[object]


@dataclass(frozen=True)
class Database:
    """Where the console keeps its rows; `url` as DATABASE_URL has it."""

    url: str

    def rows(self, question: LiteralString, *facts: int | str) -> list[Row]:
        """Answer a SELECT with `?` for each fact, from outside, as it is now."""
        if self.url.startswith("sqlite"):
            address = f"file:{self.url.removeprefix('sqlite:///')}?mode=ro"
            with closing(sqlite3.connect(address, uri=True, timeout=5)) as connection:
                return list(connection.execute(question, facts).fetchall())
        with psycopg.connect(self.url, autocommit=True) as session:
            return list(session.execute(question.replace("?", "%s"), facts).fetchall())


@contextmanager
def new_database(folder: Path, server_url: str | None) -> Iterator[Database]:
    """A database for one console: on the PostgreSQL at `server_url`, dropped at the end, or a file in the folder."""
    if server_url is None or not server_url.startswith("postgres"):
        yield Database(f"sqlite:///{folder / 'console.sqlite3'}")
        return
    name = f"journeys_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as session:
        session.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield Database(f"{server_url.rpartition('/')[0]}/{name}")
        finally:
            session.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
