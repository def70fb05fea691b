"""The headers of a creation: `Location`, the address of the new thing, and `ETag`.

The address comes from the endpoint table: the path of the creation plus the id, if there is an operation on one such
thing; otherwise that path itself. A handler whose things are elsewhere sets the header itself.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from stowboard.api.endpoint import BASE_PATH, AnyEndpoint

HEADERS = {"Location": "Where it is from now on.", "ETag": "Of what was made."}


class CreationAddress:
    """The address of an operation's new things."""

    __slots__ = ("_parameter", "_segments")

    def __init__(self, endpoint: AnyEndpoint, endpoints: Sequence[AnyEndpoint]) -> None:
        path = endpoint.alias_of or endpoint.path
        self._segments = path.split("/")
        below = [other.parameters[-1] for other in endpoints if other.path.rpartition("/{")[0] == path]
        #: The path's parameter of the operations on one new thing; None if there is no such operation.
        self._parameter = below[0] if below else None

    def of(self, origin: str, parameters: Sequence[str], made: Any) -> str:
        values = iter(parameters)
        path = "/".join(
            quote(next(values), safe="") if segment.startswith("{") else segment for segment in self._segments
        )
        if self._parameter is not None:
            name = getattr(made, self._parameter, None) or made.id
            path += f"/{quote(name, safe='')}"
        return origin + BASE_PATH + path
