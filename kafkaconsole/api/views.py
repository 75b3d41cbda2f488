"""The readable form of the description: a page of our own, for the usual ones fetch scripts from other hosts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kafkaconsole.api.site import ConsoleApi

METHODS = ("get", "post", "patch", "delete")


def docs(api: ConsoleApi) -> Any:
    """The view of one API's description."""

    @require_safe
    def page(request: HttpRequest) -> HttpResponse:
        schema = api.get_openapi_schema()
        calls = [
            {"method": method.upper(), "path": path, **operation, "fields": _fields(operation, schema)}
            for path, operations in schema["paths"].items()
            for method, operation in operations.items()
            if method in METHODS
        ]
        return render(request, "api/docs.html", {"schema": schema, "calls": calls})

    return page


def _fields(operation: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of a call's JSON body, with what is known of them."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    known = schema["components"]["schemas"].get(str(body.get("$ref", "")).rpartition("/")[2], body)
    required = set(known.get("required", ()))
    return [
        {"name": name, "required": name in required, "kind": _kind(field), "about": field.get("description", "")}
        for name, field in known.get("properties", {}).items()
    ]


def _kind(field: dict[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(str(value) for value in field["enum"])
    if "anyOf" in field or "oneOf" in field:
        return " or ".join(dict.fromkeys(_kind(one) for one in field.get("anyOf", field.get("oneOf", []))))
    return str(field.get("format") or field.get("type") or field.get("$ref", "").rpartition("/")[2] or "any")
