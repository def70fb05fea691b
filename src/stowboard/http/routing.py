"""Paths to what serves them: a tree of segments, made once from the literal tables."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Resource(Generic[T]):
    """One path: what serves each method."""

    methods: dict[str, T] = field(default_factory=dict)

    @property
    def allow(self) -> str:
        """The value of the Allow header; GET implies HEAD, and everything answers OPTIONS."""
        names = [*self.methods, "OPTIONS"] + (["HEAD"] if "GET" in self.methods else [])
        return ", ".join(sorted(set(names)))


@dataclass(slots=True)
class _Node(Generic[T]):
    literal: "dict[str, _Node[T]]" = field(default_factory=dict)
    parameter: "_Node[T] | None" = None
    rest: "_Node[T] | None" = None
    resource: Resource[T] | None = None


class Router(Generic[T]):
    """`/a/{b}` takes one segment for b, `/a/{b...}` takes all that follow. A literal segment wins over a parameter."""

    def __init__(self, rows: Iterable[tuple[str, str, T]] = ()) -> None:
        """A row is a method, a path, and what serves them."""
        self._root: _Node[T] = _Node()
        #: Nodes before the first parameter, found by one look-up.
        self._literal: dict[str, _Node[T]] = {}
        for row in rows:
            self.add(*row)

    def add(self, method: str, path: str, target: T) -> None:
        node, segments = self._root, path.strip("/").split("/")
        for number, segment in enumerate(segments, 1):
            node = _child(node, segment)
            if not any("{" in before for before in segments[:number]):
                self._literal["/".join(segments[:number])] = node
        node.resource = node.resource or Resource()
        if method in node.resource.methods:
            raise ValueError(f"{method} {path} is declared twice")
        node.resource.methods[method] = target

    def find(self, path: str) -> tuple[Resource[T], list[str]] | None:
        """The resource at a path without its leading slash, and the values of its parameters."""
        literal = self._literal
        if (known := literal.get(path)) is not None:
            return (known.resource, []) if known.resource else None
        before, _, last = path.rpartition("/")
        if last and (known := literal.get(before)) is not None and known.parameter is not None and known.rest is None:
            # One parameter, at the end: most requests are of this kind.
            return (known.parameter.resource, [last]) if known.parameter.resource else None
        values: list[str] = []
        node = self._root
        segments = path.split("/")
        for index, segment in enumerate(segments):
            below = node.literal.get(segment)
            if below is None and node.rest is not None:
                values.append("/".join(segments[index:]))
                node = node.rest
                break
            if below is None:
                below = node.parameter
                values.append(segment)
            if below is None or (not segment and path):
                return None
            node = below
        return (node.resource, values) if node.resource else None


def _child(node: _Node[T], segment: str) -> _Node[T]:
    if segment.startswith("{") and segment.endswith("...}"):
        node.rest = node.rest or _Node()
        return node.rest
    if segment.startswith("{"):
        node.parameter = node.parameter or _Node()
        return node.parameter
    return node.literal.setdefault(segment, _Node())
