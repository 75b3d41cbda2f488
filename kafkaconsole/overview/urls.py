"""Home and what joins several apps."""

from django.urls import path

from kafkaconsole.overview import group_names  # noqa: F401  registers the converter `any_group`
from kafkaconsole.overview.views import finding, groups, health, history, home

urlpatterns = [
    path("", home.home, name="home"),
    path("favicon.ico", health.icon),  # asked for by browsers that show no page, such as a file
    path("healthz", health.healthz, name="healthz"),
    path("search", finding.search, name="search"),
    path("history", history.history, name="history"),
    path("history/data/<slug:cluster>/<any_group:group>", history.data, name="group-history-data"),
    path("history/table/<slug:cluster>/<any_group:group>", history.table, name="group-history-table"),
    path("history/csv/<slug:cluster>/<any_group:group>", history.csv, name="group-history-csv"),
    path("groups/<slug:cluster>/<any_group:group>", groups.group, name="group"),
]
