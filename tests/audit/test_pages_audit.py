"""The record on pages: who may read it, search, the check of the chain, files."""

from __future__ import annotations

import csv
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from kafkaconsole.audit import actions, checking, exporting, queries
from kafkaconsole.audit.chain import mac_of
from kafkaconsole.audit.models import AuditCheck, AuditEvent
from tests.audit.test_verify import triggers_down
from tests.factories import Cast, make_cluster
from tests.nudges import Sent

VIEWS = ("/audit", "/audit/events.csv", "/audit/events.jsonl")


@pytest.fixture
def recorded(cast: Cast) -> Cast:
    """Three events."""
    cluster = make_cluster()
    with transaction.atomic():
        actions.record("cluster.added", actor=cast.carol, target=cluster, facts={"name": "demo", "long": "x" * 90})
        actions.record("team.added", actor=cast.carol, target=cast.billing, facts={"slug": "billing"})
        actions.record("reset.expired", actor=None, target=cast.search, facts={})
    return cast


def text_of(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode()


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    for address in VIEWS:
        assert client.get(address).status_code == 302
    assert client.post("/audit/verify").status_code == 302


@pytest.mark.parametrize("who", ["alice", "bob", "dave"])
def test_others_are_told_where_to_look_instead(who: str, recorded: Cast, client: Client) -> None:
    client.force_login(getattr(recorded, who))
    for address in VIEWS:
        answer = client.get(address)
        assert answer.status_code == 403
        assert "Administrators and auditors read the whole record" in answer.content.decode()
    assert client.post("/audit/verify").status_code == 403
    assert 'href="/audit"' not in client.get("/groups").content.decode()


@pytest.mark.parametrize("who", ["carol", "eve"])
def test_administrators_and_auditors_read_it_newest_first(who: str, recorded: Cast, client: Client) -> None:
    client.force_login(getattr(recorded, who))
    html = client.get("/audit").content.decode()
    assert html.index("reset.expired</span>") < html.index("team.added</span>") < html.index("cluster.added</span>")
    assert "Kafka Console" in html
    assert 'href="/clusters/demo/"' in html
    assert 'href="/teams/billing/"' in html


@pytest.mark.parametrize(
    ("query", "verbs"),
    [
        ({"verb": "team."}, ["team.added"]),
        ({"actor": "carol"}, ["team.added", "cluster.added"]),
        ({"target": "Demo"}, ["cluster.added"]),
        ({"since": "2999-01-01"}, []),
        ({"until": "2000-01-01"}, []),
    ],
)
def test_each_filter_narrows_page_and_file_alike(
    query: dict[str, str], verbs: list[str], recorded: Cast, client: Client
) -> None:
    client.force_login(recorded.eve)
    lines = [json.loads(line) for line in text_of(client.get("/audit/events.jsonl", query)).splitlines()]
    assert [line["verb"] for line in lines] == verbs
    html = client.get("/audit", query).content.decode()
    assert ("No event matches" in html) == (not verbs)


def test_day_that_counts_is_whole_in_the_readers_zone(recorded: Cast, client: Client) -> None:
    eve = recorded.eve
    eve.time_zone = "Pacific/Kiritimati"
    eve.save()
    client.force_login(eve)
    today = (timezone.now() + timedelta(hours=14)).date().isoformat()
    found = text_of(client.get("/audit/events.jsonl", {"since": today, "until": today})).splitlines()
    assert len(found) == 4  # with Eve's own sign-in


def test_day_that_is_none_is_named(recorded: Cast, client: Client) -> None:
    client.force_login(recorded.eve)
    assert "Enter a valid date" in client.get("/audit", {"since": "soon"}).content.decode()


def test_the_reader_s_own_sign_in_is_recorded(cast: Cast, client: Client) -> None:
    client.force_login(cast.eve)
    assert "person.signed_in" in client.get("/audit").content.decode()


def test_whole_chain_is_said_to_be_whole_with_its_head(recorded: Cast, client: Client, sent: Sent) -> None:
    client.force_login(recorded.eve)
    assert "A worker is walking the chain" in client.post("/audit/verify", follow=True).content.decode()
    walk()
    html = client.get("/audit/check").content.decode()
    assert "The chain is whole: 4 events" in html  # Eve's own sign-in is the fourth
    assert queries.head().mac in html
    assert "The chain is whole" in client.get("/audit").content.decode()
    assert "<html" not in client.get("/audit/check", headers={"HX-Request": "true"}).content.decode()
    assert client.get("/audit/verify").status_code == 405


def test_event_that_was_changed_is_named(recorded: Cast, client: Client) -> None:
    with triggers_down():
        AuditEvent.objects.filter(number=2).update(verb="team.removed")
    client.force_login(recorded.eve)
    client.post("/audit/verify")
    walk()
    html = client.get("/audit/check").content.decode()
    assert "broken at event 2" in html
    assert "changed after it was recorded" in html


def walk() -> None:
    """What a worker does with the check that was asked for."""
    checking.run(check_id=AuditCheck.objects.get(is_open=True).pk)


def test_lines_hold_what_is_needed_to_check_the_chain_elsewhere(recorded: Cast) -> None:
    lines = [json.loads(line) for line in exporting.json_lines(AuditEvent.objects.order_by("number"))]
    assert [line["previous"] for line in lines] == ["", lines[0]["mac"], lines[1]["mac"]]
    for line, event in zip(lines, AuditEvent.objects.order_by("number"), strict=True):
        assert line["mac"] == mac_of(event)


def test_table_runs_no_formula(recorded: Cast) -> None:
    evil = make_cluster("evil", cluster_id=None, title='=HYPERLINK("http://example.com")')
    with transaction.atomic():
        actions.record("cluster.added", actor=recorded.carol, target=evil)
    rows = list(csv.DictReader(StringIO("".join(exporting.csv_lines(AuditEvent.objects.order_by("number"))))))
    assert len(rows) == 4
    assert rows[-1]["target_label"] == '\'=HYPERLINK("http://example.com")'
    assert rows[0]["target_label"] == "Demo"


def test_text_of_an_event_is_never_markup(recorded: Cast, client: Client) -> None:
    with transaction.atomic():
        actions.record(
            "x", actor=recorded.carol, target=recorded.billing, facts={"reason": "<script>alert(1)</script>"}
        )
    client.force_login(recorded.eve)
    assert "<script>alert(1)" not in client.get("/audit").content.decode()


def test_pages_cost_the_same_however_long_the_record(
    recorded: Cast, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(60):
        with transaction.atomic():
            actions.record("team.added", actor=recorded.carol, target=recorded.billing)
    client.force_login(recorded.eve)
    with django_assert_max_num_queries(12):
        html = client.get("/audit").content.decode()
    assert "1–50 of 64" in html
