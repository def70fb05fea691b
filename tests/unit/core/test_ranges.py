"""The header Range against a model that knows only single bytes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.http.ranges import MOST_RANGES, ByteSpan, wanted_spans


@pytest.mark.parametrize(
    ("header", "spans"),
    [
        ("bytes=0-0", [(0, 1)]),
        ("bytes=0-1", [(0, 2)]),
        ("bytes=10-", [(10, 100)]),
        ("bytes=-10", [(90, 100)]),
        ("bytes=-1000", [(0, 100)]),
        ("bytes=99-99", [(99, 100)]),
        ("bytes=50-99999999999999999999999999", [(50, 100)]),
        ("BYTES=0-9", [(0, 10)]),
        ("bytes= 0-9 , 20-29", [(0, 10), (20, 30)]),
        ("bytes=,,0-9,,", [(0, 10)]),
        ("bytes=20-29, 0-9", [(20, 30), (0, 10)]),
        ("bytes=0-9, 5-14", [(0, 15)]),
        ("bytes=0-9, 10-19", [(0, 20)]),
        ("bytes=80-, 0-9, -30", [(70, 100), (0, 10)]),
        ("bytes=0-9, 200-300", [(0, 10)]),
    ],
)
def test_ranges_are_found_and_those_that_overlap_are_one(header: str, spans: list[tuple[int, int]]) -> None:
    assert wanted_spans(header, 100) == [ByteSpan(*span) for span in spans]


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=200-, 300-"])
def test_ranges_without_a_byte_are_not_satisfiable(header: str) -> None:
    assert wanted_spans(header, 100) == []


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=,",
        "bytes=5-4",
        "bytes=0-9, 5-4",
        "bytes=a-b",
        "bytes=0x0-0x9",
        "bytes=--5",
        "bytes=-5-",
        "bytes=0-9-",
        "bytes=+1-5",
        "bytes=1.0-5",
        "bytes=\u0660-\u0669",
        "bytes=0 - 9",
        "items=0-9",
        "bytes 0-9",
        "bytes=0-9;5",
        "bytes=" + "1" * 5000 + "-",
        "bytes=" + ",".join(f"{n}-{n}" for n in range(0, 2 * (MOST_RANGES + 1), 2)),
        "bytes=" + ",".join(["0-0"] * 10_000),
    ],
)
def test_a_header_that_means_nothing_to_us_is_ignored(header: str | None) -> None:
    assert wanted_spans(header, 100) is None


def test_of_nothing_there_are_no_ranges() -> None:
    assert wanted_spans("bytes=0-", 0) is None


def test_as_many_ranges_as_are_allowed_are_answered_also_after_overlaps_were_joined() -> None:
    apart = [f"{n}-{n}" for n in range(0, 2 * MOST_RANGES, 2)]
    assert len(wanted_spans("bytes=" + ",".join(apart), 100) or []) == MOST_RANGES
    assert len(wanted_spans("bytes=" + ",".join(apart * 10), 100) or []) == MOST_RANGES


positions = st.integers(0, 60)
specs = st.one_of(
    st.tuples(positions, positions).map(lambda pair: f"{min(pair)}-{max(pair)}"),
    positions.map(lambda first: f"{first}-"),
    positions.map(lambda last: f"-{last}"),
)


@given(size=st.integers(1, 50), asked=st.lists(specs, min_size=1, max_size=30))
def test_exactly_the_bytes_that_were_asked_for_are_sent_each_once(size: int, asked: list[str]) -> None:
    spans = wanted_spans("bytes=" + ", ".join(asked), size)
    wanted = set().union(*(_bytes_of(spec, size) for spec in asked))
    if spans is None:
        assert _pieces(wanted) > MOST_RANGES
        return
    sent = [byte for span in spans for byte in range(*span)]
    assert len(sent) == len(set(sent))
    assert set(sent) == wanted
    assert len(spans) == _pieces(wanted)
    assert all(0 <= start < end <= size for start, end in spans)
    first_asked = [min(number for number, spec in enumerate(asked) if _bytes_of(spec, size) & set(range(*span)))
                   for span in spans]  # fmt: skip
    assert first_asked == sorted(first_asked)


@given(header=st.text(alphabet="bytes=0123456789-, \t;x", max_size=40), size=st.integers(0, 1000))
def test_whatever_the_header_says_only_bytes_that_exist_are_sent(header: str, size: int) -> None:
    for span in wanted_spans(header, size) or []:
        assert 0 <= span.start < span.end <= size


def _bytes_of(spec: str, size: int) -> set[int]:
    match = re.fullmatch(r"(\d*)-(\d*)", spec)
    assert match
    first, last = match[1], match[2]
    every = range(size)
    if not first:
        return set(every[-int(last) :]) if int(last) else set()
    return {byte for byte in every if int(first) <= byte and (not last or byte <= int(last))}


def _pieces(wanted: set[int]) -> int:
    return sum(1 for byte in wanted if byte - 1 not in wanted)
