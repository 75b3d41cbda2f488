"""Addresses of groups; one group's page joins several apps and lives in `overview`."""

from django.urls import path

from kafkaconsole.groups import ownership_views, views

urlpatterns = [
    path("groups", views.groups, name="groups"),
    path("ownership", ownership_views.ownership, name="ownership"),
    path("ownership/<int:rule_id>/remove", ownership_views.remove_ownership, name="ownership-remove"),
]
