"""Looking at a few records: from a plan's line, or from a group to skip one."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.queries import cluster_for
from kafkaconsole.display import sentences
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.groups import queries as groups
from kafkaconsole.history import queries as history
from kafkaconsole.history.standings import StandingLine
from kafkaconsole.records import contents, look_actions, queries
from kafkaconsole.records.look_forms import FIRST, PlaceForm
from kafkaconsole.records.look_models import LookState, RecordLook
from kafkaconsole.records.skipping import skip_of
from kafkaconsole.resets import policies
from kafkaconsole.resets import queries as reset_queries
from kafkaconsole.resets.reading_rights import may_look_at_records
from kafkaconsole.teams.verdicts import Verdict
from kafkaconsole.words import shown


@require_safe
@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """The form for one place; in the dialog it sends itself, so that one press shows the records."""
    form = PlaceForm(initial=FIRST | {name: value for name, value in request.GET.items() if value})
    return _draw_form(request, form)


@require_POST
@login_required
def ask(request: SignedInRequest) -> HttpResponse:
    """Start a look and go to it."""
    form = PlaceForm(request.POST)
    if not form.is_valid():
        return _draw_form(request, form, status=422)
    try:
        look = _start(request, form)
    except NotAllowed:
        raise
    except ConsoleError as error:
        form.add_error(None, shown(sentences.sentence(error.code, error.facts)))
        return _draw_form(request, form, status=422)
    return redirect("look", look_id=look.pk)


@require_safe
@login_required
def look(request: SignedInRequest, look_id: int) -> HttpResponse:
    """The records as far as they are read; `?view=` is text, json or hex."""
    row = queries.look_for(request.user, look_id)
    _verdict(request, row.request_id, row.cluster.name, row.group_name).require()
    records = contents.unpacked(bytes(row.records)) if row.state == LookState.READY else []
    view = request.GET.get("view", "")
    facts = {
        "look": row,
        "records": records,
        "view": view if view in contents.VIEWS else _best_view(records),
        "views": contents.VIEWS,
        "skip": skip_of(row, records, _standing(request, row)) if row.for_skip and not row.is_waiting else None,
        "form": PlaceForm(initial=_again(row)),
    }
    template = "records/_look.html" if request.headers.get("HX-Request") else "records/look.html"
    return render(request, template, facts)


@require_safe
@login_required
def skip(request: SignedInRequest) -> HttpResponse:
    """Choose the partition and the record to skip; the record is looked at before a plan is made."""
    cluster = cluster_for(request.user, request.GET.get("cluster", ""))
    group = groups.group_for(request.user, cluster, request.GET.get("group", ""))
    lines = [line for line in history.standing(group).lines if line.committed is not None]
    wanted = request.GET.get("place", "")
    chosen = next((line for line in lines if f"{line.topic}:{line.partition}" == wanted), None)
    start = {"cluster": cluster.name, "group": group.name, "before": "2", "after": "5"}
    if chosen is not None:
        start |= {"topic": chosen.topic, "partition": str(chosen.partition), "offset": str(chosen.committed)}
    verdict = may_look_at_records(request.user, cluster, group.name)
    facts = {"group": group, "lines": lines, "chosen": chosen, "form": PlaceForm(initial=start), "verdict": verdict}
    return render(request, "records/skip.html", facts)


def _start(request: SignedInRequest, form: PlaceForm) -> RecordLook:
    given = form.cleaned_data
    if given["request"]:
        reset = reset_queries.request_for(request.user, given["request"])
        return look_actions.look_at_plan(request=reset, by=request.user, place=form.place())
    return look_actions.look_at_group(
        cluster=cluster_for(request.user, given["cluster"]),
        group_name=given["group"],
        by=request.user,
        place=form.place(),
        for_skip=bool(request.POST.get("skip")),
    )


def _draw_form(request: SignedInRequest, form: PlaceForm, status: int = 200) -> HttpResponse:
    is_part = bool(request.headers.get("HX-Request"))
    number = str(form["request"].value() or "")
    known = int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else None
    verdict = _verdict(request, known, str(form["cluster"].value() or ""), str(form["group"].value() or ""))
    facts = {"form": form, "verdict": verdict, "sends_itself": is_part and not form.is_bound}
    return render(request, "records/_look_form.html" if is_part else "records/look_new.html", facts, status=status)


def _verdict(request: SignedInRequest, request_id: int | None, cluster: str, group: str) -> Verdict:
    """The right to read, asked anew for every page: it may have been withdrawn."""
    if request_id:
        return policies.may_read_records(request.user, reset_queries.request_for(request.user, request_id))
    return may_look_at_records(request.user, cluster_for(request.user, cluster), group)


def _best_view(records: list[contents.ShownRecord]) -> str:
    """JSON where every value shown is JSON, text where every one is text, else hex."""
    values = [one.value for one in records if one.value.first]
    if values and all(one.tree is not None and one.tree.children for one in values):
        return "json"
    return "text" if all(one.is_text for one in values) else "hex"


def _standing(request: SignedInRequest, row: RecordLook) -> StandingLine | None:
    try:
        group = groups.group_for(request.user, row.cluster, row.group_name)
    except Http404:
        return None
    lines = history.standing(group).lines
    return next((line for line in lines if (line.topic, line.partition) == (row.topic, row.partition)), None)


def _again(row: RecordLook) -> dict[str, object]:
    fields = ("topic", "partition", "offset", "before", "after")
    place: dict[str, object] = {field: getattr(row, field) for field in fields}
    return place | {"request": row.request_id or "", "cluster": row.cluster.name, "group": row.group_name}
