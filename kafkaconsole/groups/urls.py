"""Addresses of groups; one group's page joins several apps and lives in `overview`."""

from django.urls import path

from kafkaconsole.groups import ownership_views, views
from kafkaconsole.groups.claims import views as claims

urlpatterns = [
    path("groups", views.groups, name="groups"),
    path("ownership", ownership_views.ownership, name="ownership"),
    path("ownership/<int:rule_id>/remove", ownership_views.remove_ownership, name="ownership-remove"),
    path("claims", claims.claims, name="claims"),
    path("claims/new", claims.new, name="claim-new"),
    path("claims/<int:claim_id>/", claims.claim, name="claim"),
    path("claims/<int:claim_id>/grant", claims.grant, name="claim-grant"),
    path("claims/<int:claim_id>/reject", claims.reject, name="claim-reject"),
    path("claims/<int:claim_id>/withdraw", claims.withdraw, name="claim-withdraw"),
]
