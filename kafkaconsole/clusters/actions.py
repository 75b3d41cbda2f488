"""Setting up clusters: permission, change and record in one transaction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from zoneinfo import available_timezones

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.text import slugify

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters import policies, signals
from kafkaconsole.clusters.errors import BadCluster, ClusterRemoved
from kafkaconsole.clusters.models import Cluster, ConnectionTest, Environment
from kafkaconsole.clusters.reaching import CONNECTION, SECRETS, connection_of
from kafkaconsole.kafka.client_settings import parse_settings
from kafkaconsole.words import words

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


@transaction.atomic
def add(
    *,
    by: User,
    name: str,
    title: str,
    environment: Environment,
    connection: Mapping[str, object],
    secrets: Mapping[str, str],
    time_zone: str = "",
) -> Cluster:
    """Register a cluster. `connection` has the fields CONNECTION, `secrets` those of SECRETS; others are refused.

    Raises BadCluster for a name or a zone that is taken or cannot be used, UnsafeSetting for a setting.
    """
    policies.may_administer(by).require()
    if not NAME.fullmatch(name):
        raise BadCluster(field="name", found=name, expected=words("small letters, digits, - and _, at most 60"))
    if Cluster.objects.filter(name=name, is_active=True).exists():
        raise BadCluster(field="name", found=name, expected=words("a name that no other cluster has"))
    cluster = Cluster(name=name, environment=environment)
    _set_title(cluster, title)
    _set_time_zone(cluster, time_zone)
    _set_connection(cluster, connection, secrets)
    cluster.save()
    audit.record("cluster.added", actor=by, target=cluster, facts=_shown(cluster))
    nudge.after_commit(nudge.Nudge.SWEEP, cluster_id=cluster.pk)
    return cluster


@transaction.atomic
def add_environment(*, by: User, name: str, is_production: bool) -> Environment:
    """A new environment; its slug is made of its name. Raises BadCluster for a name that is taken or gives no slug."""
    policies.may_administer(by).require()
    name, slug = name.strip(), slugify(name)[:50]
    if not slug or len(name) > 60:
        raise BadCluster(
            field="new_environment", found=name, expected=words("1 to 60 characters, some of them a to z or 0 to 9")
        )
    if Environment.objects.filter(Q(slug=slug) | Q(name=name)).exists():
        raise BadCluster(field="new_environment", found=name, expected=words("a name that no other environment has"))
    environment = Environment.objects.create(slug=slug, name=name, is_production=is_production)
    audit.record("environment.added", actor=by, target=environment, facts={"is_production": is_production})
    return environment


@transaction.atomic
def change(
    *,
    cluster: Cluster,
    by: User,
    title: str | None = None,
    environment: Environment | None = None,
    connection: Mapping[str, object] | None = None,
    secrets: Mapping[str, str] | None = None,
    time_zone: str | None = None,
) -> Cluster:
    """Change what is given; a secret that is empty or not given stays. Kafka's own id stays pinned."""
    policies.may_administer(by).require()
    row = _locked(cluster)
    before = _shown(row)
    if title is not None:
        _set_title(row, title)
    if time_zone is not None:
        _set_time_zone(row, time_zone)
    if environment is not None:
        row.environment = environment
    if connection is not None or secrets:
        _set_connection(row, {**connection_of(row), **(connection or {})}, secrets or {})
    row.save()
    changed = {field: [before[field], value] for field, value in _shown(row).items() if before[field] != value}
    given = sorted(field for field in SECRETS if (secrets or {}).get(field))
    if "environment" in changed:
        signals.cluster_moved.send(Cluster, cluster=row)
    audit.record("cluster.changed", actor=by, target=row, facts={"changed": changed, "secrets_changed": given})
    return row


@transaction.atomic
def remove(*, cluster: Cluster, by: User) -> None:
    """Take a cluster out: its secrets are gone, its requests and history stay. Raises ClusterInUse."""
    policies.may_administer(by).require()
    row = _locked(cluster)
    signals.cluster_removing.send(Cluster, cluster=row)
    row.is_active, row.secrets = False, {}
    row.save(update_fields=["is_active", "secrets"])
    audit.record("cluster.removed", actor=by, target=row, facts={"name": row.name})


@transaction.atomic
def ask_for_test(*, cluster: Cluster, by: User) -> ConnectionTest:
    """Let a worker test the connection; the row gets the report."""
    policies.may_administer(by).require()
    test = ConnectionTest.objects.create(
        cluster=_locked(cluster), asked_by=by, nudge_at=timezone.now() + settings.NUDGE_AFTER
    )
    nudge.after_commit(nudge.Nudge.TEST_CLUSTER, test_id=test.pk)
    return test


def _set_title(cluster: Cluster, title: str) -> None:
    title = title.strip()
    if not 1 <= len(title) <= 120:
        raise BadCluster(field="title", found=title, expected=words("1 to 120 characters"))
    cluster.title = title


def _set_time_zone(cluster: Cluster, name: str) -> None:
    if name and name not in available_timezones():
        raise BadCluster(field="time_zone", found=name, expected=words("an IANA time zone such as Asia/Seoul, or none"))
    cluster.time_zone = name


def _set_connection(cluster: Cluster, connection: Mapping[str, object], secrets: Mapping[str, str]) -> None:
    for field in [*(set(connection) - set(CONNECTION)), *(set(secrets) - set(SECRETS))]:
        raise BadCluster(
            field=field, found=field, expected=words("one of {names}", names=", ".join((*CONNECTION, *SECRETS)))
        )
    kept = {**cluster.secrets, **{field: value for field, value in secrets.items() if value}}
    parsed = parse_settings({**connection, **kept})
    cluster.bootstrap_servers = ",".join(parsed.bootstrap_servers)
    cluster.security_protocol = parsed.security_protocol
    cluster.sasl_mechanism, cluster.sasl_username = parsed.sasl_mechanism, parsed.username
    cluster.ca_pem, cluster.certificate_pem = parsed.ca_pem, parsed.certificate_pem
    cluster.check_hostname = parsed.check_hostname
    cluster.secrets = {field: value for field in SECRETS if (value := getattr(parsed, field))}


def _shown(cluster: Cluster) -> dict[str, object]:
    """What the record may say of a cluster: never a secret, and of certificates only that they are there."""
    facts = connection_of(cluster) | {"title": cluster.title, "environment": cluster.environment.slug}
    facts |= {"time_zone": cluster.time_zone}
    return facts | {field: bool(facts[field]) for field in ("ca_pem", "certificate_pem")}


def _locked(cluster: Cluster) -> Cluster:
    row = Cluster.objects.select_for_update().get(pk=cluster.pk)
    if not row.is_active:
        raise ClusterRemoved(cluster=row.name)
    return row
