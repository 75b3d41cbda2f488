"""Addresses of the API."""

from django.urls import path

from kafkaconsole.api import views
from kafkaconsole.api.site import build

api = build()

urlpatterns = [
    path("api/v1/docs", views.docs(api), name="api-docs"),
    path("api/v1/", api.urls),
]
