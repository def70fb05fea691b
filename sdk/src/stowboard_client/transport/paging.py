"""Lists, followed from page to page.

`client.tokens.list()` sends nothing yet. Iterating it gives the items of all pages, each page fetched when it is
needed; `.pages()` gives the pages, and `.page(cursor)` one of them. A cursor is good for the filters it was given for.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

import msgspec

from stowboard_client.transport.call import Call, Model
from stowboard_client.transport.drivers import AsyncDriver, SyncDriver
from stowboard_client.transport.resource import Resource
from stowboard_client.transport.signatures import answer_of, dressed

P = ParamSpec("P")
T = TypeVar("T")


class PageMeta(Model, frozen=True, kw_only=True):
    next_cursor: str | None = None
    has_more: bool = False
    limit: int | None = None
    #: Of notifications alone: how many are unread, counted up to 100.
    unread: int | None = None


class Page(Model, Generic[T], frozen=True, kw_only=True):
    items: tuple[T, ...] = msgspec.field(name="data")
    meta: PageMeta


class Pager(Generic[T]):
    def __init__(self, driver: SyncDriver, first: Call[Page[T]]) -> None:
        self._driver = driver
        self._first = first

    def page(self, cursor: str | None = None) -> Page[T]:
        return self._driver.run(_at(self._first, cursor))

    def pages(self) -> Iterator[Page[T]]:
        page = self.page()
        yield page
        while page.meta.has_more:
            page = self.page(page.meta.next_cursor)
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items


class AsyncPager(Generic[T]):
    def __init__(self, driver: AsyncDriver, first: Call[Page[T]]) -> None:
        self._driver = driver
        self._first = first

    async def page(self, cursor: str | None = None) -> Page[T]:
        return await self._driver.run(_at(self._first, cursor))

    async def pages(self) -> AsyncIterator[Page[T]]:
        page = await self.page()
        yield page
        while page.meta.has_more:
            page = await self.page(page.meta.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item


class Listing(Generic[P, T]):
    """Like `Operation`, for a function that describes a list's first page."""

    def __init__(self, operation_id: str, describe: Callable[P, Call[Page[T]]]) -> None:
        self.operation_id = operation_id
        self._describe = describe

    @overload
    def __get__(self, resource: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncDriver], owner: object = None) -> Callable[P, Pager[T]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: object = None) -> Callable[P, AsyncPager[T]]: ...
    def __get__(self, resource: Resource[Any] | None, owner: object = None) -> Any:
        if resource is None:
            return self
        driver = resource._driver
        pager = Pager if isinstance(driver, SyncDriver) else AsyncPager

        def begin(*args: P.args, **kwargs: P.kwargs) -> Any:
            return pager(driver, self._describe(*args, **kwargs))

        (item,) = answer_of(self._describe).__args__
        return dressed(begin, self._describe, pager[item])


def _at(call: Call[Page[T]], cursor: str | None) -> Call[Page[T]]:
    return call.with_query(cursor=cursor) if cursor is not None else call
