"""What each call sends, where it sends something: `{words}` in braces are things of the scene (`stage.py`).

A row that is not named here sends nothing and is asked for `things` under the names of its address's parts.
"""

from __future__ import annotations

from typing import Any

SIGN = {"digest": "{digest}", "comment": "Looked at"}
CHANGE = {
    "cluster": "demo",
    "group": "billing-orders",
    "scope": {"topics": [{"topic": "hello"}]},
    "strategy": {"kind": "to_earliest"},
}
ASK = {
    "cluster": "demo",
    "group": "billing-orders",
    "scope": "all_committed",
    "kind": "to_earliest",
}
CLAIM = {"team": "billing", "reason": "We run it"}
PLACE = {"cluster": "demo", "group": "billing-orders", "topic": "hello", "partition": 0, "offset": 1}
CLUSTER = {
    "title": "New",
    "environment": "staging",
    "bootstrap_servers": "kafka-9.example.com:9092",
    "security_protocol": "PLAINTEXT",
    "check_hostname": "on",
}
POLICY = {
    "name": "New",
    "team": "{search}",
    "level": "low",
    "need_0_count": 1,
    "need_0_least": "approver",
    "need_0_of": "own_team",
    "reason_least": 1,
    "zone": "UTC",
    "override_by": "nobody",
}
POLICY_JSON = {"team": "search", "needs": [{"count": 1, "of": "own_team", "least": "approver"}]}
CHANNEL = {"name": "New", "team": "billing", "kind": "slack", "url": "https://hooks.example.com/y", "heard": "sign"}
AWAY = {"to": "amir", "team": "billing"}

BODY: dict[str, dict[str, Any]] = {
    "request-new POST": {**ASK, "do": "request", "reason": "Read again"},
    "request-approve POST": SIGN,
    "request-reject POST": SIGN,
    "request-withdraw POST": {"digest": "{approved_digest}"},
    "request-windows POST": {"digest": "{frozen_digest}", "reason": "It cannot wait"},
    "request-glass POST": {
        "digest": "{digest}",
        "reason": "It cannot wait at all",
        "password": "correct horse battery",
    },
    "request-undo POST": {"reason": "It was a mistake"},
    "request-edit POST": {**ASK, "kind": "to_latest", "do": "request", "reason": "Skip", "seen": 1},
    "request-comment POST": {"text": "Why?"},
    "batch-approve POST": {"sign": "{first}", "digest:{first}": "{first_digest}"},
    "records-ask POST": {"until": "committed", "place": "all", "limit": 10},
    "look-ask POST": {**PLACE, "before": 0, "after": 1},
    "cluster-new POST": {**CLUSTER, "name": "new"},
    "cluster-edit POST": CLUSTER,
    "ownership POST": {"kind": "prefix", "pattern": "search-", "place": "", "team": "search"},
    "claim-new POST": CLAIM,
    "claim-grant POST": {"comment": "Yes"},
    "claim-reject POST": {"comment": "No"},
    "teams POST": {"name": "Payments", "slug": "payments"},
    "team POST": {"user": "dave", "role": "member"},
    "team-member-remove POST": {"user": "amir"},
    "team-remove POST": {},
    "away POST": {**AWAY, "starts_at": "2030-01-07T09:00", "ends_at": "2030-01-14T09:00"},
    "policy-new POST": POLICY,
    "policy-change POST": {**POLICY, "need_0_count": 2, "seen": 1},
    "policy-off POST": {"seen": 1},
    "policy-confirm POST": {"seen": 2},
    "policy-decline POST": {"seen": 2},
    "profile POST": {"name": "Somebody", "time_zone": "Asia/Seoul", "language": "en"},
    "token-new POST": {"name": "script", "scopes": "read", "days": 7},
    "people-new POST": {"username": "newcomer", "role": "member"},
    "services-new POST": {"username": "nightly", "name": "Nightly"},
    "service-switch POST": {"do": "off"},
    "service-token-new POST": {"name": "script", "scopes": "read", "days": 7},
    "people-one POST": {"role": "auditor", "is_active": "on"},
    "notifications POST": {"heard": "sign", "language": "en"},
    "channel-new POST": CHANNEL,
    "channel POST": {"name": "Renamed", "heard": "sign"},
    "set_language POST": {"language": "ko"},
    "add_cluster POST": {
        "name": "new",
        "title": "New",
        "environment": "staging",
        "bootstrap_servers": ["kafka-9.example.com:9092"],
    },
    "change_cluster PATCH": {"title": "Renamed"},
    "make_preview POST": CHANGE,
    "make_request POST": {**CHANGE, "reason": "Read again"},
    "make_batch POST": {"changes": [CHANGE, {**CHANGE, "group": "billing-invoices"}], "reason": "Read again"},
    "approve_batch POST": {"digests": {"{first}": "{first_digest}"}},
    "approve POST": SIGN,
    "reject POST": SIGN,
    "withdraw POST": {"digest": "{approved_digest}"},
    "cancel POST": {"comment": ""},
    "comment POST": {"text": "Why?"},
    "revise POST": {**CHANGE, "strategy": {"kind": "to_latest"}, "reason": "Skip", "seen": 1},
    "undo POST": {"reason": "It was a mistake"},
    "add_policy POST": {**POLICY_JSON, "name": "New"},
    "change_policy PUT": {**POLICY_JSON, "level": "high", "seen": 1},
    "switch_policy_off POST": {"seen": 1},
    "confirm_policy POST": {"seen": 2},
    "decline_policy POST": {"seen": 2},
    "add_ownership_rule POST": {"kind": "prefix", "pattern": "search-", "team": "search"},
    "make_claim POST": {**CLAIM, "cluster": "demo", "group": "returns"},
    "grant_claim POST": {"comment": "Yes"},
    "reject_claim POST": {"comment": "No"},
    "make_delegation POST": {**AWAY, "starts_at": "2030-01-07T09:00:00Z", "ends_at": "2030-01-14T09:00:00Z"},
    "make_token POST": {"name": "script", "scopes": ["read"], "expires_at": "{soon}"},
}
"""What a POST carries: the fields of a form, or JSON for a call of the API."""

INSTEAD: dict[str, dict[str, str]] = {
    "cluster-remove POST": {"name": "spare"},
    "cluster-test POST": {"name": "spare"},
    "remove_cluster DELETE": {"cluster": "spare"},
    "test_cluster POST": {"cluster": "spare"},
    "team-remove POST": {"slug": "spare"},
    "request-withdraw POST": {"request_id": "approved"},
    "request-windows POST": {"request_id": "frozen"},
    "records-cancel POST": {"export_id": "working"},
    "delivery-again POST": {"message_id": "failed"},
    "request-undo POST": {"request_id": "applied"},
    "withdraw POST": {"request_id": "approved"},
    "undo POST": {"request_id": "applied"},
    "service GET": {"username": "robot"},
    "service-switch POST": {"username": "robot"},
    "service-token-new POST": {"username": "robot"},
    "service-token-revoke POST": {"username": "robot", "token_id": "robot_token"},
    "policy-confirm POST": {"policy_id": "proposed"},
    "policy-decline POST": {"policy_id": "proposed"},
    "confirm_policy POST": {"policy_id": "proposed"},
    "decline_policy POST": {"policy_id": "proposed"},
}
"""Which thing of the scene stands for a part of the address, where it is not the one of the same name."""

QUERY: dict[str, str] = {
    "claim-new GET": "cluster=demo&group=returns",
    "claim-new POST": "cluster=demo&group=returns",
    "moment GET": "field=datetime&datetime=2026-12-01T00:00Z",
    "search GET": "q=billing",
    "skip-one GET": "cluster=demo&group=billing-orders",
    "list_records GET": "wait_s=0",
    "look-new GET": "cluster=demo&group=billing-orders&topic=hello&partition=0&offset=1",
}
"""What stands after the question mark."""


def filled(value: Any, things: dict[str, Any]) -> Any:
    """The same with the scene's things in it."""
    if isinstance(value, dict):
        return {key.format(**things): filled(one, things) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, things) for one in value]
    return value.format(**things) if isinstance(value, str) else value
