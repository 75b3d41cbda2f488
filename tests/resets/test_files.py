"""Files of offsets: every form that people and tools write, and nothing guessed."""

from __future__ import annotations

import pytest

from kafkaconsole.kafka.values import GroupId, TopicPartition
from kafkaconsole.resets import files
from kafkaconsole.resets.files import BadFile, parse_offsets, plan_as_csv
from tests.resets.making import a_change, a_partition, a_plan

GROUP = GroupId("g")
EXPECTED = {"t-0": 5, "t-1": 6}


def read(text: str, topic: str | None = None) -> dict[str, int]:
    """The rows of a file as a mapping."""
    return {str(row.of): row.offset for row in parse_offsets(text, group=GROUP, topic=topic)}


def problems(text: str, topic: str | None = None) -> list[tuple[int, str]]:
    """The numbers and texts of all bad lines."""
    with pytest.raises(BadFile) as caught:
        parse_offsets(text, group=GROUP, topic=topic)
    return [(problem.line, problem.text) for problem in caught.value.problems]


def expected(text: str, topic: str | None = None) -> str:
    """What the first refusal expected."""
    with pytest.raises(BadFile) as caught:
        parse_offsets(text, group=GROUP, topic=topic)
    return caught.value.problems[0].expected


@pytest.mark.parametrize(
    "text",
    [
        "t,0,5\nt,1,6",
        "t,1,6\nt,0,5\n",
        "g,t,0,5\ng,t,1,6",
        "topic,partition,offset\nt,0,5\nt,1,6",
        "offset,Partition,TOPIC\n5,0,t\n6,1,t",
        "group,topic,partition,offset\ng,t,0,5\ng,t,1,6",
        "\ufefft,0,5\r\nt,1,6\r\n\r\n\r\n",
        "t,0,5\rt,1,6\r",
        '"t","0","5"\n"t","1","6"\n',
        " t , 0 , 5 \n\tt,1,6\t",
        't, "0", 5\nt,1,6',
        "# saved by Alice\n\nt,0,5\n  # and the other\nt,1,6\n\n\n",
        "t,00,005\nt,1,6",
    ],
)
def test_all_forms_give_the_same_rows(text: str) -> None:
    assert read(text) == EXPECTED


@pytest.mark.parametrize("text", ["0,5\n1,6", "partition,offset\n0,5\n1,6", "t,0,5\nt,1,6"])
def test_a_topic_beside_the_file_is_for_rows_that_have_none(text: str) -> None:
    assert read(text, topic="t") == EXPECTED


def test_rows_without_a_topic_need_one_beside_the_file() -> None:
    assert problems("0,5") == [(1, "0,5")]
    assert "strategy.topic" in expected("0,5")


@pytest.mark.parametrize(
    "row",
    ["t,0", "t", "t,0,", "t,,5", "t,0,null", "t,0,5,", "t,0,5,6,7", "t,0,-1", "t,-1,5", "t,0,5.0", "t,0,1e3", "t,0,0x10",
     "t,0,+5", "t,0,1_000", "t,0,1,000", 't,0,"1,000"', "t,0,1 000", "t,0,٥", "t,0,9223372036854775808", "t,2147483648,5",
     "t,0,99999999999999999999", ",0,5", "a topic,0,5", "t;0;5", 't,0,"5', 't,0,5"6"', "t,0,NaN", "t,0,\x00"],
)  # fmt: skip
def test_a_bad_row_is_named_and_the_good_ones_do_not_hide_it(row: str) -> None:
    assert problems(f"t,7,7\n{row}\nt,8,8")[0] == (2, row.strip())
    assert problems(row)[0][0] == 1


def test_the_largest_numbers_are_taken() -> None:
    assert read("t,2147483647,9223372036854775807") == {"t-2147483647": 2**63 - 1}


def test_a_partition_twice_names_both_lines_even_if_both_say_the_same() -> None:
    assert problems("t,0,5\nt,1,6\nt,0,5") == [(3, "t,0,5")]
    assert "line 1" in expected("t,0,5\nt,1,6\nt,0,7")


def test_rows_of_another_group_are_refused() -> None:
    assert problems("g,t,0,5\nh,t,1,6\nG,t,2,6") == [(2, "h,t,1,6"), (3, "G,t,2,6")]


def test_rows_of_another_topic_than_the_one_beside_the_file_are_refused() -> None:
    assert problems("t,0,5\nu,1,6", topic="t") == [(2, "u,1,6")]


@pytest.mark.parametrize(
    "header",
    ["topic,partition,offset,lag", "partition,partition,offset", "topic,offset", "Topic;Partition,offset",
     "TOPIC,PARTITION,NEW-OFFSET", "topic,partition"],
)  # fmt: skip
def test_a_header_that_is_not_known_is_refused_and_the_rows_below_it_are_not_judged(header: str) -> None:
    assert problems(f"{header}\nt,0,5\nt,0\nt,x,y") == [(1, header)]


def test_a_topic_may_be_named_topic() -> None:
    assert read("topic,0,5") == {"topic-0": 5}


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "topic,partition,offset\n", "\ufeff"])
def test_a_file_without_rows_is_refused(text: str) -> None:
    assert problems(text) == [(0, "")]


def test_mixed_widths_are_refused() -> None:
    assert problems("t,0,5\ng,t,1,6\n0,5") == [(2, "g,t,1,6"), (3, "0,5")]


def test_every_bad_line_is_listed() -> None:
    text = "\n".join(["t,x,1"] * 300)
    assert [line for line, _ in problems(text)] == list(range(1, 301))


def test_size_and_rows_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (files.MAX_BYTES, files.MAX_ROWS) == (10_000_000, 200_000)
    monkeypatch.setattr(files, "MAX_ROWS", 2)
    assert read("t,0,5\n# a comment is no row\nt,1,6\n") == EXPECTED
    for ends in ("\n", "\r\n", "\r"):
        many = ends.join(["t,0,5", "t,1,6", "t,2,7"])
        assert (problems(many), expected(many)) == ([(0, "")], "at most 2 rows")
    monkeypatch.setattr(files, "MAX_BYTES", 12)
    assert read("t,0,5\nt,1,6\n") == EXPECTED
    for long in ("t,0,5\nt,1,6\n ", "#éééééé"):  # 13 characters; 7 characters, 13 bytes
        assert (problems(long), expected(long)) == ([(0, "")], "at most 12 bytes")


def test_two_hundred_thousand_rows_are_read() -> None:
    rows = parse_offsets("\n".join(f"t,{number},{number}" for number in range(200_000)), group=GROUP, topic=None)
    assert len(rows) == 200_000 and rows[-1].offset == 199_999


def test_a_plan_exports_its_targets_without_a_header() -> None:
    plan = a_plan(
        a_change(rules={"no_commit": "leave"}),
        a_partition(of=TopicPartition("t", 10)),
        a_partition(of=TopicPartition("t", 2)),
        a_partition(of=TopicPartition("t", 3), committed=None),
    )
    assert plan_as_csv(plan.lines) == "t,2,10\nt,10,10\n"


def test_an_exported_plan_reads_back_to_the_same_targets() -> None:
    partitions = (a_partition(), a_partition(of=TopicPartition("t", 1), committed=None))
    plan = a_plan(a_change("to_offset", strategy={"offset": 55}), *partitions)
    again = a_plan(a_change("from_file", strategy={"csv": plan_as_csv(plan.lines)}), *partitions)
    assert [line.target for line in again.lines] == [line.target for line in plan.lines] == [55, 55]
