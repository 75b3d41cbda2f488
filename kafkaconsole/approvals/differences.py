"""What a version says, line by line, and where two versions differ. English to the record, the reader's words on a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kafkaconsole.approvals import lengths, quorum
from kafkaconsole.approvals.models import GroupKind, PolicyVersion
from kafkaconsole.approvals.risk import LEVELS, Level
from kafkaconsole.approvals.terms import OVERRIDERS
from kafkaconsole.words import counted, joined, words

OPEN = LEVELS[Level.LOW]


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a version: `field` is its name in the record, `label` and `text` are for people."""

    field: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One line that differs; None: the version does not exist."""

    field: str
    label: str
    before: str | None
    after: str | None


def lines(version: PolicyVersion) -> list[Said]:
    """Everything that a version says, in a fixed order."""
    return [*_reach(version), *_signing(version), *_terms(version), *_hours(version)]


def between(before: PolicyVersion | None, after: PolicyVersion) -> list[Difference]:
    """The lines in which `after` says something else; all where there was nothing before."""
    old = {one.field: one.text for one in lines(before)} if before else {}
    return [
        Difference(one.field, one.label, old.get(one.field), one.text)
        for one in lines(after)
        if old.get(one.field) != one.text
    ]


def reach_in_words(version: PolicyVersion) -> str:
    """Its conditions in one line; “everything” where it has none."""
    named = [one.text for one in _reach(version) if one.field != "active" and one.text != OPEN]
    return joined(named, " · ") if named else words("everything")


def _reach(version: PolicyVersion) -> Iterator[Said]:
    cluster, environment, team = version.cluster, version.environment, version.team
    yield Said("active", words("In force"), words("yes") if version.is_active else words("switched off"))
    yield Said("environment", words("Environment"), str(environment) if environment else OPEN)
    yield Said("cluster", words("Cluster"), str(cluster) if cluster else OPEN)
    yield Said("team", words("Team"), words("team {team}", team=team) if team else OPEN)
    yield Said("group", words("Groups"), _group(version))
    kinds = ", ".join(one.replace("_", " ") for one in version.strategies)
    yield Said("strategies", words("Strategies"), kinds or OPEN)
    yield Said("level", words("Risk"), LEVELS[Level(version.level)])


def _group(version: PolicyVersion) -> str:
    if not version.group_kind:
        return OPEN
    if version.group_kind == GroupKind.PREFIX:
        return words("groups that begin with {pattern}", pattern=version.group_pattern)
    return words("the group {pattern}", pattern=version.group_pattern)


def signs_in_words(version: PolicyVersion) -> str:
    """Who signs, in one line."""
    return quorum.who(version.quorum, words("the owning team"), other_than=None) or words("nobody")


def _signing(version: PolicyVersion) -> Iterator[Said]:
    yield Said("needs", words("Who signs"), signs_in_words(version))
    yield Said("requester_may_count", words("Whoever asked may sign"), _yes(version.requester_may_count))
    editor = words("Whoever changed the request last may sign")
    yield Said("last_editor_may_count", editor, _yes(version.rules.last_editor_may_count))
    glass = words("Administrators may break the glass")
    yield Said("break_glass", glass, _yes(bool(version.break_glass)))


def _terms(version: PolicyVersion) -> Iterator[Said]:
    rules = version.rules
    ticket = words("needed") if rules.ticket_needed else words("may be empty")
    pattern = words(", like {pattern}", pattern=rules.ticket_pattern) if rules.ticket_pattern else ""
    least = counted("{count} character at least", "{count} characters at least", rules.reason_least)
    yield Said("reason", words("Reason"), least)
    yield Said("ticket", words("Ticket"), joined([ticket, pattern], ""))
    none = words("no limit")
    yield Said(
        "approval_life",
        words("An approval lives"),
        lengths.said(rules.approval_life) if rules.approval_life else none,
    )
    usual = words("as the settings say")
    yield Said(
        "request_life", words("A request lives"), lengths.said(rules.request_life) if rules.request_life else usual
    )


def _hours(version: PolicyVersion) -> Iterator[Said]:
    rules = version.rules
    opened = "; ".join(rules.windows)
    told = words("{windows} in {zone}", windows=opened, zone=rules.zone) if opened else words("at any time")
    yield Said("windows", words("Carried out"), told)
    limit = words("as long as the request lives") if rules.wait_limit is None else lengths.said(rules.wait_limit)
    yield Said("wait_limit", words("Waits for an empty group"), limit)
    grown = words("any") if rules.log_growth is None else f"{rules.log_growth:,}"
    yield Said("log_growth", words("Logs may grow after planning, offsets"), grown)
    frozen = words("{freezes} in {zone}", freezes="; ".join(rules.freezes), zone=rules.zone)
    yield Said("freezes", words("Frozen"), frozen if rules.freezes else words("never"))
    second = words("Changes need a second administrator")
    yield Said("second_administrator", second, _yes(rules.second_administrator))
    yield Said("override_by", words("Windows are set aside by"), OVERRIDERS[rules.override_by])


def _yes(value: bool) -> str:
    return words("yes") if value else words("no")
