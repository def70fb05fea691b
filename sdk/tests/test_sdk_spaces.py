"""The space of a call: named, chosen once for a client, or decided by what the call is about."""

import contextlib
from typing import Any

import pytest
from both_faces import Face, collected, settled
from scripted_server import ScriptedServer, data, error

from stowboard_client import ApiError

META = {"nextCursor": None, "hasMore": False, "limit": 50}
#: Each in a way of its own: lists in the query, creations in the body, one without a body in the query.
CALLS = {
    "tasks.create": ("Milk",), "tasks.quick_add": ("Milk fri",), "tasks.parse": ("Milk fri",), "tasks.list": (),
    "tasks.backfill": (), "tasks.activate_index": (), "tasks.create_calendar": (), "tasks.delete_calendar": (),
    "boards.create": ("Home",), "boards.list": (), "tags.list": (), "tags.rename": ("a", "b"), "search": ("milk",),
    "assets.list": (), "assets.tags": (), "assets.rename_tag": ("a", "b"), "assets.stats": (),
    "uploads.image": ("a.png", b"x"), "uploads.file": ("a.txt", b"x"), "uploads.presigned": ("a.txt", 1),
    "uploads.from_url": ("https://example.org/a",), "videos.list": (), "videos.create": ("Talk",),
    "events.list": (), "webhooks.list": (), "webhooks.create": ("https://example.org/", ["*"]),
}  # fmt: skip


async def sent(face: Face, server: ScriptedServer, client: Any, name: str, *args: Any, **members: Any) -> Any:
    """The `spaceId` of the request that the call makes, and where it stands."""
    group, _, verb = name.rpartition(".")
    method = getattr(getattr(client, group) if group else client, verb)
    server.will(error(418, "seen"))
    begun = len(server.seen)
    with contextlib.suppress(ApiError):
        found = method(*args, **members)
        await (collected(found) if hasattr(found, "pages") else settled(found))
    asked = server.seen[begun]
    in_body = asked.json.get("spaceId") if asked.body else None
    return in_body, asked.query.get("spaceId", [None])[0], bool(asked.body)


@pytest.mark.parametrize("name", CALLS)
async def test_a_space_is_sent_if_it_is_named_or_chosen_for_the_client(
    face: Face, server: ScriptedServer, name: str
) -> None:
    client = face.client()
    at_home, arguments = client.with_options(space="spc_home"), CALLS[name]
    assert (await sent(face, server, client, name, *arguments))[:2] == (None, None)
    for asking, named, expected in (
        (client, {"space": "spc_work"}, "spc_work"),
        (at_home, {}, "spc_home"),
        (at_home, {"space": "own"}, "own"),
    ):
        in_body, in_query, has_body = await sent(face, server, asking, name, *arguments, **named)
        assert (in_body, in_query) == ((expected, None) if has_body else (None, expected))
    assert (client.space, at_home.space, at_home.with_options(retries=0).space) == (None, "spc_home", "spc_home")


async def test_the_board_or_the_asset_decides_unless_a_space_is_named(face: Face, server: ScriptedServer) -> None:
    at_home = face.client().with_options(space="spc_home")
    for name, arguments, other in (
        ("tasks.create", ("Milk",), {"board_id": "brd_1"}),
        ("tasks.list", (), {"board_id": "brd_1"}),
        ("uploads.presigned", ("a.txt", 1), {"asset_id": "ast_1"}),
    ):
        assert (await sent(face, server, at_home, name, *arguments, **other))[:2] == (None, None)
        named = await sent(face, server, at_home, name, *arguments, **other, space="spc_work")
        assert "spc_work" in named[:2]


async def test_what_is_about_one_thing_is_asked_for_by_its_id_alone(face: Face, server: ScriptedServer) -> None:
    at_home = face.client().with_options(space="spc_home")
    for name, arguments in (("tasks.get", ("tsk_1",)), ("tasks.complete", ("tsk_1",)), ("spaces.list", ())):
        assert (await sent(face, server, at_home, name, *arguments))[:2] == (None, None)


async def test_an_upload_of_any_size_goes_to_the_space(face: Face, server: ScriptedServer) -> None:
    client = face.client()
    for size in (1, 5 * 1024 * 1024):
        found = await sent(face, server, client, "upload", b"x" * size, filename="a.bin", kind="file", space="spc_home")
        assert found[0] == "spc_home"
    assert (await sent(face, server, client, "videos.upload", b"x", "Talk", space="spc_home"))[0] == "spc_home"


async def test_every_page_of_a_list_is_asked_for_in_the_space(face: Face, server: ScriptedServer) -> None:
    server.will(data([], {"nextCursor": "c2", "hasMore": True, "limit": 1}), data([], META))
    await collected(face.client().tasks.list(space="all"))
    assert [asked.query["spaceId"] for asked in server.seen] == [["all"], ["all"]]
