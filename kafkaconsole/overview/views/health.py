"""For probes and browsers by themselves: no sign-in, no Kafka."""

from __future__ import annotations

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the web process is up and the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return HttpResponse("the database does not answer\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """The console's mark, where browsers look for one by themselves."""
    return redirect(static("img/mark.svg"))
