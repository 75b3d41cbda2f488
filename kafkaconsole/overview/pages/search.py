"""One search over groups, requests, clusters, teams and the console's own pages."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.queries import may_read_audit
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.groups.queries import groups_for
from kafkaconsole.resets.pages.listing import Summary, summaries
from kafkaconsole.resets.queries import requests_for
from kafkaconsole.teams.models import Team
from kafkaconsole.teams.queries import teams_for

SHOWN = 20
SHOWN_REQUESTS = 5
LARGEST_NUMBER = 2**63 - 1

PAGES: tuple[tuple[str, str | Promise], ...] = (
    ("home", _("Home")),
    ("groups", _("Groups")),
    ("requests", _("Requests")),
    ("request-new", _("Ask for a reset")),
    ("inbox", _("Inbox")),
    ("history", _("History")),
    ("clusters", _("Clusters")),
    ("teams", _("Teams")),
    ("profile", _("Profile and tokens")),
    ("audit", _("Audit")),
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the console."""

    label: str
    address: str


@dataclass(frozen=True)
class Found:
    """What a text leads to. `more_groups`: there are more than are shown."""

    text: str
    groups: list[ConsumerGroup] = field(default_factory=list)
    more_groups: bool = False
    requests: list[Summary] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    teams: list[Team] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Nothing at all."""
        return not (self.groups or self.requests or self.clusters or self.teams or self.pages)


def find(user: User, text: str) -> Found:
    """What the person may see of what the text may mean: part of a name, or a request's number (`142`, `#142`)."""
    text = text.strip()
    if not text or "\0" in text:
        return Found(text)
    groups = list(groups_for(user, search=text)[: SHOWN + 1])
    folded = text.casefold()
    return Found(
        text=text,
        groups=groups[:SHOWN],
        more_groups=len(groups) > SHOWN,
        requests=_requests(user, text),
        clusters=[one for one in clusters_for(user) if folded in f"{one.name} {one.title}".casefold()],
        teams=[one for one in teams_for(user) if folded in f"{one.slug} {one.name}".casefold()],
        pages=[one for one in _pages(user) if folded in one.label.casefold()],
    )


def _requests(user: User, text: str) -> list[Summary]:
    """The request of that number first, then those of a group of exactly that name."""
    seen = requests_for(user)
    number = text.removeprefix("#")
    found = []
    if number.isascii() and number.isdecimal() and int(number) <= LARGEST_NUMBER:
        found = list(seen.filter(pk=int(number)))
    return summaries([*found, *seen.filter(group_name=text)[:SHOWN_REQUESTS]])


def _pages(user: User) -> list[Page]:
    names = [(name, label) for name, label in PAGES if name != "audit" or may_read_audit(user)]
    return [Page(str(label), reverse(name)) for name, label in names]
