"""Reads of clusters, always for a person. Removed ones are never shown."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Cluster, ConnectionTest, Environment


def clusters_for(user: User | AnonymousUser) -> QuerySet[Cluster]:
    """Every registered cluster, for everyone who is signed in, with its environment."""
    if not (isinstance(user, User) and user.is_active):
        return Cluster.objects.none()
    return Cluster.objects.filter(is_active=True).select_related("environment")


def cluster_for(user: User | AnonymousUser, name: str) -> Cluster:
    """One cluster by its name, or Http404."""
    cluster = clusters_for(user).filter(name=name).first()
    if cluster is None:
        raise Http404(f"There is no cluster {name!r}.")
    return cluster


def environments() -> QuerySet[Environment]:
    """All environments, by name."""
    return Environment.objects.all()


def tests_of(cluster: Cluster) -> QuerySet[ConnectionTest]:
    """Connection tests, newest first."""
    return cluster.tests.select_related("asked_by")


def tests_left_behind(now: datetime) -> QuerySet[ConnectionTest]:
    """Tests that no worker has done although their time has come."""
    return ConnectionTest.objects.filter(done_at=None, nudge_at__lte=now)
