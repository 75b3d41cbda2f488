"""Carrying out an approved plan on a cluster, and finding out afterwards what is true.

`checks` reads and compares, `claims` holds the attempt, `writing` holds the only call that writes to Kafka,
`settling` ends what has no clear answer, `outcomes` says what it all came to. docs/decisions/0006.
"""

from kafkaconsole.resets.execution.claims import LeaseLost
from kafkaconsole.resets.execution.writing import carry_out

__all__ = ["LeaseLost", "carry_out"]
