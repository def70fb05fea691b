"""Authority is asked when an operation begins: what was taken has ended, and what was given is there at once."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx2
import pytest

from stowboard.access.authentication import REMEMBERED_SECONDS
from support.api.answers import data_of
from support.api.space_matrix import PNG
from support.clients.agents import Agent
from support.clients.credentials import bearer
from support.clients.listening import Listener
from support.clients.raw_connection import RawAnswer, RawConnection, head
from support.clients.space_people import SpacePerson, people
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.waiting import until
from support.webhooks.receiver import ALLOWED

#: So that each process is asked several times.
TIMES = 12


@pytest.fixture(scope="module")
def two_processes(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED | ALLOWED, "--workers", "2")
    yield server
    server.kill()


class SlowRequests:
    """Requests whose last byte is still to be sent."""

    def __init__(self, server: Server, person: SpacePerson) -> None:
        self._server, self._token = server, person.api.headers["authorization"].removeprefix("Bearer ")
        self._begun: dict[str, tuple[RawConnection, bytes]] = {}

    def begin(self, name: str, method: str, path: str, body: Any, *lines: str) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = RawConnection(self._server.port)
        begun = head(method, path, self._token, f"content-length: {len(raw)}", *lines)
        host = self._server.origin.removeprefix("http://").encode()  # `/mcp` takes no other
        connection.send(begun.replace(b"stowboard.test", host) + raw[:-1])
        self._begun[name] = connection, raw[-1:]

    def finish(self) -> dict[str, RawAnswer]:
        answers = {}
        for name, (connection, rest) in self._begun.items():
            with connection:
                connection.send(rest)
                answers[name] = connection.answer()
        return answers


def use_script(person: SpacePerson) -> str:
    """From now on the person asks with a token of their own, which opens /mcp too; its id."""
    token = made(person, "/access/me/tokens", name="script", spaces=["all"])
    person.api.headers["authorization"] = f"Bearer {token['token']}"
    return str(token["id"])


def made(person: SpacePerson, path: str, status: int = 201, **body: Any) -> Any:
    return data_of(person.api.post(path, json=body), status)


def begin_everything(slow: SlowRequests, server: Server, ben: SpacePerson, home: str) -> None:
    """Begin, as a manager of the space, one request of each sort that has a body."""
    api, tasks = "/api/v1", "/api/v1/taskapp/tasks"
    task = made(ben, "/taskapp/tasks", title="theirs", spaceId=home)["id"]
    asset = made(ben, "/media/upload/image", filename="a.png", data=PNG, spaceId=home)["id"]
    form = (
        f'--x\r\ncontent-disposition: form-data; name="spaceId"\r\n\r\n{home}\r\n'
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--'
    )
    slow.begin("create", "POST", tasks, {"title": "late", "spaceId": home})
    slow.begin("change", "PATCH", f"{tasks}/{task}", {"title": "late"})
    slow.begin("comment", "POST", f"{tasks}/{task}/comments", {"body": "late"})
    slow.begin("batch", "POST", f"{tasks}/batch", {"operations": [{"op": "update", "id": task, "title": "late"}]})
    slow.begin("keyed", "POST", tasks, {"title": "late", "spaceId": home}, "idempotency-key: late")
    slow.begin("transfer", "POST", f"{tasks}/{task}/transfer", {"spaceId": "own"})
    slow.begin("upload", "POST", f"{api}/media/upload/file", {"filename": "a.txt", "data": "aGk=", "spaceId": home})
    kind = "content-type: multipart/form-data; boundary=x"
    slow.begin("form", "POST", f"{api}/media/upload/file", form.encode(), kind)
    slow.begin("video", "POST", f"{api}/media/videos/upload", {"title": "late", "size": 9, "spaceId": home})
    slow.begin("copy", "POST", f"{api}/media/assets/{asset}/copy", {"spaceId": "own"})
    slow.begin("by ids", "POST", f"{api}/media/assets/by-ids", {"ids": [asset]})
    hook = {"url": "http://127.0.0.1:9999/", "types": ["task.*"], "spaceId": home, "include": "resource"}
    slow.begin("webhook", "POST", f"{api}/webhooks", hook)
    agent = Agent(server.origin, None)
    call = agent.message("tools/call", name="save_task", arguments={"title": "late", "space": home})
    lines = [f"{name}: {value}" for name, value in agent.headers(call).items()]
    slow.begin("agent", "POST", "/mcp", call, *lines)
    upload = made(ben, "/media/upload/presigned", filename="a.txt", size=5, spaceId=home)
    slow.begin("put", "PUT", upload["uploadUrl"].removeprefix(server.origin), b"12345")
    film = made(ben, "/media/videos/upload", title="theirs", size=5, spaceId=home)
    tus = "tus-resumable: 1.0.0", "upload-offset: 0", "content-type: application/offset+octet-stream"
    slow.begin("tus", "PATCH", film["tusUploadUrl"].removeprefix(server.origin), b"12345", *tus)


def test_a_removed_member_does_nothing_by_a_request_that_was_still_arriving(two_processes: Server) -> None:
    server = two_processes
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ann.add(home, ben, "manager")
        use_script(ben)
        slow = SlowRequests(server, ben)
        begin_everything(slow, server, ben, home)
        time.sleep(REMEMBERED_SECONDS)
        before = _things_of(ann, home)
        data_of(ann.api.delete(f"/spaces/{home}/members/{ben.name}"))
        answers = slow.finish()
        assert json.loads(answers.pop("by ids").body)["meta"]["missing"] != []
        batch = json.loads(answers.pop("batch").body)["data"]
        assert [each["status"] for each in batch] == [404]
        told = json.loads(answers.pop("agent").body)["result"]
        assert told["isError"]
        assert "not_found" in told["content"][0]["text"]
        assert answers.pop("put").status in (404, 410)
        assert answers.pop("tus").status in (404, 410)
        assert {name: answer.status for name, answer in answers.items()} == dict.fromkeys(answers, 404)
        assert _things_of(ann, home) == before


def test_a_revoked_token_does_nothing_by_a_request_that_was_still_arriving(two_processes: Server) -> None:
    server = two_processes
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ann.add(home, ben, "manager")
        session = ben.api.headers["authorization"]
        token = use_script(ben)
        slow = SlowRequests(server, ben)
        begin_everything(slow, server, ben, home)
        time.sleep(REMEMBERED_SECONDS)
        before = _things_of(ann, home)
        data_of(ben.api.delete(f"/access/me/tokens/{token}", headers={"authorization": session}))
        answers = slow.finish()
        for committed in ("put", "tus"):  # their addresses have a life of their own
            answers.pop(committed)
        assert {name: answer.status for name, answer in answers.items()} == dict.fromkeys(answers, 401)
        assert all("invalid_token" in answer.headers["www-authenticate"] for answer in answers.values())
        assert _things_of(ann, home)["tasks"] == before["tasks"]


def test_a_lowered_member_does_nothing_by_a_request_that_was_still_arriving(two_processes: Server) -> None:
    server = two_processes
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ann.add(home, ben, "editor")
        slow = SlowRequests(server, ben)
        slow.begin("create", "POST", "/api/v1/taskapp/tasks", {"title": "late", "spaceId": home})
        time.sleep(REMEMBERED_SECONDS)
        data_of(ann.api.patch(f"/spaces/{home}/members/{ben.name}", json={"role": "viewer"}))
        answer = slow.finish()["create"]
        assert (answer.status, json.loads(answer.body)["error"]["code"]) == (403, "insufficient_role")


def test_what_was_given_is_there_at_once_in_every_process(two_processes: Server) -> None:
    """Each process remembers the caller as it was before."""
    server = two_processes
    with people(server, "ann", "ben") as (ann, ben):
        home, script = ann.make_space(), made(ben, "/access/me/tokens", name="script", spaces=["all"])["token"]
        card = made(ann, "/taskapp/tasks", title="theirs", spaceId=home)["id"]
        asset = made(ann, "/media/upload/image", filename="a.png", data=PNG, spaceId=home)["id"]
        web = httpx2.Client(
            base_url=server.base_url, headers=bearer(script), limits=httpx2.Limits(max_keepalive_connections=0)
        )
        with web:

            def everywhere(ask: Callable[[int], httpx2.Response]) -> set[int]:
                return {ask(number).status_code for number in range(TIMES)}

            def remembered() -> None:
                assert everywhere(lambda _: web.get("/taskapp/boards")) == {200}

            def task_in(space: str) -> Callable[[int], httpx2.Response]:
                return lambda number: web.post(
                    "/taskapp/tasks",
                    json={"title": "mine", "spaceId": space},
                    headers={"idempotency-key": f"{space}-{number}"},
                )

            remembered()
            ann.add(home, ben, "viewer")
            found = [web.post("/media/assets/by-ids", json={"ids": [asset]}).json()["meta"] for _ in range(TIMES)]
            assert found == [{"missing": []}] * TIMES
            remembered()
            assert everywhere(lambda _: web.get(f"/taskapp/tasks/{card}")) == {200}
            assert everywhere(task_in(home)) == {403}
            data_of(ann.api.patch(f"/spaces/{home}/members/{ben.name}", json={"role": "editor"}))
            assert everywhere(task_in(home)) == {201}, "a refusal is not kept under its key either"
            remembered()
            own = ben.make_space("Own")
            assert everywhere(lambda _: web.get(f"/spaces/{own}")) == {200}
            remembered()
            own = ben.make_space("Another")
            board = made(ben, "/taskapp/boards", name="New", spaceId=own)["id"]
            assert everywhere(lambda _: web.get("/taskapp/tasks", params={"boardId": board})) == {200}
            remembered()
            own = ben.make_space("Third")
            tag = {
                "action": "add",
                "ids": [made(ben, "/media/upload/image", filename="b.png", data=PNG, spaceId=own)["id"]],
            }
            tagged = [data_of(web.post("/media/assets/batch-tags", json=tag | {"tags": ["new"]})) for _ in range(TIMES)]
            assert tagged == [{"updated": 1, "missing": []}] * TIMES
            remembered()
            own = ben.make_space("Fourth")
            agent = Agent(server.origin, script)
            told = [agent.try_call("save_task", title="mine", space=own) for _ in range(TIMES)]
            assert [each for each in told if each.get("isError")] == []


async def test_no_position_passes_an_event_of_a_space_that_was_joined_just_now(two_processes: Server) -> None:
    server = two_processes
    with people(server, "ann", "ben") as (ann, ben):
        home = await asyncio.to_thread(ann.make_space)
        begin = (await asyncio.to_thread(ben.api.get, "/events")).json()["meta"]["nextCursor"]
        token, own = ben.api.headers["authorization"].removeprefix("Bearer "), frozenset({"space.joined"})
        early = [await Listener.open(server, token) for _ in range(TIMES)]
        await asyncio.to_thread(ann.add, home, ben)
        task = await asyncio.to_thread(partial(made, ann, "/taskapp/tasks", title="theirs", spaceId=home))
        last = await asyncio.to_thread(partial(made, ben, "/taskapp/tasks", title="mine"))
        late = [await Listener.open(server, token, "", f"last-event-id: {begin}") for _ in range(TIMES)]
        feeds = [await asyncio.to_thread(feed_after, server, token, begin) for _ in range(TIMES)]
        for listener in (*early, *late):
            await until(lambda listener=listener: last["id"] in subjects_of(listener))
            listener.close()
        for told in (*map(subjects_of, early), *map(subjects_of, late), *feeds):
            assert told.index(task["id"]) < told.index(last["id"])
        assert all(own <= set(listener.kinds) for listener in (*early, *late))


def subjects_of(listener: Listener) -> list[str]:
    return [event["subject"] for _, event in listener.messages]


def feed_after(server: Server, token: str, cursor: str) -> list[str]:
    """Over a connection of its own, so that any process may answer."""
    answer = httpx2.get(f"{server.base_url}/events", params={"cursor": cursor}, headers=bearer(token))
    return [event["subject"] for event in data_of(answer)]


def _things_of(person: SpacePerson, space: str) -> dict[str, Any]:
    tasks = data_of(person.api.get("/taskapp/tasks", params={"spaceId": space}))
    return {
        "tasks": tasks,
        "comments": [data_of(person.api.get(f"/taskapp/tasks/{task['id']}/comments")) for task in tasks],
        "assets": [each["id"] for each in data_of(person.api.get("/media/assets", params={"spaceId": space}))],
        "webhooks": data_of(person.api.get("/webhooks", params={"spaceId": space})),
    }
