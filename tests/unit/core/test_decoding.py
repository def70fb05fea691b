"""Bodies into typed values: what is wrong is found without reading the body again in Python."""

import contextlib
import time
from collections.abc import Callable

import msgspec
import pytest

from stowboard.core.decoding import decode_json
from stowboard.core.errors import Problem, ValidationFailed


class Place(msgspec.Struct):
    line: int


class Move(msgspec.Struct, tag="move", tag_field="op"):
    position: int
    note: str = ""


class Rename(msgspec.Struct, tag="rename", tag_field="op"):
    line: int
    places: list[Place] = []


class Body(msgspec.Struct, rename="camel"):
    due_at: int | None | msgspec.UnsetType = msgspec.UNSET
    place: Place | None = None
    share: float = 0.0
    title: str = ""
    places: list[Place] = []
    operations: list[Move | Rename] = []


DECODER = msgspec.json.Decoder(Body)
#: What nobody asked for, about a mebibyte of it.
BALLAST = b'"x":[' + b"{}," * 350_000 + b"{}]}"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"dueAt":3.0,"x":[1.0]}', Body(due_at=3)),
        (b'{"dueAt":3e2,"share":2.5}', Body(due_at=300, share=2.5)),
        (b'{"dueAt":-0.0,"title":"2.0"}', Body(due_at=0, title="2.0")),
        (b'{"place":{"line":2.0,"x":0.5},"dueAt":null}', Body(due_at=None, place=Place(2))),
        (b'{"places":[{"line":1},{"line":2.0}]}', Body(places=[Place(1), Place(2)])),
        (
            b'{"operations":[{"op":"move","position":1.0},{"op":"rename","line":2.0,"places":[{"line":3.0}]}]}',
            Body(operations=[Move(1), Rename(2, [Place(3)])]),
        ),
    ],
)
def test_a_number_without_a_fraction_is_an_integer_however_it_is_written(raw: bytes, expected: Body) -> None:
    assert decode_json(DECODER, raw) == expected


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'{"dueAt":1.5}', "dueAt: expected an integer or null, got a number."),
        (b'{"place":{"line":1.5}}', "place.line: expected an integer, got a number."),
        (b'{"dueAt":2.0,"place":{"line":"a"}}', "place.line: expected an integer, got a string."),
        (b'{"dueAt":2.0,"title":4}', "title: expected a string, got an integer."),
        (b'{"places":[{"line":2.0},{"line":2.5}]}', "places[1].line: expected an integer, got a number."),
        (b'{"dueAt":1e30}', "dueAt: expected an integer or null, got a number."),
    ],
)
def test_what_is_wrong_is_named(raw: bytes, message: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        decode_json(DECODER, raw)
    assert refused.value.message == message


@pytest.mark.parametrize("wrong", [b'"a"', b"1.5", b'1.0,"title":1'])
def test_a_refused_body_costs_little_more_than_a_good_one(wrong: bytes) -> None:
    good, refused = b'{"dueAt":1,' + BALLAST, b'{"dueAt":' + wrong + b"," + BALLAST
    # Both in this process, one after the other: a busy machine slows both. To read it again in Python took 20 times.
    assert shortest(lambda: decode_json(DECODER, refused)) < 4 * shortest(lambda: decode_json(DECODER, good))


@pytest.mark.parametrize("wrong", [b"1.0", b"1.5"])
def test_a_fraction_beside_large_texts_in_a_list_costs_little_more(wrong: bytes) -> None:
    notes = b",".join(b'{"op":"move","position":1,"note":"%b"}' % (b"a, " * 25_000) for _ in range(90))
    good, other = (b'{"operations":[{"op":"move","position":%b},%b]}' % (value, notes) for value in (b"1", wrong))
    assert shortest(lambda: decode_json(DECODER, other)) < 6 * shortest(lambda: decode_json(DECODER, good))


def test_a_fraction_behind_lists_of_many_small_things_costs_little_more() -> None:
    small = b",".join(b'{"line":1}' for _ in range(190_000))
    good, other = (b'{"places":[%b],"dueAt":%b}' % (small, value) for value in (b"1", b"1.5"))
    assert shortest(lambda: decode_json(DECODER, other)) < 6 * shortest(lambda: decode_json(DECODER, good))


def shortest(call: Callable[[], object]) -> float:
    seconds = []
    for _ in range(5):
        start = time.process_time()
        with contextlib.suppress(Problem):
            call()
        seconds.append(time.process_time() - start)
    return min(seconds)
