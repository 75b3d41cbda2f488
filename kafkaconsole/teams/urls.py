"""Addresses of teams."""

from django.urls import path

from kafkaconsole.teams import away, views

urlpatterns = [
    path("teams", views.teams, name="teams"),
    path("teams/<slug:slug>/", views.team, name="team"),
    path("teams/<slug:slug>/members/remove", views.remove_member, name="team-member-remove"),
    path("teams/<slug:slug>/remove", views.remove, name="team-remove"),
    path("profile/away", away.away, name="away"),
    path("profile/away/<int:delegation_id>/end", away.end, name="away-end"),
]
