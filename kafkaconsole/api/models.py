"""What the API keeps of its own: answers to writes that carried an Idempotency-Key."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class IdempotencyRecord(models.Model):
    """The answer to the first call with a key. Written in the transaction of the call itself: either both or none.

    `fingerprint` is a keyed hash of method, path and body, for bodies may hold passwords.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    call = models.CharField(max_length=2100)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True)
    location = models.CharField(max_length=2100, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_person_and_key")]
        indexes = [models.Index(fields=["created_at"])]

    def __str__(self) -> str:
        return f"{self.key}: {self.call}"
