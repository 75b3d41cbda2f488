"""Channels: list, add, change, test, remove. Addresses and keys go in and never come out; a key is shown on one answer."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.notifications import channels as verbs
from kafkaconsole.notifications import policies, queries
from kafkaconsole.notifications.forms import ChannelForm
from kafkaconsole.notifications.models import Channel
from kafkaconsole.notifications.topics import OF_CHANNELS
from kafkaconsole.teams.models import Team


@require_safe
@login_required
def channels(request: SignedInRequest) -> HttpResponse:
    """Those that the person may see."""
    facts = {"channels": queries.channels_for(request.user), "verdict": policies.may_add_channels(request.user)}
    return render(request, "notifications/channels.html", facts)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add(request: SignedInRequest) -> HttpResponse:
    """A new channel; its key is shown on this answer alone."""
    policies.may_add_channels(request.user).require()
    form = _form(request, None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        team = Team.objects.filter(slug=given.pop("team")).first()
        try:
            channel, key = verbs.add(by=request.user, team=team, **given)
            return _done(request, channel, key)
        except NotAllowed:
            raise
        except ConsoleError as error:
            form.refuse(error)
    return _draw(request, form, None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def channel(request: SignedInRequest, channel_id: int) -> HttpResponse:
    """One channel: change it, test it, remove it."""
    row = queries.channel_for(request.user, channel_id)
    form = _form(request, row)
    if request.method == "POST" and form.is_valid():
        try:
            new_key = bool(request.POST.get("new_key"))
            return _done(request, row, verbs.change(by=request.user, channel=row, new_key=new_key, **form.cleaned_data))
        except NotAllowed:
            raise
        except ConsoleError as error:
            form.refuse(error)
    return _draw(request, form, row)


@require_POST
@login_required
def test(request: SignedInRequest, channel_id: int) -> HttpResponse:
    """Send a test; the log says what became of it."""
    row = queries.channel_for(request.user, channel_id)
    verbs.test(by=request.user, channel=row)
    messages.success(request, _("A test is on its way. Its line below says what becomes of it."))
    return redirect("channel", channel_id=row.pk)


@require_POST
@login_required
def remove(request: SignedInRequest, channel_id: int) -> HttpResponse:
    """Take it out of use."""
    row = queries.channel_for(request.user, channel_id)
    verbs.remove(by=request.user, channel=row)
    messages.success(request, _("The channel %(name)s is removed, and its address forgotten.") % {"name": row})
    return redirect("channels")


def _form(request: SignedInRequest, row: Channel | None) -> ChannelForm:
    is_administrator = request.user.is_administrator
    teams = Team.objects.all() if is_administrator else queries.owned_by(request.user)
    start = {"team": request.GET.get("team", "")}
    if row is not None:
        start = {"name": row.name, "heard": [one.value for one in OF_CHANNELS if one not in row.muted]}  # type: ignore[dict-item]
    data = request.POST if request.method == "POST" else None
    return ChannelForm(data, initial=start, teams=teams, may_hear_all=is_administrator, is_new=row is None)


def _done(request: SignedInRequest, row: Channel, key: str) -> HttpResponse:
    if key:
        return render(request, "notifications/key.html", {"channel": row, "key": key})
    messages.success(request, _("Kept."))
    return redirect("channel", channel_id=row.pk)


def _draw(request: SignedInRequest, form: ChannelForm, row: Channel | None) -> HttpResponse:
    facts: dict[str, object] = {"form": form, "channel": row}
    if row is not None:
        facts["verdict"] = policies.may_change_channel(request.user, row)
        facts["deliveries"] = queries.deliveries_for(request.user, channel=row.pk)[:10]
    template = "notifications/channel.html" if row else "notifications/channel_new.html"
    return render(request, template, facts, status=422 if form.errors else 200)
