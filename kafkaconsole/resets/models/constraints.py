"""Conditions that several tables share."""

from __future__ import annotations

from django.db.models import Q


def not_negative(*fields: str) -> Q:
    """Each field is NULL or at least 0: Kafka's sentinels never reach a row."""
    condition = Q()
    for field in fields:
        condition &= Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gte": 0})
    return condition
