"""Apache Kafka's jars, gathered once by `devtools.kafka.jars`; here it is made sure that Java and Maven are there for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from devtools.setup import tools
from devtools.setup.errors import SetupRefused

_ARE_COMPLETE = "import sys; from devtools.kafka import jars; sys.exit(not jars.is_complete(jars.libs_folder()))"


def make(root: Path, python: Path) -> None:
    """Gather the jars with the environment's Python; once they are complete neither Maven nor a network is needed."""
    is_due = bool(subprocess.run([str(python), "-c", _ARE_COMPLETE], cwd=root, check=False).returncode)
    tools.require([tools.JAVA, tools.MAVEN] if is_due else [tools.JAVA])
    if is_due:
        print("Gathering Apache Kafka's jars with Maven …", file=sys.stderr, flush=True)
    command = [str(python), "-m", "devtools.kafka.jars"]
    if subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode:
        raise SetupRefused("Apache Kafka's jars could not be gathered: mend what it says above, then try again.")
