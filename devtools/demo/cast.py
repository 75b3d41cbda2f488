"""The people, teams and the cluster of the demo. Made once; a later start only brings addresses up to date."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from devtools.demo.layout import Layout, write_private
from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import GlobalRole, Scope, User
from kafkaconsole.clusters import actions as cluster_actions
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.groups import actions as group_actions
from kafkaconsole.groups.models import OwnershipKind, OwnershipRule
from kafkaconsole.teams.models import Membership, Team, TeamRole

CLUSTER = "demo"
TEAM_PREFIX = "billing"
_TOKEN_LIFE = timedelta(days=365)


@dataclass(frozen=True)
class Person:
    """One of the cast: how they sign in, and what they may do."""

    username: str
    name: str
    role: str
    title: str
    team: str | None = None
    team_role: str | None = None

    @property
    def password(self) -> str:
        """Known to all: the demo listens on this machine alone."""
        return f"{self.username}-demo-only"


PEOPLE = (
    Person("alice", "Alice Kim", GlobalRole.MEMBER, "member of Billing", "billing", TeamRole.MEMBER),
    Person("amir", "Amir Haddad", GlobalRole.MEMBER, "member of Billing", "billing", TeamRole.MEMBER),
    Person("bob", "Bob Stone", GlobalRole.MEMBER, "approver of Billing", "billing", TeamRole.APPROVER),
    Person("bora", "Bora Lee", GlobalRole.MEMBER, "approver of Billing", "billing", TeamRole.APPROVER),
    Person("carol", "Carol Weber", GlobalRole.ADMINISTRATOR, "administrator"),
    Person("dave", "Dave Okafor", GlobalRole.MEMBER, "member of Search", "search", TeamRole.MEMBER),
    Person("eve", "Eve Martin", GlobalRole.AUDITOR, "auditor"),
)
TEAMS = {"billing": "Billing", "search": "Search"}


def person(username: str) -> User:
    """One of the cast, as a row."""
    return User.objects.get(username=username)


@transaction.atomic
def gather_people() -> None:
    """Make the teams and the people, once; all of them or none."""
    for slug, name in TEAMS.items():
        Team.objects.get_or_create(slug=slug, defaults={"name": name})
    for one in PEOPLE:
        user, is_new = User.objects.get_or_create(
            username=one.username,
            defaults={"name": one.name, "role": one.role, "email": f"{one.username}@demo.invalid"},
        )
        if is_new:
            user.set_password(one.password)
            user.save()
        if one.team and one.team_role:
            Membership.objects.get_or_create(
                team=Team.objects.get(slug=one.team), user=user, defaults={"role": one.team_role}
            )


def register_cluster(layout: Layout) -> Cluster:
    """Register the demo's Kafka through the product's own action, and who owns which groups."""
    carol = person("carol")
    environment, _ = Environment.objects.get_or_create(
        slug="demo", defaults={"name": "Demo", "is_production": False, "may_read_messages": True}
    )
    connection = {"bootstrap_servers": layout.bootstrap_servers, "security_protocol": "PLAINTEXT"}
    cluster = Cluster.objects.filter(name=CLUSTER).first()
    if cluster is None:
        cluster = cluster_actions.add(
            by=carol, name=CLUSTER, title="Demo shop", environment=environment, connection=connection, secrets={}
        )
    elif cluster.bootstrap_servers != layout.bootstrap_servers:
        cluster = cluster_actions.change(cluster=cluster, by=carol, connection=connection)
    for prefix, slug in ((TEAM_PREFIX, "billing"), ("search", "search")):
        if not OwnershipRule.objects.filter(kind=OwnershipKind.PREFIX, pattern=prefix).exists():
            group_actions.add_ownership(
                by=carol, cluster=None, kind=OwnershipKind.PREFIX, pattern=prefix, team=Team.objects.get(slug=slug)
            )
    return cluster


def announce(layout: Layout) -> None:
    """Write demo.json for scripts; tokens are shown once, so those of an earlier start are kept."""
    kept = _kept_tokens(layout.summary)
    users = [
        {
            "name": one.username,
            "password": one.password,
            "role": one.title,
            "token": kept.get(one.username) or _token(one),
        }
        for one in PEOPLE
    ]
    facts = {
        "url": layout.url,
        "bootstrap_servers": layout.bootstrap_servers,
        "cluster": CLUSTER,
        "team_prefix": TEAM_PREFIX,
        "users": users,
    }
    write_private(layout.summary, json.dumps(facts, indent=2) + "\n")


def _kept_tokens(summary: Path) -> dict[str, str]:
    if not summary.exists():
        return {}
    tokens_by_name = {one["name"]: one["token"] for one in json.loads(summary.read_text())["users"]}
    return {name: plain for name, plain in tokens_by_name.items() if tokens.authenticate(plain) is not None}


def _token(one: Person) -> str:
    scopes = [Scope.READ] if one.role == GlobalRole.AUDITOR else [scope for scope in Scope]
    expires_at = timezone.now() + _TOKEN_LIFE
    return tokens.create(owner=person(one.username), name="demo", scopes=scopes, expires_at=expires_at)[1]
