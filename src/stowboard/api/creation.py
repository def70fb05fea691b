"""The headers of a creation: `Location`, where the new thing is, and `ETag`.

The address comes from the endpoint table: below the path of the operation that made it, if there is an operation on one
such thing, else that path itself. A handler whose things live elsewhere says so by a header of its own.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from stowboard.api.endpoint import BASE_PATH, AnyEndpoint

HEADERS = {
    "Location": "Where it is from now on.",
    "ETag": "Of what was made.",
}


class CreationAddress:
    """Where an operation's new things are."""

    __slots__ = ("_parameter", "_segments")

    def __init__(self, endpoint: AnyEndpoint, endpoints: Sequence[AnyEndpoint]) -> None:
        path = endpoint.alias_of or endpoint.path
        self._segments = path.split("/")
        below = [other.parameters[-1] for other in endpoints if other.path.rpartition("/{")[0] == path]
        #: Of the operations on one of them.
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
