"""Reads of batches, always for a person: of a batch they see the requests that they may see."""

from __future__ import annotations

from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import rights
from kafkaconsole.resets import queries
from kafkaconsole.resets.models import Batch, ResetRequest


def batch_for(user: User, batch_id: int) -> Batch:
    """A batch with a request that the person may see, or Http404."""
    batch = Batch.objects.select_related("by").filter(pk=batch_id).first()
    if batch is None or not queries.requests_for(user).filter(batch=batch).exists():
        raise Http404(f"There is no batch {batch_id} that you may see.")
    return batch


def requests_of(user: User, batch: Batch) -> list[ResetRequest]:
    """Its requests that the person may see, in the order they were asked."""
    found = queries.requests_for(user).filter(batch=batch)
    return list(found.prefetch_related(queries.NEEDS).order_by("pk"))


def unseen_count(user: User, batch: Batch) -> int:
    """How many further requests it has, of teams that the person is not of; of what an environment does not show to them
    not even the number is told."""
    seen = queries.requests_for(user).filter(batch=batch).values("pk")
    return batch.requests.exclude(rights.unseen(user)).exclude(pk__in=seen).count()
