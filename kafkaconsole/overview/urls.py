"""Home and what joins several apps."""

from django.urls import path

from kafkaconsole.overview import views

urlpatterns = [path("healthz", views.healthz, name="healthz")]
