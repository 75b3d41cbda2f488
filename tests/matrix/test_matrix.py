"""Every address and every call of the API answers each of eleven roles as the tables in `answers/` say."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client

from tests.matrix import cells, routes, rows, stage
from tests.matrix.roles import BY_TOKEN_ALONE, ROLES
from tests.matrix.routes import Place
from tests.scene import Scene

ADD = "docs/how-to/add-a-page.md says how; run this test again, and it says what the address answers"
OWN_THINGS = {"profile POST", "token-new POST", "account_logout POST", "make_token POST"}
"""What an auditor may write: things of their own, which change nothing for anybody else."""


def places(table: str) -> dict[str, Place]:
    return routes.operations() if table == rows.API else routes.pages()


def everything() -> dict[str, tuple[str, ...]]:
    """Every row of every table."""
    found: dict[str, tuple[str, ...]] = {}
    for table in rows.tables():
        stated = rows.read(table)
        assert not found.keys() & stated.keys(), f"{sorted(found.keys() & stated.keys())} stand in two tables"
        found |= stated
    return found


def found_row(built: stage.Stage, place: Place, method: str) -> str:
    return rows.line(f"{place.name} {method}", tuple(cells.answer(built, place, method, role) for role in ROLES))


@pytest.mark.parametrize("table", rows.tables())
def test_everyone_gets_the_stated_answer(table: str, scene: Scene) -> None:
    known, built, wrong = places(table), stage.build(scene), []
    for key, stated in rows.read(table).items():
        name, method = key.split()
        if name in known and (found := found_row(built, known[name], method)) != rows.line(key, stated):
            wrong.append(f"stated: {rows.line(key, stated)}\n found: {found}")
    assert not wrong, f"In answers/{table}.txt ({', '.join(ROLES)}):\n" + "\n".join(wrong)


def test_every_address_has_a_row_for_each_method_that_it_takes(scene: Scene) -> None:
    built, stated, missing = stage.build(scene), everything(), []
    for place in [*routes.pages().values(), *routes.operations().values()]:
        for method in place.methods or ("GET", "POST"):
            if f"{place.name} {method}" in stated:
                continue
            if cells.answer(built, place, method, "administrator") != "405":
                missing.append(found_row(built, place, method))
    assert not missing, f"These have no row in tests/matrix/answers/. Add a row for each ({ADD}):\n" + "\n".join(
        missing
    )


def test_every_row_has_an_address() -> None:
    known = {table: places(table) for table in rows.tables()}
    lost = [f"{table}: {key}" for table in known for key in rows.read(table) if key.split()[0] not in known[table]]
    assert not lost, f"These rows in tests/matrix/answers/ are of no address: take them away or name it: {lost}"


def test_no_answer_is_a_fault_of_ours() -> None:
    assert [key for key, stated in everything().items() if any(one.startswith("5") for one in stated)] == []


def test_auditors_change_nothing() -> None:
    column = ROLES.index("auditor")
    assert {key for key, stated in everything().items() if stated[column].endswith("+")} == OWN_THINGS


def test_a_token_opens_no_page() -> None:
    anonymous, *others = (ROLES.index(role) for role in ("anonymous", *BY_TOKEN_ALONE))
    for table in rows.tables():
        if table != rows.API:
            for key, stated in rows.read(table).items():
                assert {stated[one] for one in others} == {stated[anonymous]}, key


def test_no_call_is_answered_without_a_token_in_force_and_its_scope() -> None:
    for key, stated in rows.read(rows.API).items():
        answers = dict(zip(ROLES, stated, strict=True))
        assert [answers[role] for role in ("anonymous", *BY_TOKEN_ALONE)] == ["401", "401", "403"], key


def test_every_page_that_takes_a_post_refuses_one_without_its_csrf_token(scene: Scene) -> None:
    built = stage.build(scene)
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.cookies.update(built.callers["administrator"].client().cookies)
    for table in rows.tables():
        for key in rows.read(table):
            name, method = key.split()
            if table == rows.API or method != "POST" or name.startswith("api:"):
                continue
            with transaction.atomic():
                path = cells.path_of(built, routes.pages()[name], method)
                assert browser.post(path, cells.body_of(built, key)).status_code == 403, key
                transaction.set_rollback(True)
