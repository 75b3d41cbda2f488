"""Every address of the console; each app names its own."""

from django.urls import include, path

urlpatterns = [
    path("", include("kafkaconsole.overview.urls")),
    path("", include("kafkaconsole.groups.urls")),
    path("", include("kafkaconsole.clusters.urls")),
    path("", include("kafkaconsole.audit.urls")),
    path("", include("kafkaconsole.teams.urls")),
    path("", include("kafkaconsole.approvals.urls")),
    path("", include("kafkaconsole.accounts.urls")),
    path("", include("kafkaconsole.records.urls")),
    path("", include("kafkaconsole.notifications.urls")),
    path("", include("kafkaconsole.resets.urls")),
    path("", include("kafkaconsole.api.urls")),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]

handler400 = "kafkaconsole.overview.views.refusals.bad_request"
