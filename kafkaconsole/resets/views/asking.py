"""The page that asks for a reset, and the plan that appears on it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.accounts.middleware import ZONE_COOKIE
from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.display.sentences import sentence
from kafkaconsole.errors import ConsoleError
from kafkaconsole.groups import queries as groups
from kafkaconsole.groups.claims.policies import may_claim
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.standings import Standing
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.forms import prefill, revising
from kafkaconsole.resets.forms.asking import ChangeForm
from kafkaconsole.resets.forms.reasons import ReasonForm, WordsForm
from kafkaconsole.resets.forms.snapshots import snapshot_choices
from kafkaconsole.resets.forms.zones import zone_choices
from kafkaconsole.resets.models import Preview, ResetRequest
from kafkaconsole.resets.pages.preview import PreviewPage
from kafkaconsole.resets.pages.rules import rule_choices
from kafkaconsole.resets.pages.words import STRATEGIES
from kafkaconsole.teams.verdicts import Verdict
from kafkaconsole.words import shown

NAMES_OFFERED = 500
LONGEST_ID = 18
SLOW_AFTER = timedelta(seconds=20)
"""A preview that is not planned by then is told to be slow: perhaps no worker runs."""


@dataclass(frozen=True)
class Chosen:
    """The cluster and group that the form names so far, and what is known of them, for one person; `editing` is the
    request that is changed, None: a new one is asked for."""

    user: User
    clusters: list[Cluster]
    cluster: Cluster | None
    group_name: str
    group: ConsumerGroup | None
    standing: Standing | None
    verdict: Verdict | None
    editing: ResetRequest | None = None

    @property
    def names(self) -> list[str]:
        """Group names to offer while typing."""
        if self.cluster is None:
            return []
        return list(groups.groups_for(self.user, self.cluster).values_list("name", flat=True)[:NAMES_OFFERED])


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """The form; `do` says what a POST wants: `look` at another group, `preview` the plan, or `request` it."""
    sent = request.POST if request.method == "POST" else _start(request)
    chosen = _chosen(request, sent)
    do = sent.get("do", "") if request.method == "POST" else ""
    if do not in ("preview", "request"):
        return _draw(request, chosen, _form(request, chosen, start=sent), ReasonForm(initial=sent.dict()))
    form = _form(request, chosen)
    if do == "preview":
        return _preview(request, chosen, form)
    return _request(request, chosen, form)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: SignedInRequest, request_id: int) -> HttpResponse:
    """The same form for an open request: another change of its group. `do` is as for a new one."""
    reset = queries.request_for(request.user, request_id)
    policies.may_revise(request.user, reset).require()
    if request.method == "POST":
        request.POST = revising.of_its_group(request.POST, reset)  # type: ignore[assignment]  # the same, as a copy
    sent = request.POST if request.method == "POST" else revising.start(reset)
    chosen = replace(_chosen(request, sent), editing=reset)
    do = sent.get("do", "")
    if do not in ("preview", "request"):
        return _draw(request, chosen, _form(request, chosen, start=sent), WordsForm(initial=sent.dict()))
    form = _form(request, chosen)
    if do == "preview":
        return _preview(request, chosen, form)
    return _revise(request, chosen, form, reset)


def _revise(request: SignedInRequest, chosen: Chosen, form: ChangeForm, reset: ResetRequest) -> HttpResponse:
    reason = WordsForm(request.POST)
    if not (form.is_valid() & reason.is_valid()):
        return _draw_again(request, chosen, form, reason)
    try:
        actions.revise(request=reset, by=request.user, change_json=form.change, **reason.cleaned_data)
    except ConsoleError as error:
        form.add_error(None, shown(sentence(error.code, error.facts)))
        return _draw_again(request, chosen, form, reason)
    told = _("The request is changed. It is planned anew; what was signed does not count any more.")
    messages.success(request, told)
    return _gone_to(request, redirect("request", request_id=reset.pk))


@require_safe
@login_required
def preview(request: SignedInRequest, preview_id: uuid.UUID) -> HttpResponse:
    """The plan of the form as far as it is; the page asks again until it is there."""
    page = _page_of(request, queries.preview_for(request.user, preview_id))
    if request.headers.get("HX-Request") and request.GET.get("short"):
        return render(request, "resets/_preview_short.html", {"preview": page})
    template = "resets/_preview.html" if request.headers.get("HX-Request") else "resets/preview.html"
    facts: dict[str, object] = {"preview": page, "oob_rules": bool(request.headers.get("HX-Request"))}
    verdict = policies.may_request(request.user, page.row.cluster, str(page.row.change["group"]))
    facts["why_not_ask"] = verdict.reason or page.why_not_ask
    return render(request, template, facts)


def _start(request: SignedInRequest) -> QueryDict:
    """What the address says; `?again=ID` is the change of an earlier request, `?stable=ID` a preview's plan that ends
    before open transactions."""
    if stable := request.GET.get("stable"):
        return _stable(request, stable)
    again = request.GET.get("again", "")
    if not (again.isascii() and again.isdecimal()) or len(again) > LONGEST_ID:
        return request.GET
    return prefill.query_of(queries.request_for(request.user, int(again)))


def _stable(request: SignedInRequest, preview_id: str) -> QueryDict:
    try:
        plan = queries.preview_for(request.user, uuid.UUID(preview_id)).plan
    except ValueError:
        raise Http404("This is no preview.") from None
    return request.GET if plan is None else prefill.at_last_stable(plan)


def _preview(request: SignedInRequest, chosen: Chosen, form: ChangeForm) -> HttpResponse:
    reason = (WordsForm if chosen.editing else ReasonForm)(initial=request.POST.dict())
    if not form.is_valid():
        return _draw(request, chosen, form, reason, status=422)
    try:
        with transaction.atomic():
            made, *others = [actions.preview(by=request.user, change_json=change) for change in form.changes]
    except ConsoleError as error:
        form.add_error(None, shown(sentence(error.code, error.facts)))
        return _draw(request, chosen, form, reason, status=422)
    pages = [_page_of(request, one) for one in others]
    return _draw(request, chosen, form, reason, preview=_page_of(request, made), others=pages)


def _request(request: SignedInRequest, chosen: Chosen, form: ChangeForm) -> HttpResponse:
    reason = ReasonForm(request.POST)
    if not (form.is_valid() & reason.is_valid()):
        return _draw_again(request, chosen, form, reason)
    try:
        answer = _asked(request, form, reason)
    except ConsoleError as error:
        form.add_error(None, shown(sentence(error.code, error.facts)))
        return _draw_again(request, chosen, form, reason)
    return _gone_to(request, answer)


def _gone_to(request: SignedInRequest, answer: HttpResponse) -> HttpResponse:
    """A redirect that htmx follows as a page of its own."""
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204, headers={"HX-Redirect": answer["Location"]})
    return answer


def _draw_again(
    request: SignedInRequest, chosen: Chosen, form: ChangeForm, reason: ReasonForm | WordsForm
) -> HttpResponse:
    """The form with its errors, and the plans that stood on the page: they were computed and are still the person's."""
    made = _kept(request, "preview", [form.change])
    others = _kept(request, "other_preview", form.further)
    return _draw(request, chosen, form, reason, preview=made[0] if made else None, others=others, status=422)


def _kept(request: SignedInRequest, name: str, changes: Sequence[dict[str, object]]) -> list[PreviewPage]:
    found = []
    for key in request.POST.getlist(name):
        with suppress(Http404):
            row = queries.preview_for(request.user, key)
            found.append(replace(_page_of(request, row), is_outdated=row.change not in changes))
    return found


def _asked(request: SignedInRequest, form: ChangeForm, reason: ReasonForm) -> HttpResponse:
    """Make the request, or the batch of them, and go to its page."""
    if form.further:
        batch = actions.request_batch(by=request.user, changes=form.changes, **reason.cleaned_data)
        told = _("%(n)s requests are made. Each is planned now, then waits for sign-off.")
        messages.success(request, told % {"n": len(form.changes)})
        return redirect("batch", batch_id=batch.pk)
    made = actions.request(by=request.user, change_json=form.change, **reason.cleaned_data)
    told = _("Request %(id)s is made. It is planned now, then it waits for sign-off.")
    messages.success(request, told % {"id": made.pk})
    return redirect("request", request_id=made.pk)


def _form(request: SignedInRequest, chosen: Chosen, *, start: QueryDict | None = None) -> ChangeForm:
    """The form as sent, or as it starts."""
    cluster_zone = chosen.cluster.time_zone if chosen.cluster else ""
    return ChangeForm(
        request.POST if start is None else None,
        request.FILES if start is None else None,
        start=start,
        clusters=[(one.name, str(one)) for one in chosen.clusters],
        standing=chosen.standing,
        snapshots=snapshot_choices(chosen.cluster, chosen.group_name) if chosen.verdict else (),
        zones=zone_choices(browser=request.COOKIES.get(ZONE_COOKIE, ""), cluster=cluster_zone),
    )


def _chosen(request: SignedInRequest, sent: QueryDict) -> Chosen:
    clusters = list(clusters_for(request.user))
    cluster = next((one for one in clusters if one.name == sent.get("cluster")), None)
    if cluster is None and not sent.get("cluster") and len(clusters) == 1:
        cluster = clusters[0]
    name = sent.get("group", "")
    if cluster is None or not name:
        return Chosen(request.user, clusters, cluster, name, None, None, None)
    verdict = policies.may_request(request.user, cluster, name)
    try:
        group = groups.group_for(request.user, cluster, name)
    except Http404:
        return Chosen(request.user, clusters, cluster, name, None, None, verdict)
    return Chosen(request.user, clusters, cluster, name, group, history.standing(group), verdict)


def _page_of(request: SignedInRequest, made: Preview) -> PreviewPage:
    waited = timezone.now() - made.created_at
    return PreviewPage(made, request.GET.dict(), is_slow=waited > SLOW_AFTER)


def _draw(
    request: SignedInRequest,
    chosen: Chosen,
    form: ChangeForm,
    reason: ReasonForm | WordsForm,
    *,
    preview: PreviewPage | None = None,
    others: Sequence[PreviewPage] = (),
    status: int = 200,
) -> HttpResponse:
    given = {name: form[name].value() for name in ("no_commit", "no_record_after", "out_of_range")}
    rules = preview.rules if preview else rule_choices(given, None)
    facts = {"chosen": chosen, "form": form, "reason": reason, "preview": preview, "rules": rules}
    facts["editing"] = chosen.editing
    facts |= {"strategies": STRATEGIES, "others": others}
    facts["locked"] = policies.may_request_somewhere(request.user).reason
    verdict = chosen.verdict.reason if chosen.verdict is not None else ""
    facts["why_not_ask"] = verdict or (preview.why_not_ask if preview else "")
    facts["near"] = _near(chosen)
    facts["may_claim"] = bool(chosen.cluster and verdict and may_claim(chosen.user, chosen.cluster, chosen.group_name))
    template = "resets/_new.html" if request.headers.get("HX-Request") else "resets/new.html"
    return render(request, template, facts, status=status)


def _near(chosen: Chosen) -> list[str]:
    if chosen.cluster is None or not _is_new(chosen):
        return []
    return groups.near_names(chosen.user, chosen.cluster, chosen.group_name)


def _is_new(chosen: Chosen) -> bool:
    """A name that no sweep has seen."""
    return bool(chosen.group_name) and chosen.group is None
