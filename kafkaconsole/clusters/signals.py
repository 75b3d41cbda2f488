"""Told inside the transaction, to apps that stand above this one."""

from django.dispatch import Signal

cluster_removing = Signal()  # cluster: Cluster; a receiver that objects raises a Refused
cluster_moved = Signal()  # cluster: Cluster, which is in another environment now
