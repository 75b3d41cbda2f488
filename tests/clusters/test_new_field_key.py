"""FIELD_KEYS with a new key in front: everything stays readable, and can be written anew so that the old key may go."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet
from pytest_django.fixtures import Settings

from kafkaconsole.clusters import actions
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.encryption import SecretUnreadable
from tests.factories import Cast, make_cluster

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()
SECRET = {"password": "of-the-broker"}


@pytest.fixture
def cluster(db: None, settings: Settings) -> Cluster:
    """A cluster whose password was kept under the old key, which is the second by now."""
    settings.FIELD_KEYS = [OLD]
    made = make_cluster(secrets=SECRET)
    settings.FIELD_KEYS = [NEW, OLD]
    return Cluster.objects.get(pk=made.pk)


def test_with_the_new_key_in_front_the_old_secret_is_read(cluster: Cluster) -> None:
    assert cluster.secrets == SECRET


def test_a_cluster_that_is_saved_needs_the_old_key_no_more(cluster: Cluster, cast: Cast, settings: Settings) -> None:
    actions.change(cluster=cluster, by=cast.carol, title=cluster.title)
    settings.FIELD_KEYS = [NEW]
    assert Cluster.objects.get(pk=cluster.pk).secrets == SECRET


def test_the_command_of_the_how_to_writes_every_secret_anew(cluster: Cluster, settings: Settings) -> None:
    for one in Cluster.objects.all():
        one.save(update_fields=["secrets"])
    settings.FIELD_KEYS = [NEW]
    assert Cluster.objects.get(pk=cluster.pk).secrets == SECRET


def test_a_cluster_that_was_missed_says_so_and_gives_no_ciphertext(cluster: Cluster, settings: Settings) -> None:
    settings.FIELD_KEYS = [NEW]
    with pytest.raises(SecretUnreadable):
        Cluster.objects.get(pk=cluster.pk)
