"""Compares a handler's annotations with its row in the endpoint table.

mypy compares the two where a row names a type; here a row that names none, or one too many, is found as well.
"""

import inspect
from types import NoneType
from typing import Any, get_args, get_origin

from stowboard.api.endpoint import AnyEndpoint, Call, NoMeta


def check_signature(endpoint: AnyEndpoint) -> None:
    """Raises TypeError if the handler, or what prepares for it, expects something else than the row says."""
    if endpoint.body is not None and not issubclass(endpoint.meta, NoMeta):
        raise TypeError(f"{endpoint.method} {endpoint.path}: {endpoint.meta} cannot name what of the body was ignored.")
    prepared: list[Any] = []
    if endpoint.prepare is not None:
        call, *rest = inspect.signature(endpoint.prepare).parameters.values()
        _check_call(endpoint, endpoint.prepare, call)
        _check_parameters(endpoint, endpoint.prepare, rest)
        prepared = [inspect.signature(endpoint.prepare).return_annotation]
    _, call, *rest = inspect.signature(endpoint.run).parameters.values()
    _check_call(endpoint, endpoint.run, call)
    _check_parameters(endpoint, endpoint.run, rest[: len(rest) - len(prepared)])
    if [parameter.annotation for parameter in rest[len(endpoint.parameters) :]] != prepared:
        raise _disagreement(endpoint, endpoint.run, "what is prepared", prepared, rest[len(endpoint.parameters) :])


def _check_call(endpoint: AnyEndpoint, function: Any, call: inspect.Parameter) -> None:
    if get_origin(call.annotation) is not Call:
        raise _disagreement(endpoint, function, "a call", Call, call.annotation)
    body, query = get_args(call.annotation)
    for name, said, expected in (("body", endpoint.body, body), ("query", endpoint.query, query)):
        if not isinstance(expected, type) or not issubclass(said or NoneType, expected):
            raise _disagreement(endpoint, function, f"the {name}", said, expected)


def _check_parameters(endpoint: AnyEndpoint, function: Any, rest: list[inspect.Parameter]) -> None:
    names = [parameter.name for parameter in rest]
    if names != endpoint.parameters:
        raise _disagreement(endpoint, function, "the path's parameters", endpoint.parameters, names)


def _disagreement(endpoint: AnyEndpoint, function: Any, what: str, said: Any, expected: Any) -> TypeError:
    return TypeError(
        f"{endpoint.method} {endpoint.path}: for {what} the table says {said}, {function.__name__} takes {expected}."
    )
