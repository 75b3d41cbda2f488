"""The API itself: its routers, its strict ways, and a description that is true."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError, ValidationErrorContext
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from kafkaconsole.api import idempotency, problems
from kafkaconsole.api.errors import UnknownParameter
from kafkaconsole.api.parsing import StrictParser
from kafkaconsole.api.routes import (
    batches,
    claims,
    clusters,
    decisions,
    delegations,
    groups,
    ownership,
    people,
    policies,
    previews,
    records,
    requests,
    revisions,
)
from kafkaconsole.api.shapes.values import ProblemOut
from kafkaconsole.resets.fields import shown

SECRET_FIELDS = frozenset({"password", "key_pem"})
WRITES = ("post", "patch", "delete", "put")
DESCRIPTION = """The API does what the pages do, through the same actions and the same rules.

Sign in with `Authorization: Bearer TOKEN`, or with a browser session and its CSRF token. Instants are RFC 3339 in UTC,
offsets and counts are integers, "none" is null. Every error is `application/problem+json` with a stable `code`."""


class ConsoleApi(NinjaAPI):
    """NinjaAPI with errors in our words and a description that tells of problems and idempotency keys."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._described: dict[str, OpenAPISchema] = {}

    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """Each problem as field, found and expected, as everywhere in the console; secrets are not repeated."""
        found = []
        for context in error_contexts:
            source = context.model.__ninja_param_source__
            turned = context.model.__ninja_flatten_map_reverse__
            for error in context.pydantic_validation_error.errors(include_url=False):
                place = turned.get(error["loc"], error["loc"])
                found.append(_problem_of(source, place, error))
        return ValidationError(found)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The name of its function."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        """The description, with what every call has in common. It is worked out once: anybody may ask for it."""
        asked = repr(sorted(kwargs.items()))
        if asked not in self._described:
            self._described[asked] = self._describe(**kwargs)
        return self._described[asked]

    def _describe(self, **kwargs: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**kwargs)
        schema["components"]["schemas"]["Problem"] = ProblemOut.model_json_schema()
        for path in schema["paths"].values():
            for method, operation in path.items():
                _complete(method, operation)
        return schema


def refuse_unknown_parameters(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A misspelt filter must not widen the answer: parameters that the call does not take are a 422."""
    operation: Operation = run.__self__  # type: ignore[attr-defined]  # ninja hands over the bound method
    known = _query_names(operation)

    @functools.wraps(run)
    def strict(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        unknown = [name for name in request.GET if name not in known]
        if not unknown:
            return run(request, **kwargs)
        expected = ", ".join(sorted(known)) or "none"
        error = UnknownParameter(field=unknown[0][:100], found=repr(unknown[0][:100]), expected=expected)
        return operation._run_checks(request) or problems.of_error(request, error)  # who calls is asked first

    return strict


def _query_names(operation: Operation) -> frozenset[str]:
    names: set[str] = set()
    for model in operation.models:
        if model.__ninja_param_source__ == "query":
            names |= {str(path[-1]) for path in model.__ninja_flatten_map__.values()} or set(model.model_fields)
            names |= {str(name) for name in model.__ninja_flatten_map__}
    return frozenset(names)


def _problem_of(source: str, place: tuple[Any, ...], error: Mapping[str, Any]) -> dict[str, object]:
    names = [str(part) for part in place]
    if source == "body":
        names = names[1:] or ["(body)"]
    field = ".".join(names)
    value = error.get("input")
    if error["type"] == "missing" or isinstance(value, dict):
        found = "nothing" if error["type"] == "missing" else "an object"
    else:
        found = "a secret" if SECRET_FIELDS & set(names) else shown(value)
    return {"field": field, "found": found, "expected": error["msg"].removeprefix("Value error, ")}


def _complete(method: str, operation: dict[str, Any]) -> None:
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    operation["responses"]["4XX"] = {
        "description": "A problem (RFC 9457)",
        "content": {problems.CONTENT_TYPE: problem},
    }
    for parameter in operation.get("parameters", []):
        parameter["schema"] = _without_null(parameter["schema"])
    if method in WRITES:
        header = {
            "in": "header",
            "name": idempotency.HEADER,
            "required": False,
            "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
            "description": "The same key with the same body gives the first answer again",
        }
        operation["parameters"] = [*operation.get("parameters", []), header]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is there or not; there is no null in a URL."""
    kinds = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return {**rest, **kinds[0]} if len(kinds) == 1 else schema


def build() -> ConsoleApi:
    """The API with its calls."""
    api = ConsoleApi(
        title="Kafka Console",
        version="1",
        description=DESCRIPTION,
        docs_url=None,
        urls_namespace="api",
        parser=StrictParser(),
    )
    problems.register(api)
    api.add_decorator(refuse_unknown_parameters, mode="view")
    of_resets, of_set_up = (
        (previews, requests, revisions, decisions, batches, records),
        (ownership, claims, policies, delegations, people),
    )
    for module in (clusters, groups, *of_resets, *of_set_up):
        api.add_router("", module.router)
    return api
