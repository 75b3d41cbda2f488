"""What is typed about a policy, and what the tester is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.accounts.forms import RefusableForm
from kafkaconsole.approvals import drafts, kinds, lengths
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.approvals.quorum import Least, Need, Of
from kafkaconsole.approvals.risk import LEVELS, Level, PlanFacts
from kafkaconsole.approvals.terms import OVERRIDERS, OverrideBy, Terms
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.clusters.queries import environments
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.teams.models import Team

GROUPS = [("", lazy("all groups")), ("name", lazy("exactly")), ("prefix", lazy("beginning with"))]
ROLES = [(Least.APPROVER.value, lazy("approvers or owners")), (Least.OWNER.value, lazy("owners"))]


class LengthField(forms.CharField):
    """A length of time like `2d 4h 30min`, or nothing."""

    def clean(self, value: object) -> timedelta | None:
        """Raises ValidationError for another text."""
        text = str(super().clean(value) or "")
        if not text:
            return None
        length = lengths.read(text)
        if length is None:
            raise forms.ValidationError(_("Write it like 2d 4h 30min."))
        return length


class LinesField(forms.CharField):
    """Lines of text; empty ones do not count."""

    def clean(self, value: object) -> tuple[str, ...]:
        """Each line without the space around it."""
        text = str(super().clean(value) or "")
        return tuple(line.strip() for line in text.splitlines() if line.strip())


class PolicyForm(RefusableForm):
    """Everything that a version says. After is_valid `draft()` gives it."""

    name = forms.CharField(label=lazy("Name"), max_length=80)
    environment = forms.ModelChoiceField(
        label=lazy("Environment"), queryset=Environment.objects.none(), required=False, empty_label=lazy("any")
    )
    cluster = forms.ModelChoiceField(
        label=lazy("Cluster"), queryset=Cluster.objects.none(), required=False, empty_label=lazy("any")
    )
    team = forms.ModelChoiceField(
        label=lazy("Owning team"), queryset=Team.objects.none(), required=False, empty_label=lazy("any")
    )
    group_kind = forms.ChoiceField(label=lazy("Groups"), choices=GROUPS, required=False)
    group_pattern = forms.CharField(
        label=lazy("Their name"),
        max_length=LONGEST_GROUP_NAME,
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    strategies = forms.MultipleChoiceField(
        label=lazy("Strategies (none chosen: all)"),
        choices=kinds.KINDS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    level = forms.ChoiceField(label=lazy("Risk"), choices=list(LEVELS.items()))
    requester_may_count = forms.BooleanField(
        label=lazy("Whoever asked may be one of those who sign, if they have the role"), required=False
    )
    last_editor_may_count = forms.BooleanField(
        label=lazy("Whoever changed the request last may be one of those who sign, if they have the role"),
        required=False,
    )
    reason_least = forms.IntegerField(label=lazy("Characters of the reason, at least"), min_value=1, initial=1)
    ticket_needed = forms.BooleanField(label=lazy("A ticket is needed"), required=False)
    ticket_pattern = forms.CharField(
        label=lazy("A ticket looks like"),
        required=False,
        help_text=lazy("# is one digit or more, * any text, ? one character: OPS-#. Empty: any text."),
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    approval_life = LengthField(
        label=lazy("An approval lives"), required=False, help_text=lazy("Like 2d 4h 30min. Empty: no limit.")
    )
    request_life = LengthField(
        label=lazy("A request lives"), required=False, help_text=lazy("At most so long. Empty: as the settings say.")
    )
    windows = LinesField(
        label=lazy("Carried out only in these windows"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
        help_text=lazy("A line each: mon-fri 09:00-17:00. Empty: at any time."),
    )
    freezes = LinesField(
        label=lazy("Frozen"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
        help_text=lazy("A line each: 2026-12-24 00:00 to 2027-01-02 00:00 year’s end."),
    )
    zone = forms.CharField(
        label=lazy("Time zone of windows and freezes"), max_length=64, initial="UTC", help_text=lazy("Like Asia/Seoul.")
    )
    override_by = forms.ChoiceField(
        label=lazy("Who may set windows and freezes aside, with a reason"),
        choices=list(OVERRIDERS.items()),
        initial="nobody",
    )
    break_glass = forms.BooleanField(
        label=lazy("In an emergency an administrator may carry out a plan without signatures"), required=False
    )
    wait_limit = LengthField(
        label=lazy("Waits for the group to be empty"),
        required=False,
        help_text=lazy("Like 2d 4h 30min; 0min: it does not wait. Empty: as long as the request lives."),
    )
    log_growth = forms.IntegerField(
        label=lazy("Each log may have grown since planning by, offsets"),
        min_value=0,
        required=False,
        help_text=lazy("More makes the plan stale. Empty: by any number."),
    )
    second_administrator = forms.BooleanField(
        label=lazy("While this is in force, every change of any policy needs a second administrator"), required=False
    )
    note = forms.CharField(label=lazy("Why (kept with the version)"), max_length=1000, required=False)

    REACH = ("environment", "cluster", "team", "group_kind", "group_pattern", "level", "strategies")
    WORDS = ("reason_least", "ticket_needed", "ticket_pattern", "approval_life", "request_life")
    HOURS = ("windows", "freezes", "zone", "override_by", "wait_limit", "log_growth")
    TERMS = (*WORDS, *HOURS, "second_administrator", "last_editor_may_count")

    def __init__(
        self,
        data: Mapping[str, object] | None,
        *,
        version: PolicyVersion | None,
        clusters: Sequence[Cluster],
        teams: Sequence[Team],
    ) -> None:
        super().__init__(data, initial=_initial(version) if version else {"need_0_count": 1})
        self.teams = {one.slug: one for one in teams}
        _query(self.fields["environment"], environments())
        _query(self.fields["cluster"], Cluster.objects.filter(pk__in=[one.pk for one in clusters]))
        _query(self.fields["team"], Team.objects.filter(pk__in=[one.pk for one in teams]))
        for row in range(drafts.MOST_NEEDS):
            self._add_row(row, teams)
        if version is not None:
            del self.fields["name"]
        if version is not None and version.policy.is_builtin:
            for name in self.REACH:
                del self.fields[name]

    def _add_row(self, row: int, teams: Sequence[Team]) -> None:
        of = [
            (Of.OWN_TEAM.value, _("of the owning team")),
            (Of.OTHER_TEAM.value, _("of another team")),
            *((f"{Of.TEAM}:{one.slug}", _("of the team %(team)s") % {"team": one}) for one in teams),
        ]
        count = forms.IntegerField(label=_("How many"), min_value=0, max_value=9, required=False)
        self.fields[f"need_{row}_count"] = count
        self.fields[f"need_{row}_least"] = forms.ChoiceField(label=_("Which role"), choices=ROLES, required=False)
        self.fields[f"need_{row}_of"] = forms.ChoiceField(label=_("Of which team"), choices=of, required=False)

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        """The fields of the needs, a row each."""
        return [[self[f"need_{row}_{part}"] for part in ("count", "least", "of")] for row in range(drafts.MOST_NEEDS)]

    @property
    def reach(self) -> list[forms.BoundField]:
        """The fields of its conditions; none for the built-in policy."""
        return [self[name] for name in self.REACH if name in self.fields]

    @property
    def others(self) -> list[forms.BoundField]:
        """The fields of what is asked for besides."""
        return [self[name] for name in self.WORDS]

    @property
    def hours(self) -> list[forms.BoundField]:
        """The fields of when it may be carried out."""
        return [self[name] for name in self.HOURS]

    def draft(self) -> Draft:
        """What was typed, as a draft."""
        given = self.cleaned_data
        return Draft(
            environment=given.get("environment"),
            cluster=given.get("cluster"),
            team=given.get("team"),
            group_kind=given.get("group_kind", ""),
            group_pattern=given.get("group_pattern", ""),
            strategies=tuple(sorted(given.get("strategies", ()))),
            level=Level(given.get("level", Level.LOW)),
            needs=tuple(need for row in range(drafts.MOST_NEEDS) if (need := self._need(row))),
            requester_may_count=given["requester_may_count"],
            break_glass=given["break_glass"],
            terms=Terms(
                **{name: given[name] for name in self.TERMS} | {"override_by": OverrideBy(given["override_by"])}
            ),
        )

    def _need(self, row: int) -> Need | None:
        count = self.cleaned_data.get(f"need_{row}_count")
        if not count:
            return None
        of, _colon, slug = (self.cleaned_data[f"need_{row}_of"] or Of.OWN_TEAM.value).partition(":")
        team = self.teams.get(slug)
        return Need(
            count=count,
            of=Of(of),
            least=Least(self.cleaned_data[f"need_{row}_least"] or Least.APPROVER),
            team=team.slug if team else None,
            team_name=team.name if team else "",
        )


def _initial(version: PolicyVersion) -> dict[str, object]:
    draft = drafts.of(version)
    rules = draft.terms
    initial: dict[str, object] = {name: getattr(draft, name) for name in PolicyForm.REACH}
    initial |= {name: getattr(rules, name) for name in PolicyForm.TERMS}
    for name in ("approval_life", "request_life", "wait_limit"):
        length = getattr(rules, name)
        initial[name] = "" if length is None else lengths.said(length)
    initial |= {name: "\n".join(getattr(rules, name)) for name in ("windows", "freezes")}
    initial |= {"requester_may_count": draft.requester_may_count, "break_glass": draft.break_glass}
    for row, need in enumerate(draft.needs):
        of = f"{need.of}:{need.team}" if need.of is Of.TEAM else need.of.value
        initial |= {f"need_{row}_count": need.count, f"need_{row}_least": need.least.value, f"need_{row}_of": of}
    return initial


class TryForm(forms.Form):
    """A plan that might be made: what the tester is asked."""

    cluster = forms.ModelChoiceField(label=lazy("Cluster"), queryset=Cluster.objects.none())
    group = forms.CharField(label=lazy("Consumer group"), max_length=LONGEST_GROUP_NAME, strip=False)
    strategy = forms.ChoiceField(label=lazy("Strategy"), choices=kinds.KINDS)
    replayed = forms.IntegerField(label=lazy("Records read again"), min_value=0, required=False)
    skipped = forms.IntegerField(label=lazy("Records skipped"), min_value=0, required=False)
    kept = forms.IntegerField(label=lazy("Records that the logs hold"), min_value=0, required=False)
    without_commit = forms.IntegerField(label=lazy("Partitions without a commit"), min_value=0, required=False)
    deleted = forms.IntegerField(label=lazy("Commits deleted"), min_value=0, required=False)
    members = forms.IntegerField(label=lazy("Members of the group"), min_value=0, required=False)
    is_moving = forms.BooleanField(label=lazy("Commits move although the group is Empty"), required=False)

    COUNTS = ("replayed", "skipped", "kept", "without_commit", "deleted", "members")

    def __init__(self, data: Mapping[str, object] | None, *, clusters: Sequence[Cluster]) -> None:
        super().__init__(data)
        _query(self.fields["cluster"], Cluster.objects.filter(pk__in=[one.pk for one in clusters]))
        cluster = self.fields["cluster"]
        if isinstance(cluster, forms.ModelChoiceField):
            cluster.to_field_name = "name"

    def facts(self) -> PlanFacts:
        """The plan's numbers; what was left empty is 0."""
        counts = {name: self.cleaned_data[name] or 0 for name in self.COUNTS}
        is_production = self.cleaned_data["cluster"].environment.is_production
        return PlanFacts(**counts, is_moving=self.cleaned_data["is_moving"], is_production=is_production)


def _query(field: forms.Field, rows: QuerySet[Any]) -> None:
    if isinstance(field, forms.ModelChoiceField):
        field.queryset = rows
