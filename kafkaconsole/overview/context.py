"""What every page's shell needs: the navigation and the count of what waits for this person."""

from __future__ import annotations

from django.http import HttpRequest


def shell(request: HttpRequest) -> dict[str, object]:
    """Facts for base.html."""
    return {"zone_cookie": "zone"}
