"""Texts that are English to machines and the reader's language on a page."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from django.template import Context, Template
from django.utils import translation

from kafkaconsole.words import Words, counted, joined, known, shown, words

NO_COMMIT = "the group has no commit here"
KOREAN = "그룹이 이 파티션에 커밋한 오프셋이 없습니다"


def _in_korean(text: object) -> str:
    with translation.override("ko"):
        return shown(text)


def test_words_are_english_to_whoever_does_not_ask() -> None:
    with translation.override("ko"):
        assert words(NO_COMMIT) == NO_COMMIT
        assert json.dumps(words(NO_COMMIT)) == f'"{NO_COMMIT}"'
        assert f"{words(NO_COMMIT)}" == NO_COMMIT


def test_shown_words_are_in_the_language_in_force() -> None:
    assert shown(words(NO_COMMIT)) == NO_COMMIT
    assert _in_korean(words(NO_COMMIT)) == KOREAN


def test_a_template_says_words_in_the_language_in_force_and_escapes_their_facts() -> None:
    page = Template("<p>{{ told }}</p>")
    told = words("Group {group} does not exist; it will be created by this reset.", group="<b>&")
    with translation.override("ko"):
        drawn = page.render(Context({"told": told}))
    assert "&lt;b&gt;&amp;" in drawn
    assert "does not exist" not in drawn
    assert "<b>" not in drawn


def test_facts_that_are_words_are_said_too() -> None:
    told = words("{why} ({count})", why=words(NO_COMMIT), count=2)
    assert told == f"{NO_COMMIT} (2)"
    assert _in_korean(told) == f"{KOREAN} (2)"


def test_joined_words_are_each_said() -> None:
    told = joined([words(NO_COMMIT), "orders-0"], "; ")
    assert told == f"{NO_COMMIT}; orders-0"
    assert _in_korean(told) == f"{KOREAN}; orders-0"


@pytest.mark.parametrize(
    ("number", "english"), [(1, "1 hour"), (0, "0 hours"), (2, "2 hours"), (12000, "12,000 hours")]
)
def test_counted_words_have_a_singular_and_a_plural(number: int, english: str) -> None:
    told = counted("{count} hour", "{count} hours", number)
    assert told == english
    assert _in_korean(told) == f"{number:,}시간"


def test_a_fact_that_is_missing_is_a_bug_and_told_at_once() -> None:
    with pytest.raises(KeyError):
        words("Group {group} does not exist; it will be created by this reset.")


def test_what_a_row_kept_is_said_where_it_is_ours_and_left_where_it_is_not() -> None:
    assert _in_korean(known(NO_COMMIT)) == KOREAN
    assert _in_korean(known("a {brace} of somebody's")) == "a {brace} of somebody's"
    assert _in_korean(known("")) == ""


def test_known_words_stay_the_words_they_are() -> None:
    told = words(NO_COMMIT)
    assert known(told) is told


def test_values_that_change_are_told_as_they_were() -> None:
    class Team:
        name = "Billing"

        def __str__(self) -> str:
            return self.name

    team = Team()
    told = words("Only an owner of {team} or an administrator can change the team.", team=team)
    team.name = "Search"
    assert "Billing" in _in_korean(told)


@pytest.mark.parametrize("copied", [lambda told: pickle.loads(pickle.dumps(told)), copy.deepcopy])
def test_words_can_be_sent_and_copied(copied: object) -> None:
    told = counted("{count} day", "{count} days", 3)
    other = copied(told)  # type: ignore[operator]
    assert isinstance(other, Words)
    assert _in_korean(other) == _in_korean(told) == "3일"
