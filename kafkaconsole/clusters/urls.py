"""Addresses of clusters."""

from django.urls import path

from kafkaconsole.clusters import rights_views, views

urlpatterns = [
    path("rights", rights_views.all_rights, name="rights"),
    path("clusters", views.clusters, name="clusters"),
    path("clusters/new", views.new, name="cluster-new"),
    path("clusters/<slug:name>/", views.cluster, name="cluster"),
    path("clusters/<slug:name>/edit", views.edit, name="cluster-edit"),
    path("clusters/<slug:name>/test", views.test, name="cluster-test"),
    path("clusters/<slug:name>/remove", views.remove, name="cluster-remove"),
]
