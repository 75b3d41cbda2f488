"""Addresses of the records of a request."""

from django.urls import path

from kafkaconsole.records import views

urlpatterns = [
    path("requests/<int:request_id>/records", views.panel, name="records-panel"),
    path("requests/<int:request_id>/records/ask", views.ask, name="records-ask"),
    path("requests/<int:request_id>/records/<int:export_id>/cancel", views.cancel, name="records-cancel"),
    path("requests/<int:request_id>/records/<int:export_id>/download", views.download, name="records-download"),
]
