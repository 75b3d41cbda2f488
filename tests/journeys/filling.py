"""`python -m tests.journeys.filling FOLDER WEB KAFKA VALKEY`: the database of a console, ready for people.

A process of its own, so that the tests' process never opens that database through Django. It does what the demo does
at its start: migrations, static files, and the cast with its cluster and tokens, through the product's own actions.
"""

from __future__ import annotations

import sys
from pathlib import Path

import django
from django.core.management import call_command

from devtools.demo.layout import Layout, Ports


def main(folder: str, web: str, kafka: str, valkey: str) -> None:
    """Migrate, collect, make the people, and write the facts for scripts to `demo.json` in the folder."""
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    from devtools.demo import cast  # models: after django.setup()

    layout = Layout(folder=Path(folder), ports=Ports(web=int(web), kafka=int(kafka), valkey=int(valkey)))
    cast.gather_people()
    cast.register_cluster(layout)
    cast.announce(layout)


if __name__ == "__main__":
    main(*sys.argv[1:])
