"""Tags of the record's pages: where an event's target can be seen, and facts as text."""

from __future__ import annotations

import json

from django import template
from django.urls import NoReverseMatch, reverse

from kafkaconsole.audit.models import AuditEvent

register = template.Library()

SHORT = 24

PAGES = {"resetrequest": "request"}
"""Kinds of rows whose id is their page's address."""
NAMED_BY = {"cluster": ("cluster", "name"), "team": ("team", "slug")}
"""Kinds whose page is named by a fact that the event may hold."""


@register.simple_tag
def target_address(event: AuditEvent) -> str:
    """The page of what the event is about; empty when it has none, or none any more."""
    if event.target_kind in PAGES and event.target_id.isascii() and event.target_id.isdecimal():
        return _address(PAGES[event.target_kind], int(event.target_id))
    page, fact = NAMED_BY.get(event.target_kind, ("", ""))
    named = event.facts.get(fact) if page and isinstance(event.facts, dict) else None
    return _address(page, named) if isinstance(named, str) and not event.verb.endswith(".removed") else ""


@register.filter
def fact(value: object) -> str:
    """A fact as people read it; what is not a plain word or number as JSON."""
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def fact_names(facts: dict[str, object]) -> str:
    """What an event tells, by the names of its facts, short ones with their values; what is empty is left out."""
    told = [_named(name, fact(value)) for name, value in facts.items() if value not in (None, "", [], {})]
    return " · ".join(told)


def _named(name: str, text: str) -> str:
    bare = name.replace("_", " ")
    return f"{bare} {text}" if len(text) <= SHORT else bare


def _address(page: str, key: object) -> str:
    try:
        return reverse(page, args=[key])
    except NoReverseMatch:
        return ""
