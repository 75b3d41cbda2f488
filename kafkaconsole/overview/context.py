"""What every page's shell needs: the count of what waits for this person, and which entries they have."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.queries import may_read_audit
from kafkaconsole.groups.claims.queries import waiting_for
from kafkaconsole.resets.queries import inbox_of


def shell(request: HttpRequest) -> dict[str, object]:
    """Facts for base.html. The count is only asked for when a page draws it."""
    facts: dict[str, object] = {"mail_is_set_up": settings.MAIL_IS_SET_UP, "provider": _provider()}
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return facts
    facts |= {"claims_for_me": waiting_for(user), "may_read_audit": may_read_audit(user)}
    return facts | {"waiting_for_me": SimpleLazyObject(lambda: inbox_of(user).count() + waiting_for(user).count())}


def _provider() -> str:
    """What the sign-in page calls the provider; empty: there is none."""
    return settings.OIDC_NAME if settings.OIDC_SERVER_URL else ""
