"""The form that asks for a reset: what was typed becomes a change in JSON, checked by the same rules as the API's."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.history.standings import Standing
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets.change import change_as_json, parse_change
from kafkaconsole.resets.errors import BadChange, FieldProblem
from kafkaconsole.resets.files import MAX_BYTES, NO_TOPIC
from kafkaconsole.resets.forms import moments, strategies
from kafkaconsole.resets.forms.also import AlsoRows
from kafkaconsole.resets.forms.topics import TopicRows
from kafkaconsole.resets.forms.zones import AS_WRITTEN, Choices, zone_choices
from kafkaconsole.resets.pages import words
from kafkaconsole.words import shown

MOST_ERRORS = 100
"""Of a file's bad lines so many are shown; how many more there are is said."""

KINDS = [(kind, label) for kind, label, _help in words.STRATEGIES]
SCOPES = [
    ("all_committed", lazy("All partitions that the group has a commit on")),
    ("topics", lazy("Topics and partitions that I choose")),
]

FIELD_OF_PATH = {
    "cluster": "cluster",
    "group": "group",
    "scope": "scope",
    "strategy.kind": "kind",
    "strategy.topic": "file_topic",
    "strategy.as_of": "datetime",
    "rules.no_commit": "no_commit",
    "rules.no_record_after": "no_record_after",
    "rules.out_of_range": "out_of_range",
    "create_group": "create_group",
} | {
    f"strategy.{name}": name
    for name in ("offset", "by", "duration", "datetime", "timezone", "csv", "from_group", "snapshot")
}
"""Where a problem that `parse_change` names is shown."""


class ChangeForm(forms.Form):
    """A change as people type it. Every field keeps what was typed.

    After is_valid `change` is its canonical JSON, and `further` the same for each further group.
    """

    cluster = forms.ChoiceField(
        label=lazy("Cluster"), error_messages={"required": lazy("Choose the cluster that the group is on.")}
    )
    group = forms.CharField(
        label=lazy("Consumer group"),
        max_length=LONGEST_GROUP_NAME,
        strip=False,
        widget=forms.TextInput(attrs={"list": "group-names", "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": lazy("Say which group: type its name.")},
    )
    create_group = forms.BooleanField(label=lazy("The group does not exist yet: create it"), required=False)
    scope = forms.ChoiceField(label=lazy("Which partitions"), choices=SCOPES, widget=forms.RadioSelect, required=False)
    kind = forms.ChoiceField(
        label=lazy("Where to"),
        choices=KINDS,
        widget=forms.RadioSelect,
        error_messages={"required": lazy("Choose where the group is to go.")},
    )
    offset = forms.IntegerField(label=lazy("Offset"), required=False, min_value=0)
    direction = forms.ChoiceField(
        label=lazy("Direction"), required=False, choices=[("back", lazy("back")), ("forward", lazy("forward"))]
    )
    by = forms.IntegerField(label=lazy("Number of offsets"), required=False, min_value=0)
    days = forms.IntegerField(
        label=lazy("Days"), required=False, min_value=0, help_text=lazy("Of 24 h each, whatever the clocks do.")
    )
    hours = forms.IntegerField(label=lazy("Hours"), required=False, min_value=0)
    minutes = forms.IntegerField(label=lazy("Minutes"), required=False, min_value=0)
    datetime = forms.CharField(
        label=lazy("Moment"),
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "2026-12-01 09:00:00", "autocomplete": "off"}),
        help_text=lazy(
            "A wall clock in the zone beside, or with an offset (2026-12-01 09:00:00 +0900, …Z), or epoch seconds or milliseconds."
        ),
    )
    timezone = forms.ChoiceField(label=lazy("Time zone"), required=False)
    restore_from = forms.ChoiceField(
        label=lazy("What is put back"),
        choices=words.RESTORE_FROM,
        widget=forms.RadioSelect,
        required=False,
        initial="history",
    )
    snapshot = forms.ChoiceField(label=lazy("Snapshot"), required=False)
    file = forms.FileField(label=lazy("File"), required=False)
    csv = forms.CharField(
        label=lazy("Lines"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 6, "class": "mono", "spellcheck": "false", "placeholder": "0,4127999\n1,4126700"}
        ),
        help_text=lazy("partition,offset (with the topic beside), or topic,partition,offset. One line a partition."),
    )
    file_topic = forms.CharField(
        label=lazy("Topic of lines that name none"),
        required=False,
        widget=forms.TextInput(attrs={"list": "topic-names", "autocomplete": "off", "spellcheck": "false"}),
    )
    from_group = forms.CharField(
        label=lazy("Group to copy from"),
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"list": "group-names", "autocomplete": "off", "spellcheck": "false"}),
    )
    no_commit = forms.ChoiceField(
        label=words.NO_COMMIT_LABEL, choices=words.NO_COMMIT, required=False, initial="strategy"
    )
    no_record_after = forms.ChoiceField(
        label=words.NO_RECORD_AFTER_LABEL,
        choices=words.NO_RECORD_AFTER,
        required=False,
        initial="log_end",
    )
    out_of_range = forms.ChoiceField(
        label=words.OUT_OF_RANGE_LABEL, choices=words.OUT_OF_RANGE, required=False, initial="clamp"
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        files: MultiValueDict[str, UploadedFile[bytes]] | None = None,
        *,
        start: QueryDict | None = None,
        clusters: Sequence[tuple[str, str]],
        standing: Standing | None = None,
        snapshots: Sequence[tuple[str, str]] = (),
        zones: Choices | None = None,
    ) -> None:
        sent = data if data is not None else start if start is not None else QueryDict()
        only = clusters[0][0] if len(clusters) == 1 else ""
        super().__init__(_with_file(data, files) if data is not None else None, files, initial=_initial(sent, only))
        self.change: dict[str, object] = {}
        self.further: list[dict[str, object]] = []
        self.also = AlsoRows(sent)
        self.known_clusters = [name for name, _title in clusters]
        self.topics = TopicRows(sent, standing)
        if len(self.topics.known) == 1 and not sent.get("csv"):
            self.initial.setdefault("file_topic", self.topics.known[0].topic)
        self.moment = moments.read_field(sent.dict(), "datetime", str(sent.get("timezone") or self.initial["timezone"]))
        _choices(self.fields["cluster"], [("", _("Choose a cluster")), *clusters])
        _choices(self.fields["timezone"], zones if zones is not None else zone_choices())
        _choices(self.fields["snapshot"], [("", _("Choose a snapshot")), *snapshots])
        for name in ("offset", "by", "days", "hours", "minutes"):
            self.fields[name].widget.attrs["inputmode"] = "numeric"

    def clean(self) -> dict[str, object]:
        """Read the change as the API would; every problem stands at its field."""
        given = super().clean() or {}
        topics, wrong = self.topics.as_scope()
        if given.get("scope") == "topics":
            told = _("%(topic)s: partitions are typed beside it, but it is not ticked. Tick it, or clear them.")
            wrong += [told % {"topic": topic} for topic in self.topics.unticked()]
        for sentence in wrong:
            self.add_error("scope", sentence)
        if strategies.wants_moment(given) and self.moment.error:
            self.add_error("datetime", self.moment.error)
        if given.get("kind") == "from_file" and not self.errors and not str(given.get("csv") or "").strip():
            self.add_error("csv", _("Paste lines or choose a file."))
        if not self.errors:
            self._read(strategies.change_of(given | {"moment": self.moment}, topics))
        if not self.errors and self.also.rows:
            self._read_further()
        return given

    @property
    def changes(self) -> list[dict[str, object]]:
        """The change of every group that is asked for, the form's own first."""
        return [self.change, *self.further]

    def _read_further(self) -> None:
        """The same change for the further groups; a problem names the group that it is about."""
        found, wrong = self.also.groups(self.known_clusters)
        for sentence in wrong:
            self.add_error(None, sentence)
        for cluster, group in found if not wrong else ():
            try:
                self.further.append(change_as_json(parse_change(self.change | {"cluster": cluster, "group": group})))
            except BadChange as bad:
                for problem in bad.problems[:MOST_ERRORS]:
                    self.add_error(None, f"{group}: {_sentence(problem)}")

    def _read(self, mapping: dict[str, object]) -> None:
        try:
            self.change = change_as_json(parse_change(mapping))
        except BadChange as bad:
            problems = [one for one in bad.problems if one.expected != NO_TOPIC]
            if len(problems) < len(bad.problems):
                self.add_error("file_topic", _("The lines name no topic. Name it here."))
            for problem in problems[:MOST_ERRORS]:
                self.add_error(self._place_of(problem), _sentence(problem))
            if (more := len(problems) - MOST_ERRORS) > 0:
                told = _("%(more)s more lines are not right; only the first %(shown)s are listed.")
                self.add_error(self._place_of(problems[-1]), told % {"more": f"{more:,}", "shown": MOST_ERRORS})

    def _place_of(self, problem: FieldProblem) -> str | None:
        if problem.field == "strategy.duration":
            return "minutes"
        path = "scope" if problem.field.startswith("scope") else problem.field
        return FIELD_OF_PATH.get(path)

    def clean_file(self) -> object:
        """A file is small enough, and text."""
        upload = self.cleaned_data.get("file")
        if upload is not None and upload.size > MAX_BYTES:
            raise forms.ValidationError(
                _("The file has %(size)s bytes; at most %(most)s are read.")
                % {"size": f"{upload.size:,}", "most": f"{MAX_BYTES:,}"}
            )
        if upload is not None and self.data.get("csv", "") == "" and upload.size:
            raise forms.ValidationError(_("The file is not text in UTF-8."))
        return upload


def _choices(field: forms.Field, choices: object) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = choices  # type: ignore[assignment]  # grouped choices; the stubs know flat ones


def _initial(sent: QueryDict, only_cluster: str) -> dict[str, object]:
    """What an address or an unchecked form says, over the defaults. A moment given without a zone is as written."""
    zone = AS_WRITTEN if sent.get("datetime") else timezone.get_current_timezone_name()
    defaults = {"scope": "all_committed", "direction": "back", "timezone": zone, "cluster": only_cluster}
    return defaults | {name: value for name, value in sent.items() if value != ""}


def _with_file(data: QueryDict, files: MultiValueDict[str, UploadedFile[bytes]] | None) -> QueryDict:
    """An uploaded file's text stands in the text field from here on, so that it is kept when the form is shown again."""
    upload = files.get("file") if files else None
    read = getattr(upload, "read", None)
    if read is None or getattr(upload, "size", 0) > MAX_BYTES:
        return data
    try:
        text = read().decode("utf-8-sig")
    except UnicodeDecodeError:
        text = ""
    copied = data.copy()
    copied["csv"] = text
    return copied


def _sentence(problem: FieldProblem) -> str:
    if problem.line:
        return _("Line %(line)s: found %(found)s; expected %(expected)s.") % {
            "line": problem.line,
            "found": shown(problem.found).removeprefix(f"line {problem.line}: "),
            "expected": shown(problem.expected),
        }
    return _("Found %(found)s; expected %(expected)s.") % {
        "found": shown(problem.found),
        "expected": shown(problem.expected),
    }
