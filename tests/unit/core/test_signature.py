"""Every handler expects what its row in the table says."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from stowboard.api.endpoint import AnyCall, AnyEndpoint, Call, Endpoint
from stowboard.catalogue import ENDPOINTS
from stowboard.db.database import Tx
from support.api.signature import check_signature


class Box(msgspec.Struct, frozen=True):
    label: str


class HeavyBox(Box, frozen=True):
    weight: int


class Shelf(msgspec.Struct, frozen=True):
    row: int = 1


async def put(tx: Tx, call: Call[Box, None], box_id: str) -> str:
    raise NotImplementedError


async def look(tx: Tx, call: Call[None, Shelf], box_id: str) -> str:
    raise NotImplementedError


async def weigh(tx: Tx, call: Call[Box, None], box_id: str, grams: int) -> str:
    raise NotImplementedError


async def guess(tx: Tx, call: AnyCall, box_id: str) -> str:
    raise NotImplementedError


async def on_scales(call: Call[Box, None], box_id: str) -> int:
    raise NotImplementedError


async def by_eye(call: Call[Box, None], box_id: str) -> str:
    raise NotImplementedError


async def any_scales(call: Call[Box, None]) -> int:
    raise NotImplementedError


def row(run: Callable[..., Awaitable[Any]], path: str = "/boxes/{box_id}", **more: Any) -> AnyEndpoint:
    return Endpoint("POST", path, run, str, **more)


AGREE = [
    row(put, body=Box),
    row(put, body=HeavyBox),
    row(look, query=Shelf),
    row(weigh, body=Box, prepare=on_scales),
]
DISAGREE = [
    (row(put), "body"),
    (row(put, body=Shelf), "body"),
    (row(look, body=Box, query=Shelf), "body"),
    (row(put, body=Box, query=Shelf), "query"),
    (row(look), "query"),
    (row(guess, body=Box), "body"),
    (row(put, "/boxes", body=Box), "parameters"),
    (row(put, "/boxes/{box}", body=Box), "parameters"),
    (row(put, body=Box, prepare=on_scales), "parameters"),
    (row(weigh, body=Box), "parameters"),
    (row(weigh, body=Box, prepare=by_eye), "what is prepared"),
    (row(weigh, body=Box, prepare=any_scales), "parameters"),
    (row(weigh, body=HeavyBox, query=Shelf, prepare=on_scales), "query"),
]


def test_handlers_that_agree_with_their_rows_are_taken() -> None:
    for endpoint in (*AGREE, *ENDPOINTS):
        check_signature(endpoint)


@pytest.mark.parametrize(("endpoint", "what"), DISAGREE)
def test_a_handler_that_disagrees_with_its_row_is_found(endpoint: AnyEndpoint, what: str) -> None:
    with pytest.raises(TypeError, match=rf"^POST /boxes.*: for .*{what}"):
        check_signature(endpoint)
