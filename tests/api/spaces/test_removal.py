"""Whoever is removed from a space reaches nothing of it a second later, whichever process is asked, by any way."""

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx2
import pytest

from stowboard.access.authentication import REMEMBERED_SECONDS
from support.api.answers import data_of
from support.api.space_matrix import PNG
from support.clients.listening import Listener
from support.clients.space_people import SpacePerson, people
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import until
from support.webhooks.receiver import ALLOWED, Receiver

TASKS = "/taskapp/tasks"
TUS = {"tus-resumable": "1.0.0"}
#: Of each of some forty ways, over connections of their own: every process is asked.
BEFORE, MEANWHILE, AFTER = 4, 2, 6
Ways = dict[str, Callable[[], httpx2.Response]]


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED | ALLOWED, "--workers", "3")
    yield server
    server.kill()


class SharedThings:
    """The things of two managers in a space, and every way by which the second one reaches them."""

    def __init__(self, server: Server, ann: SpacePerson, ben: SpacePerson, web: httpx2.Client, hook: str) -> None:
        self._server, self._web = server, web
        self.home = home = ann.make_space()
        ann.add(home, ben, "manager")
        self.task = made(ann, TASKS, title="secret", spaceId=home, tags=["secret"], dueAt=4_000_000_000_000)["id"]
        self.board = made(ann, "/taskapp/boards", name="secret", spaceId=home)["id"]
        self.asset = made(ann, "/media/upload/image", filename="secret.png", data=PNG, spaceId=home)["id"]
        self.upload = made(ben, "/media/upload/presigned", filename="a.txt", size=5, spaceId=home)
        self.video = made(ben, "/media/videos/upload", title="secret", size=10, spaceId=home)
        self.calendars = [made(ben, "/taskapp/calendar", spaceId=each)["url"] for each in (home, "all")]
        self.signed = made(ben, f"/media/assets/{self.asset}/url", 200)["url"]
        self.token = made(ben, f"/spaces/{home}/tokens", name="fridge")["token"]
        self.script = made(ben, "/access/me/tokens", name="script", spaces=[home])["token"]
        self.webhook = made(ben, "/webhooks", url=hook, types=["task.*"], spaceId=home)["id"]
        self.session = ben.api.headers["authorization"].removeprefix("Bearer ")

    def ways(self) -> Ways:
        ways: Ways = {}
        for name, token in (("session", self.session), ("token", self.script), ("token of the space", self.token)):
            for path in self._paths():
                ways[f"{path} by {name}"] = self._get(f"{self._server.base_url}{path}", token)
        for url in (*self.calendars, self.signed):
            ways[url] = self._get(url)
        ways["upload"] = lambda: self._web.head(self.upload["tusUploadUrl"], headers=TUS)
        ways["video"] = lambda: self._web.head(self.video["tusUploadUrl"], headers=TUS)
        return ways

    def _paths(self) -> list[str]:
        by_id = [f"{TASKS}/{self.task}", f"/taskapp/boards/{self.board}", f"/media/assets/{self.asset}"]
        by_id += [
            f"/taskapp/boards/{self.board}/placements",
            f"/media/videos/{self.video['id']}",
            f"/spaces/{self.home}",
        ]
        lists = [
            TASKS,
            "/taskapp/tags",
            "/taskapp/boards",
            "/media/assets",
            "/media/stats",
            "/search?q=secret",
            "/events",
        ]
        return by_id + [f"{path}{'&' if '?' in path else '?'}spaceId={self.home}" for path in lists]

    def _get(self, url: str, token: str | None = None) -> Callable[[], httpx2.Response]:
        headers = {"authorization": f"Bearer {token}"} if token is not None else {}
        return lambda: self._web.get(url, headers=headers)


def made(person: SpacePerson, path: str, status: int = 201, **body: Any) -> Any:
    return data_of(person.api.post(path, json=body), status)


def answers_of(ways: Ways, times: int) -> dict[str, set[bool]]:
    """By each way, whether it was let through."""
    return {name: {shows(way()) for _ in range(times)} for name, way in ways.items()}


def shows(answer: httpx2.Response) -> bool:
    """True if something of the space is in it. A calendar of all spaces goes on, without this one."""
    return answer.status_code < 400 and ("calendar" not in str(answer.url) or "secret" in answer.text)


async def test_a_removed_member_reaches_nothing_by_any_way(server: Server) -> None:
    fresh = httpx2.Limits(max_keepalive_connections=0)
    with (
        people(server, "ann", "ben") as (ann, ben),
        httpx2.Client(limits=fresh) as web,
        Receiver() as bens,
        Receiver() as anns,
    ):
        things = SharedThings(server, ann, ben, web, bens.url)
        ways = things.ways()
        assert set().union(*(await asyncio.to_thread(answers_of, ways, BEFORE)).values()) == {True}
        streams = [await Listener.open(server, things.session) for _ in range(6)]
        hook = {"url": anns.url, "types": ["task.*"], "spaceId": things.home}
        data_of(await asyncio.to_thread(ann.api.post, "/webhooks", json=hook), 201)
        polling = asyncio.create_task(asyncio.to_thread(poll, ways, MEANWHILE))
        await asyncio.to_thread(lambda: data_of(ann.api.delete(f"/spaces/{things.home}/members/{ben.name}")))
        removed = time.monotonic()
        await polling
        await asyncio.sleep(max(0.0, removed + REMEMBERED_SECONDS - time.monotonic()))
        later = await asyncio.to_thread(answers_of, ways, AFTER)
        assert {name for name, seen in later.items() if seen != {False}} == set()
        put = await asyncio.to_thread(web.put, things.upload["uploadUrl"], content=b"hello")
        assert put.status_code == 404
        await hear_nothing(streams, ann, ben, things)
        subject = made(ann, TASKS, title="later", spaceId=things.home)["id"]
        await until(lambda: any(received.event["subject"] == subject for received in anns.received))
        told = f"SELECT 1 FROM delivery WHERE destination_id = '{things.webhook}' AND subject = '{subject}'"
        assert await asyncio.to_thread(rows, server, told) == []


def poll(ways: Ways, times: int) -> None:
    """While somebody is removed: what is remembered then must not be kept beyond the bound."""
    for _ in range(times):
        answers_of(ways, 1)


async def hear_nothing(streams: list[Listener], ann: SpacePerson, ben: SpacePerson, things: SharedThings) -> None:
    """Once a stream has told that its person left, it soon tells nothing of the space, and goes on with the rest."""
    for stream in streams:
        await until(partial(has_left, stream))
    for number in range(20):
        change = {"title": f"change {number}"}
        data_of(await asyncio.to_thread(ann.api.patch, f"{TASKS}/{things.task}", json=change))
        own = (await asyncio.to_thread(made, ben, TASKS, title="own"))["id"]
        heard = [await subjects_until(stream, own) for stream in streams]
        if not any(things.task in subjects for subjects in heard):
            break
        for stream in streams:
            stream.messages.clear()
    else:
        raise AssertionError("a stream goes on with the space")
    for stream in streams:
        stream.close()


def has_left(stream: Listener) -> bool:
    return "space.left" in stream.kinds


async def subjects_until(stream: Listener, own: str) -> list[str]:
    await until(lambda: any(event["subject"] == own for _, event in stream.messages))
    return [event["subject"] for _, event in stream.messages]
