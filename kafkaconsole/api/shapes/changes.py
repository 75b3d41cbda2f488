"""A change and a request as clients send them: documented here, read strictly by `resets.change.parse_change`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import ConfigDict, Field, JsonValue, WithJsonSchema

from kafkaconsole.api.shapes.values import MAX_64, InstantIn
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets.strategies import STRATEGIES

_SCOPE = {
    "oneOf": [
        {
            "type": "object",
            "required": ["topics"],
            "additionalProperties": False,
            "properties": {
                "topics": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "required": ["topic"],
                        "additionalProperties": False,
                        "properties": {
                            "topic": {"type": "string", "minLength": 1, "maxLength": 249},
                            "partitions": {
                                "type": "array",
                                "minItems": 1,
                                "items": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
                            },
                        },
                    },
                }
            },
        },
        {
            "type": "object",
            "required": ["all_committed"],
            "additionalProperties": False,
            "properties": {"all_committed": {"const": True}},
        },
    ]
}
_STRATEGY = {
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"type": "string", "enum": sorted(STRATEGIES)},
        "offset": {"type": "integer", "minimum": 0, "maximum": MAX_64, "description": "to_offset"},
        "by": {"type": "integer", "description": "shift_by; negative: back"},
        "duration": {"type": "string", "description": "by_duration, ISO 8601: PT1H30M, P2D"},
        "datetime": {"type": "string", "description": "to_datetime"},
        "timezone": {"type": "string", "description": "to_datetime, IANA; needed unless the datetime has an offset"},
        "csv": {"type": "string", "description": "from_file: topic,partition,offset or partition,offset"},
        "topic": {"type": "string", "description": "from_file: where rows name none"},
        "from_group": {"type": "string", "description": "copy_group"},
        "as_of": {"type": "string", "description": "restore, from the console's history: an instant with its offset"},
        "snapshot": {"type": "integer", "minimum": 1, "description": "restore: the id of an attempt"},
    },
}
_RULES = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "no_commit": {"enum": ["strategy", "leave", "earliest", "latest", "refuse"]},
        "no_record_after": {"enum": ["log_end", "keep", "refuse"]},
        "out_of_range": {"enum": ["clamp", "refuse"]},
    },
}

Scope = Annotated[JsonValue, WithJsonSchema(_SCOPE)]
Strategy = Annotated[JsonValue, WithJsonSchema(_STRATEGY)]
Rules = Annotated[JsonValue, WithJsonSchema(_RULES)]


class ChangeIn(Schema):
    """What is to be changed. The parts are checked by the console's own reader, which names every bad field."""

    model_config = ConfigDict(extra="forbid", strict=True)

    cluster: str = Field(..., min_length=1, max_length=60)
    group: str = Field(..., min_length=1, max_length=LONGEST_GROUP_NAME)
    scope: Scope = None
    strategy: Strategy
    rules: Rules = None
    create_group: bool = False

    def change(self) -> dict[str, Any]:
        """The change alone, only what was sent."""
        return self.model_dump(include=set(ChangeIn.model_fields), exclude_unset=True)


class RequestIn(ChangeIn):
    """A change, why, and when it may be carried out."""

    reason: str = Field(..., min_length=1, max_length=10_000)
    ticket: str = Field("", max_length=120)
    not_before: InstantIn | None = None
    expires_at: InstantIn | None = None

    def when(self) -> dict[str, datetime | None]:
        """The window, as asked."""
        return {"not_before": self.not_before, "expires_at": self.expires_at}
