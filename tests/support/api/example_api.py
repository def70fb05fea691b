"""A small table of endpoints with one of everything that the OpenAPI document has to describe."""

from enum import StrEnum
from typing import Annotated

import msgspec

from stowboard.api.documents.catalogue import Area, Catalogue, every_problem
from stowboard.api.documents.discovery import ENDPOINTS as INDEX
from stowboard.api.endpoint import AnyEndpoint, Call, Deleted, Endpoint, PageMeta
from stowboard.core.errors import Conflict, InvalidCursor, NotFound
from stowboard.core.scopes import Scopes
from stowboard.db.database import Tx


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class BoxQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    limit: Annotated[int, msgspec.Meta(ge=1, description="How many at most; more than 100 are given as 100.")] = 50
    cursor: str | None = None
    painted_in: Colour | None = None
    shelf: str


class BoxBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A box that is to be made."""

    label: Annotated[str, msgspec.Meta(min_length=1, max_length=80, description="What stands on it.")]
    painted_in: Colour = Colour.RED
    needs: list[Annotated[str, msgspec.Meta(extra_json_schema={"format": "scope"})]] | None = None


class BoxChange(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    label: Annotated[str, msgspec.Meta(min_length=1)] | msgspec.UnsetType = msgspec.UNSET
    note: str | msgspec.UnsetType | None = msgspec.UNSET


class Box(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A box on a shelf."""

    id: str
    label: str
    painted_in: Colour = Colour.RED
    note: str | None = None
    weight: int | msgspec.UnsetType = msgspec.UNSET


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    ids: Annotated[list[str], msgspec.Meta(max_length=100)]


async def list_boxes(tx: Tx, call: Call[None, BoxQuery]) -> list[Box]:
    """List the boxes on a shelf."""
    raise NotImplementedError


async def create_box(tx: Tx, call: Call[BoxBody, None]) -> Box:
    """Put a box on a shelf.

    It goes to the end.
    """
    raise NotImplementedError


async def get_box(tx: Tx, call: Call[None, None], box_id: str) -> Box:
    """Read one box."""
    raise NotImplementedError


async def change_box(tx: Tx, call: Call[BoxChange, None], box_id: str) -> Box:
    """Change a box."""
    raise NotImplementedError


async def delete_box(tx: Tx, call: Call[None, None], box_id: str) -> Deleted:
    """Throw a box away."""
    raise NotImplementedError


async def copy_boxes(tx: Tx, call: Call[Contents, None]) -> Box:
    """Make one box of many."""
    raise NotImplementedError


async def count_boxes(tx: Tx, call: Call[Contents, None]) -> dict[str, int]:
    """Count the named boxes."""
    raise NotImplementedError


_BOX = {"id": "box_1", "label": "Letters", "paintedIn": "red", "note": None}

ENDPOINTS: list[AnyEndpoint] = [
    *INDEX,
    Endpoint(
        "GET", "/boxes", list_boxes, list[Box], scope="boxes:read", query=BoxQuery, meta=PageMeta,
        errors=[InvalidCursor], example=[_BOX],
    ),
    Endpoint(
        "POST", "/boxes", create_box, Box, scope="boxes:write", body=BoxBody, errors=[Conflict], status=201,
        also={200: "The box was there already."}, headers={"Location": "Where the box is."},
        example_body={"label": "Letters"}, example=_BOX,
    ),
    Endpoint("GET", "/boxes/{box_id}", get_box, Box, scope="boxes:read", example=_BOX),
    Endpoint("PATCH", "/boxes/{box_id}", change_box, Box, scope="boxes:write", body=BoxChange),
    Endpoint("DELETE", "/boxes/{box_id}", delete_box, Deleted, scope="admin", errors=[NotFound]),
    Endpoint("DELETE", "/crates/{box_id}", delete_box, Deleted, scope="admin", alias_of="/boxes/{box_id}"),
    Endpoint("POST", "/copies", copy_boxes, Box, scope="boxes:write", body=Contents, status=201),
    Endpoint("POST", "/boxes/count", count_boxes, dict[str, int], scope="boxes:read", body=Contents, reads=True),
]  # fmt: skip

CATALOGUE = Catalogue(
    endpoints=ENDPOINTS,
    problems=every_problem(ENDPOINTS),
    scopes=Scopes({"boxes:read": "See boxes.", "boxes:write": "Change boxes.", "admin": "Everything."}),
    areas=[
        Area("Boxes", "Boxes and crates.", ("/boxes", "/crates", "/copies")),
        Area("Discovery", "What describes the API.", ("/",)),
    ],
)
