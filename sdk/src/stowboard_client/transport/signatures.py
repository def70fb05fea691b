"""Methods that look like the functions which they run, so that `help(client.upload)` shows their arguments."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def dressed(run: F, function: Callable[..., Any], answer: Any, *, without_first: bool = False) -> F:
    """`run` with the name, documentation and parameters of `function`, and the type of what it answers.

    `without_first` leaves out the first parameter, which the library gives and not the caller.
    """
    run.__name__, run.__qualname__, run.__doc__ = function.__name__, function.__qualname__, function.__doc__
    run.__module__ = function.__module__
    run.__signature__ = _signature(function, answer, without_first)  # type: ignore[attr-defined]
    return run


@functools.cache
def answer_of(function: Callable[..., Any]) -> Any:
    """The last type inside its annotation: `Task` of `Call[Task]` and of `Steps[Task]`."""
    return inspect.signature(function).return_annotation.__args__[-1]


@functools.cache
def _signature(function: Callable[..., Any], answer: Any, without_first: bool) -> inspect.Signature:
    parameters = list(inspect.signature(function).parameters.values())
    return inspect.Signature(parameters[1:] if without_first else parameters, return_annotation=answer)
