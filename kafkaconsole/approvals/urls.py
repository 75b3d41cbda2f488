"""Addresses of policies."""

from django.urls import path

from kafkaconsole.approvals import views

urlpatterns = [
    path("policies", views.policies, name="policies"),
    path("policies/new", views.new, name="policy-new"),
    path("policies/try", views.try_out, name="policy-try"),
    path("policies/<int:policy_id>", views.policy, name="policy"),
    path("policies/<int:policy_id>/change", views.change, name="policy-change"),
    path("policies/<int:policy_id>/confirm", views.confirm, name="policy-confirm"),
    path("policies/<int:policy_id>/decline", views.decline, name="policy-decline"),
    path("policies/<int:policy_id>/off", views.switch_off, name="policy-off"),
]
