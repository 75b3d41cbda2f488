"""Every address of the console; each app names its own."""

from django.urls import include, path

urlpatterns = [
    path("", include("kafkaconsole.overview.urls")),
    path("", include("kafkaconsole.records.urls")),
    path("accounts/", include("allauth.urls")),
]
