"""Files come into a shared space as a form and from another server, and its members see which tasks have them."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from support.api.answers import data_of, error_of
from support.clients.space_people import SpacePerson, people
from support.media.unique_images import png
from support.outgoing.file_server import ALLOWED, File, FileServer
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.waiting import wait_until

IMAGE, FROM_URL = "/media/upload/image", "/media/upload/from-url"
NEVER = "spc_7zzzzzzzzzzzzzzzzzzzzzzzzz"


@pytest.fixture(scope="module")
def fetching_server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    """One that may ask this machine."""
    server = make_server(stack() | UNLIMITED | ALLOWED)
    yield server
    server.kill()


@pytest.fixture
def members(fetching_server: Server) -> Iterator[tuple[str, dict[str, SpacePerson]]]:
    """A space, and people: its manager, an editor, a viewer, and a stranger."""
    with people(fetching_server, "ann", "ed", "vi", "eve") as (ann, ed, vi, eve):
        home = ann.make_space()
        ann.add(home, ed, "editor")
        ann.add(home, vi, "viewer")
        yield home, {"ann": ann, "ed": ed, "vi": vi, "eve": eve}


Members = tuple[str, dict[str, SpacePerson]]


@pytest.mark.parametrize("together", [False, True])
def test_a_form_names_the_space_in_a_field_or_in_json(members: Members, together: bool) -> None:
    home, who = members
    image = ("harbour.png", png(20, 10), "image/png")
    said: dict[str, Any] = (
        {"files": {"file": image, "json": (None, f'{{"spaceId": "{home}"}}')}}
        if together
        else {"files": {"file": image}, "data": {"spaceId": home}}
    )
    asset = data_of(who["ed"].api.post(IMAGE, **said), 201)
    assert (asset["spaceId"], asset["visibility"], asset["createdBy"]) == (home, "protected", who["ed"].name)
    assert data_of(who["vi"].api.get(f"/media/assets/{asset['id']}"))["id"] == asset["id"]
    assert error_of(who["eve"].api.get(f"/media/assets/{asset['id']}")) == (404, "not_found")
    assert error_of(who["vi"].api.post(IMAGE, **said)) == (403, "insufficient_role")
    assert error_of(who["eve"].api.post(IMAGE, **said)) == (404, "not_found")
    listed = data_of(who["ann"].api.get("/media/assets", params={"spaceId": home}))
    assert [each["id"] for each in listed] == [asset["id"]]


def test_a_file_of_another_server_is_fetched_into_the_space(members: Members) -> None:
    home, who = members
    with FileServer() as files:
        files.files["/a.png"] = File(png(20, 10), headers={"content-type": "image/png"})
        body = {"url": f"{files.origin}/a.png", "spaceId": home}
        begun = data_of(who["ed"].api.post(FROM_URL, json=body), 201)["id"]
        seen: dict[str, Any] = {}

        def ready() -> bool:
            seen.update(data_of(who["vi"].api.get(f"{FROM_URL}/{begun}")))
            return seen["status"] in ("ready", "failed")

        wait_until(ready)
        assert (seen["status"], seen["error"]) == ("ready", None)
        asset = data_of(who["vi"].api.get(f"/media/assets/{begun}"))
        assert (asset["spaceId"], asset["visibility"], asset["createdBy"]) == (home, "protected", who["ed"].name)
        asked = len(files.asked)
        assert error_of(who["vi"].api.post(FROM_URL, json=body)) == (403, "insufficient_role")
        unseen = who["eve"].api.post(FROM_URL, json=body)
        never = who["eve"].api.post(FROM_URL, json=body | {"spaceId": NEVER})
        assert error_of(unseen) == error_of(never) == (404, "not_found")
        assert error_of(who["eve"].api.get(f"{FROM_URL}/{begun}")) == (404, "not_found")
        assert len(files.asked) == asked


def test_the_uses_of_a_file_are_the_tasks_that_the_caller_sees(members: Members) -> None:
    home, who = members
    image = {"filename": "a.png", "data": base64.b64encode(png(20, 10)).decode()}
    shared = data_of(who["ed"].api.post(IMAGE, json=image | {"spaceId": home}), 201)["id"]
    common = data_of(who["ed"].api.post(IMAGE, json=image), 201)["id"]
    ours = made(who["ed"], [shared, common], spaceId=home)
    mine = made(who["ed"], [common])
    theirs = made(who["eve"], [common])
    assert uses(who["vi"], shared) == [ours]
    assert sorted(uses(who["ed"], common)) == sorted([ours, mine])
    assert uses(who["vi"], common) == [ours]
    assert uses(who["eve"], common) == [theirs]
    assert error_of(who["eve"].api.get(f"/media/assets/{shared}/usage")) == (404, "not_found")
    unused = who["vi"].api.get("/media/assets", params={"spaceId": home, "unused": "true"})
    assert data_of(unused) == []


def made(person: SpacePerson, attachments: list[str], **members: str) -> str:
    task = {"title": "Look", "attachments": attachments} | members
    task_id: str = data_of(person.api.post("/taskapp/tasks", json=task), 201)["id"]
    return task_id


def uses(person: SpacePerson, asset_id: str) -> list[str]:
    return [use["taskId"] for use in data_of(person.api.get(f"/media/assets/{asset_id}/usage"))]
