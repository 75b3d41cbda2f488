"""`python -m devtools.servers COMMAND …`: run a command with a throw-away PostgreSQL and Valkey in its environment.

For work on a few tests: `.venv/bin/python -m devtools.servers .venv/bin/python -m pytest tests/resets`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from devtools.servers.errors import ServerError
from devtools.servers.postgres import Postgres
from devtools.servers.valkey import Valkey


def main(command: Sequence[str]) -> int:
    """Run the command; give its exit code."""
    if not command:
        print("Say which command to run with the servers.", file=sys.stderr)
        return 2
    try:
        with Postgres() as postgres, Valkey() as valkey:
            environment = {**os.environ, "DATABASE_URL": postgres.url, "CELERY_BROKER_URL": valkey.url}
            return subprocess.run(command, env=environment, check=False).returncode
    except ServerError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
