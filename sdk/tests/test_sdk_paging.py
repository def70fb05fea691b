"""Lists that span pages."""

from typing import Any

from both_faces import Face, collected, settled
from scripted_server import Answer, ScriptedServer, data, error
from test_sdk_operations import TOKEN


def _page(ids: list[str], following: str | None) -> Answer:
    meta = {"nextCursor": following, "hasMore": following is not None, "limit": 2}
    return data([{**TOKEN, "id": id_} for id_ in ids], meta)


async def test_a_list_follows_the_cursor_to_its_end_and_keeps_its_filters(face: Face, server: ScriptedServer) -> None:
    server.will(_page(["a", "b"], "c/1="), _page([], "c2"), _page(["c"], None))
    items = await collected(face.client().tokens.list(limit=2))
    assert [item.id for item in items] == ["a", "b", "c"]
    assert [asked.query for asked in server.seen] == [
        {"limit": ["2"]},
        {"limit": ["2"], "cursor": ["c/1="]},
        {"limit": ["2"], "cursor": ["c2"]},
    ]


async def test_a_list_that_is_not_read_to_its_end_fetches_no_further_page(face: Face, server: ScriptedServer) -> None:
    server.will(_page(["a", "b"], "more"))
    listing: Any = face.client().tokens.list()
    assert server.seen == []
    if hasattr(listing, "__aiter__"):
        iterator = aiter(listing)
        assert [(await anext(iterator)).id, (await anext(iterator)).id] == ["a", "b"]
        await iterator.aclose()
    else:
        iterator = iter(listing)
        assert [next(iterator).id, next(iterator).id] == ["a", "b"]
    assert len(server.seen) == 1


async def test_pages_come_with_their_meta(face: Face, server: ScriptedServer) -> None:
    server.will(_page(["a"], "next"), _page(["b"], None))
    first, second = await collected(face.client().tokens.list().pages())
    assert (first.meta.next_cursor, first.meta.has_more, first.meta.limit) == ("next", True, 2)
    assert (second.meta.next_cursor, [item.id for item in second.items]) == (None, ["b"])


async def test_one_page_is_fetched_by_its_cursor(face: Face, server: ScriptedServer) -> None:
    server.will(_page(["b"], "beyond"))
    page = await settled(face.client().tokens.list().page(cursor="here"))
    assert [item.id for item in page.items] == ["b"]
    assert [asked.query for asked in server.seen] == [{"cursor": ["here"]}]


async def test_a_page_that_fails_for_a_moment_is_asked_again_and_no_item_is_lost(
    face: Face, server: ScriptedServer
) -> None:
    server.will(_page(["a"], "next"), error(503, "service_unavailable", Retry_After="1"), _page(["b"], None))
    assert [item.id for item in await collected(face.client().tokens.list())] == ["a", "b"]
