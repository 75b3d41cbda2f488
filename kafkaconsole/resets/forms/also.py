"""Further groups of a request form: the same change is asked for them too, each as a request of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.http import QueryDict
from django.utils.translation import gettext as _

from kafkaconsole.resets.actions.batching import MOST_GROUPS


@dataclass(frozen=True, slots=True)
class AlsoRow:
    """One further group as typed; without a cluster it is on the form's own."""

    cluster: str
    group: str

    def __str__(self) -> str:
        return f"{self.group} ({self.cluster})" if self.cluster else self.group


class AlsoRows:
    """The rows of one form, and what is wrong with them."""

    def __init__(self, sent: QueryDict) -> None:
        self.cluster, self.group = sent.get("cluster", ""), sent.get("group", "")
        pairs = zip_longest(sent.getlist("also_cluster"), sent.getlist("also_group"), fillvalue="")
        self.rows = [AlsoRow(str(cluster), str(group)) for cluster, group in pairs if str(group).strip()]

    @property
    def rows_to_type(self) -> list[AlsoRow]:
        """What was typed, and an empty row for more."""
        return [*self.rows, AlsoRow("", "")]

    def groups(self, known: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
        """(cluster, group) of each row, and what is wrong, each in a sentence. `known` are the clusters' names."""
        seen = {(self.cluster, self.group)}
        found: list[tuple[str, str]] = []
        problems: list[str] = []
        for row in self.rows:
            of = (row.cluster or self.cluster, row.group)
            if of[0] not in known:
                problems.append(_("%(row)s: choose its cluster.") % {"row": row})
            elif of in seen:
                problems.append(_("%(row)s is named twice: each group once.") % {"row": row})
            seen.add(of)
            found.append(of)
        if len(found) >= MOST_GROUPS:
            problems.append(_("%(n)s groups; at most %(most)s at once.") % {"n": len(found) + 1, "most": MOST_GROUPS})
        return found, problems
