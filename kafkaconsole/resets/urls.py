"""Addresses of requests and previews."""

from django.urls import path

from kafkaconsole.resets.views import asking, batching, deciding, moments, overriding, reading

urlpatterns = [
    path("requests", reading.requests, name="requests"),
    path("inbox", reading.inbox, name="inbox"),
    path("requests/new", asking.new, name="request-new"),
    path("requests/moment", moments.moment, name="moment"),
    path("previews/<uuid:preview_id>", asking.preview, name="preview"),
    path("batches/<int:batch_id>", batching.batch, name="batch"),
    path("batches/<int:batch_id>/approve", batching.approve, name="batch-approve"),
    path("requests/<int:request_id>", reading.detail, name="request"),
    path("requests/<int:request_id>/edit", asking.edit, name="request-edit"),
    path("requests/<int:request_id>/live", reading.live, name="request-live"),
    path("requests/<int:request_id>/since", reading.since, name="request-since"),
    path("requests/<int:request_id>/plan.csv", reading.plan_csv, name="request-plan-csv"),
    path("requests/<int:request_id>/approve", deciding.approve, name="request-approve"),
    path("requests/<int:request_id>/reject", deciding.reject, name="request-reject"),
    path("requests/<int:request_id>/withdraw", deciding.withdraw, name="request-withdraw"),
    path("requests/<int:request_id>/windows", overriding.set_windows_aside, name="request-windows"),
    path("requests/<int:request_id>/glass", overriding.break_glass, name="request-glass"),
    path("requests/<int:request_id>/cancel", deciding.cancel, name="request-cancel"),
    path("requests/<int:request_id>/replan", deciding.replan, name="request-replan"),
    path("requests/<int:request_id>/undo", deciding.undo, name="request-undo"),
    path("requests/<int:request_id>/comment", deciding.comment, name="request-comment"),
]
