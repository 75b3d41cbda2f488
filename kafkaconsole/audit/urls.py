"""Addresses of the record."""

from django.urls import path

from kafkaconsole.audit import views

urlpatterns = [
    path("audit", views.audit, name="audit"),
    path("audit/verify", views.verify, name="audit-verify"),
    path("audit/check", views.check, name="audit-check"),
    path("audit/events.csv", views.as_csv, name="audit-csv"),
    path("audit/events.jsonl", views.as_json_lines, name="audit-jsonl"),
]
