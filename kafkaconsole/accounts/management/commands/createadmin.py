"""`manage.py createadmin NAME`: makes the first administrator; the password is asked for, or read from a file."""

from __future__ import annotations

import getpass
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from kafkaconsole.accounts import actions


class Command(BaseCommand):
    """Make an administrator."""

    help = "Make an administrator. The password is asked for, or read from --password-file (- is standard input)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Never the password itself: arguments are seen by everyone on the machine."""
        parser.add_argument("username")
        parser.add_argument("--name", default="", help="as pages show it")
        parser.add_argument("--email", default="")
        parser.add_argument("--password-file", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make, or say what is wrong."""
        try:
            password = self._password(options["password_file"])
            user = actions.create_administrator(
                username=options["username"], password=password, name=options["name"], email=options["email"]
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except OSError as error:
            raise CommandError(f"The password file cannot be read: {error.strerror}") from error
        self.stdout.write(f"{user.username} is an administrator and can sign in.")

    def _password(self, file: str) -> str:
        if file == "-":
            return input()
        if file:
            return Path(file).read_text(encoding="utf-8").strip()
        first, second = getpass.getpass("Password: "), getpass.getpass("Again: ")
        if first != second:
            raise CommandError("The two passwords are not the same.")
        return first
