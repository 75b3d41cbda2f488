"""Kafka Console: reviewed changes of consumer-group offsets, and their history."""

from kafkaconsole.celery import app as celery_app

__all__ = ["celery_app"]
