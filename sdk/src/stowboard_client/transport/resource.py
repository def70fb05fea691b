"""Operations as methods: written once as functions, typed for both clients.

`create = Operation("createToken", create_token)` in a resource makes `client.tokens.create(…)`. On a `Client` it
returns what `create_token` describes, on an `AsyncClient` a coroutine of it, and type checkers know which: the
overloads of `__get__` tell the two by the resource's driver.
"""

from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from stowboard_client.transport.call import Call
from stowboard_client.transport.drivers import AsyncDriver, SyncDriver
from stowboard_client.transport.session import Session
from stowboard_client.transport.signatures import answer_of, dressed
from stowboard_client.transport.steps import Steps

P = ParamSpec("P")
T = TypeVar("T")
D = TypeVar("D", SyncDriver, AsyncDriver)


class Resource(Generic[D]):
    def __init__(self, driver: D) -> None:
        self._driver: D = driver


class Operation(Generic[P, T]):
    #: The operationId in the service's OpenAPI document; None if it is not an operation there.
    operation_id: str | None

    def __init__(self, operation_id: str | None, describe: Callable[P, Call[T]]) -> None:
        self.operation_id = operation_id
        self._describe = describe

    @overload
    def __get__(self, resource: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncDriver], owner: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: object = None) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: object = None) -> Any:
        if resource is None:
            return self

        driver = resource._driver

        def run(*args: P.args, **kwargs: P.kwargs) -> Any:
            return driver.run(self._describe(*args, **kwargs))

        return dressed(run, self._describe, _result(driver, answer_of(self._describe)))


class Conversation(Generic[P, T]):
    """Like `Operation`, for what takes several requests: a generator over steps that is given the session."""

    def __init__(self, converse: Callable[Concatenate[Session, P], Steps[T]]) -> None:
        self._converse = converse

    @overload
    def __get__(self, resource: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncDriver], owner: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: object = None) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: object = None) -> Any:
        if resource is None:
            return self
        driver = resource._driver

        def run(*args: P.args, **kwargs: P.kwargs) -> Any:
            return driver.drive(self._converse(driver.session, *args, **kwargs))

        return dressed(run, self._converse, _result(driver, answer_of(self._converse)), without_first=True)


def _result(driver: SyncDriver | AsyncDriver, answer: Any) -> Any:
    return answer if isinstance(driver, SyncDriver) else Coroutine[Any, Any, answer]
