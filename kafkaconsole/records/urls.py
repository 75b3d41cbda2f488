"""Addresses of the records of a request, and of looks at a few records."""

from django.urls import path

from kafkaconsole.records import look_views, views

urlpatterns = [
    path("looks/new", look_views.new, name="look-new"),
    path("looks/ask", look_views.ask, name="look-ask"),
    path("looks/<int:look_id>", look_views.look, name="look"),
    path("skip-one", look_views.skip, name="skip-one"),
    path("requests/<int:request_id>/records", views.panel, name="records-panel"),
    path("requests/<int:request_id>/records/ask", views.ask, name="records-ask"),
    path("requests/<int:request_id>/records/<int:export_id>/cancel", views.cancel, name="records-cancel"),
    path("requests/<int:request_id>/records/<int:export_id>/download", views.download, name="records-download"),
]
