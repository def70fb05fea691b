"""The one ending: each way in which a role ends, or falls, ends what the table says, within a second everywhere."""

import base64
import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from stowboard.access.authentication import REMEMBERED_SECONDS
from stowboard.access.endings import TABLE, EndingCell, EndingWay
from support.api.answers import data_of, error_of
from support.api.space_matrix import PNG
from support.clients.applications import App, registered
from support.clients.people import ticket_in
from support.clients.space_people import SpacePerson, people
from support.outgoing.file_server import File, FileServer
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until
from support.webhooks.receiver import ALLOWED

TASKS, TUS = "/taskapp/tasks", {"tus-resumable": "1.0.0"}
SCOPES = "tasks:read tasks:write media:read media:write webhooks:manage spaces:manage"
#: Each process is asked about this often.
TIMES = 4
BY_BROWSER = [way for way in EndingWay if way not in (EndingWay.REVOKED_TOKEN, EndingWay.NARROWED_CONSENT)]
Probe = Callable[[], bool]


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED | ALLOWED, "--workers", "2")
    yield server
    server.kill()


@pytest.fixture
def held() -> Iterator[tuple[FileServer, threading.Event]]:
    """A server whose file stops midway until the event is set."""
    go_on = threading.Event()
    with FileServer() as files:
        files.files["/slow.txt"] = File(b"x" * 1000, midway=lambda: go_on.wait(60))
        yield files, go_on
        go_on.set()


class MemberThings:
    """A home of two managers, and what the second one, or a program of theirs, made there."""

    def __init__(self, server: Server, ann: SpacePerson, ben: SpacePerson, files: FileServer) -> None:
        self.server, self.ann, self.ben, self.files = server, ann, ben, files
        self.home = ann.make_space()
        ann.add(self.home, ben, "manager")
        self.web = httpx2.Client(limits=httpx2.Limits(max_keepalive_connections=0))
        self.probes: dict[str, Probe] = {}

    def make(self, maker: httpx2.Client) -> None:
        """Only a browser makes tokens of a space and channels; all else is made by this client."""
        home, ben, asset = (
            self.home,
            self.ben,
            self._made(self.ann.api, "/media/upload/image", filename="a.png", data=PNG),
        )
        token = self._made(ben.api, f"/spaces/{home}/tokens", name="fridge")["token"]
        self.probes["tokens"] = lambda: self._get(f"{self.server.base_url}{TASKS}", token) == 200
        link = data_of(maker.post(f"/spaces/{home}/invitations", json={"role": "editor", "uses": 50}), 201)["link"]
        join = {"ticket": ticket_in(link)}
        self.probes["invitations"] = lambda: self.ann.api.post("/spaces/join", json=join).status_code == 200
        hook = self._made(maker, "/webhooks", url=f"{self.files.origin}/hook", types=["task.*"])["id"]
        self.probes["webhooks"] = self._row(f"SELECT 1 FROM webhook WHERE id = '{hook}' AND enabled = 1")
        calendar = self._made(maker, "/taskapp/calendar")["url"]
        self.probes["calendars"] = lambda: self._get(calendar) == 200
        self._make_uploads(maker)
        self._make_import(maker)
        signed = data_of(maker.post(f"/media/assets/{asset['id']}/url", json={}))["url"]
        video = self._made(self.ann.api, "/media/videos/upload", title="film")["providerVideoId"]
        stream = data_of(maker.post(f"/media/videos/{video}/signed-url", json={}))["url"]
        self.probes["signedUrls"] = lambda: self._same(self._get(signed) == 200, self._opens(stream))
        channel = {"kind": "url", "url": f"{self.files.origin}/told", "format": "slack"}
        made = data_of(ben.api.post("/notifications/channels", json=channel), 201)["id"]
        self.probes["channels"] = self._row(f"SELECT 1 FROM notification_channel WHERE id = '{made}'", reached=True)
        task = self._made(self.ann.api, TASKS, title="t", assignees=[ben.name])["id"]
        assigned = self._row(f"SELECT 1 FROM task_assignee WHERE task_id = '{task}' AND member = '{ben.name}'")
        self.probes["assignments"] = lambda: self.ann.api.get(f"{TASKS}/{task}").status_code == 200 and assigned()

    def living(self) -> set[str]:
        return {name for name, probe in self.probes.items() if probe()}

    def _make_uploads(self, maker: httpx2.Client) -> None:
        put = self._made(maker, "/media/upload/presigned", filename="a.txt", size=5)["tusUploadUrl"]
        tus = self._made(maker, "/media/videos/upload", title="own film", size=10)["tusUploadUrl"]
        self.probes["uploads"] = lambda: self._same(self._head(put) == 200, self._head(tus) == 200)
        self.fetched = self._made(maker, "/media/upload/from-url", url=f"{self.files.origin}/slow.txt")["id"]
        wait_until(lambda: "/slow.txt" in self.files.asked)
        self.probes["uploadsByUrl"] = self._row(f"SELECT 1 FROM upload WHERE subject = '{self.fetched}' AND url > ''")

    def _make_import(self, maker: httpx2.Client) -> None:
        """It waits for a file."""
        card = {"id": "c", "name": "t", "idList": "l", "attachments": [{"url": f"{self.files.origin}/slow.txt"}]}
        board = {"id": "b", "name": "b", "lists": [{"id": "l", "name": "To do"}], "cards": [card]}
        file = base64.b64encode(json.dumps(board).encode()).decode()
        begun = self._made(maker, "/imports", filename="b.json", file=file)["id"]
        data_of(maker.post(f"/imports/{begun}/run", json={"fetchFiles": True}))
        self.probes["imports"] = self._row(f"SELECT 1 FROM task_import WHERE id = '{begun}' AND status = 'running'")

    def _made(self, maker: httpx2.Client, path: str, **body: Any) -> Any:
        return data_of(maker.post(path, json=body | {"spaceId": self.home}), 201)

    def _get(self, url: str, token: str | None = None) -> int:
        return self.web.get(url, headers={"authorization": f"Bearer {token}"} if token else {}).status_code

    def _head(self, url: str) -> int:
        return self.web.head(url, headers=TUS).status_code

    def _row(self, sql: str, reached: bool = False) -> Probe:
        """Whether it is there and, for what asks each time, its person may sign in and reaches the space."""
        return lambda: rows(self.server, sql) != [] and (not reached or self._reached())

    def _reached(self) -> bool:
        return self.ben.api.get(TASKS, params={"spaceId": self.home}).status_code == 200

    def _opens(self, stream: str) -> bool:
        """The playlist of a film without bytes: with a valid signature, the answer says when to come again."""
        return "retry-after" in self.web.get(stream).headers

    @staticmethod
    def _same(one: bool, other: bool) -> bool:
        assert one == other
        return one


@contextlib.contextmanager
def made_things(server: Server, files: FileServer) -> Iterator[MemberThings]:
    with people(server, "ann", "ben") as (ann, ben):
        things = MemberThings(server, ann, ben, files)
        yield things
        things.web.close()


def bring_about(way: EndingWay, things: MemberThings) -> Any:
    """What the act answers."""
    ann, ben, home, server = things.ann, things.ben, things.home, things.server
    account = data_of(ben.api.get("/access/me"))["id"]
    member, admin = f"/spaces/{home}/members/{ben.name}", f"{server.base_url}/access/accounts/{account}"
    if way is EndingWay.LEAVING:
        return data_of(ben.api.delete(member))
    if way is EndingWay.REMOVAL:
        return data_of(ann.api.delete(member))
    if way is EndingWay.LOWER_ROLE:
        return data_of(ann.api.patch(member, json={"role": "viewer"}))
    if way is EndingWay.DISABLING:
        return data_of(httpx2.patch(admin, json={"disabled": True}, headers=server.headers))
    if way is EndingWay.DELETION:
        return data_of(httpx2.delete(admin, headers=server.headers))
    answer = data_of(ann.api.post(f"/spaces/{home}/trash"))
    if way is EndingWay.SPACE_DELETION:
        data_of(ann.api.delete(f"/spaces/{home}"))
    return answer


def expected(way: EndingWay) -> set[str]:
    return {thing for thing, row in TABLE.items() if getattr(row, way) is EndingCell.STAYS}


def check(way: EndingWay, things: MemberThings, ended: dict[str, int]) -> None:
    """Within a second every process says what the table says, the answer has told it, and it stays so."""
    time.sleep(REMEMBERED_SECONDS)
    wait_until(lambda: things.living() == expected(way))
    for _ in range(TIMES):
        assert things.living() == expected(way)
    counted = {"tokens", "invitations", "webhooks", "calendars", "uploads", "uploadsByUrl", "imports"} - expected(way)
    assert ended.keys() - {"channels"} == counted


@pytest.mark.parametrize("way", BY_BROWSER)
def test_each_way_ends_what_the_table_says(
    server: Server, held: tuple[FileServer, threading.Event], way: EndingWay
) -> None:
    files, go_on = held
    with made_things(server, files) as things:
        things.make(things.ben.api)
        assert things.living() == TABLE.keys()
        check(way, things, bring_about(way, things)["ended"])
        go_on.set()
        upload = f"SELECT state FROM upload WHERE subject = '{things.fetched}'"
        wait_until(lambda: rows(server, f"{upload} AND holder IS NOT NULL") == [])
        assert rows(server, upload) != [("complete",)]


def test_a_revoked_token_ends_what_was_made_with_it(server: Server, held: tuple[FileServer, threading.Event]) -> None:
    with made_things(server, held[0]) as things:
        body = {"name": "script", "scopes": SCOPES.split(), "spaces": ["own", things.home]}
        script = data_of(things.ben.api.post("/access/me/tokens", json=body), 201)
        with client_of(server, script["token"]) as maker:
            things.make(maker)
            assert things.living() == TABLE.keys()
            ended = data_of(things.ben.api.delete(f"/access/me/tokens/{script['id']}"))["ended"]
            check(EndingWay.REVOKED_TOKEN, things, ended)


def test_an_application_that_is_allowed_fewer_spaces_loses_what_it_made_in_the_others_at_once(
    server: Server, held: tuple[FileServer, threading.Event]
) -> None:
    with made_things(server, held[0]) as things, application_of(things) as (application, maker):
        things.make(maker)
        assert things.living() == TABLE.keys()
        assert maker.get(f"/spaces/{things.home}").status_code == 200
        application.sign_in(things.ben.browser, spaces=[], scope=SCOPES)
        time.sleep(REMEMBERED_SECONDS)
        assert {maker.get(f"/spaces/{things.home}").status_code for _ in range(TIMES)} == {404}
        assert data_of(maker.get("/spaces"))[0]["kind"] == "personal"
        living = expected(EndingWay.NARROWED_CONSENT)
        assert things.living() == living


def test_an_application_that_is_disconnected_loses_what_it_made(
    server: Server, held: tuple[FileServer, threading.Event]
) -> None:
    with made_things(server, held[0]) as things, application_of(things) as (_, maker):
        things.make(maker)
        (consent,) = data_of(things.ben.api.get("/access/me/applications"))
        ended = data_of(things.ben.api.delete(f"/access/me/applications/{consent['id']}"))["ended"]
        check(EndingWay.REVOKED_TOKEN, things, ended)


def test_what_a_token_of_a_space_made_ends_with_its_managers_role(
    server: Server, held: tuple[FileServer, threading.Event]
) -> None:
    with made_things(server, held[0]) as things:
        token = data_of(things.ben.api.post(f"/spaces/{things.home}/tokens", json={"name": "fridge"}), 201)["token"]
        with client_of(server, token) as fridge:
            url = data_of(fridge.post("/taskapp/calendar", json={}), 201)["url"]
            upload = data_of(fridge.post("/media/upload/presigned", json={"filename": "a", "size": 5}), 201)
        assert things.web.get(url).status_code == 200
        data_of(things.ann.api.patch(f"/spaces/{things.home}/members/{things.ben.name}", json={"role": "editor"}))
        assert things.web.get(url).status_code == 404
        assert things.web.put(upload["uploadUrl"], content=b"hello").status_code == 404


def test_a_lower_role_spares_what_it_still_allows(server: Server, held: tuple[FileServer, threading.Event]) -> None:
    with made_things(server, held[0]) as things:
        things.make(things.ben.api)
        changed = things.ann.api.patch(f"/spaces/{things.home}/members/{things.ben.name}", json={"role": "editor"})
        assert data_of(changed)["ended"] == {"tokens": 1, "invitations": 1, "webhooks": 1}
        time.sleep(REMEMBERED_SECONDS)
        assert things.living() == TABLE.keys() - {"tokens", "invitations", "webhooks"}


def test_an_admin_who_is_one_no_more_has_no_webhook_of_the_library(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        other = data_of(ben.api.get("/access/me"))["id"]
        data_of(
            httpx2.patch(f"{server.base_url}/access/accounts/{other}", json={"role": "admin"}, headers=server.headers)
        )
        account = f"{server.base_url}/access/accounts/{data_of(ann.api.get('/access/me'))['id']}"
        assert data_of(httpx2.patch(account, json={"role": "admin"}, headers=server.headers))["ended"] == {}
        admin = {"authorization": f"Bearer {ann.browser.token(admin=True)}"}
        body = {"url": "http://127.0.0.1:9999/hook", "types": ["media.*"], "spaceId": "spc_library"}
        hook = data_of(httpx2.post(f"{server.base_url}/webhooks", json=body, headers=admin), 201)["id"]
        changed = data_of(httpx2.patch(account, json={"role": "member"}, headers=server.headers))
        assert changed["ended"] == {"webhooks": 1}
        assert rows(server, f"SELECT enabled FROM webhook WHERE id = '{hook}'") == [(0,)]


def test_a_space_that_is_closed_ends_what_people_made_who_are_no_members(
    server: Server, held: tuple[FileServer, threading.Event]
) -> None:
    with made_things(server, held[0]) as things, people(server, "carl") as (carl,):
        space = f"{server.base_url}/spaces/{things.home}"
        data_of(things.ann.api.patch(f"/spaces/{things.home}", json={"everyone": None}))
        rows(server, f"UPDATE space SET everyone = 'editor' WHERE id = '{things.home}'")
        wait_until(lambda: carl.role_in(things.home) == "editor")
        uploads = [
            data_of(
                who.api.post("/media/upload/presigned", json={"filename": "a", "size": 5, "spaceId": things.home}), 201
            )
            for who in (carl, things.ben)
        ]
        calendar = data_of(carl.api.post("/taskapp/calendar", json={"spaceId": things.home}), 201)["url"]
        data_of(things.ann.api.patch(space, json={"everyone": None}))
        assert things.web.get(calendar).status_code == 404
        found = [things.web.head(upload["tusUploadUrl"], headers=TUS).status_code for upload in uploads]
        assert found == [404, 200]
        assert rows(server, f"SELECT 1 FROM calendar WHERE owner = '{carl.name}'") == []


def test_a_webhook_that_a_token_made_can_be_enabled_again_by_its_person(server: Server) -> None:
    with people(server, "ann") as (ann,):
        body = {"name": "script", "scopes": SCOPES.split()}
        script = data_of(ann.api.post("/access/me/tokens", json=body), 201)
        with client_of(server, script["token"]) as maker:
            wanted = {"url": "http://127.0.0.1:9999/hook", "types": ["task.*"]}
            hook = data_of(maker.post("/webhooks", json=wanted), 201)["id"]
        data_of(ann.api.delete(f"/access/me/tokens/{script['id']}"))
        assert data_of(ann.api.get(f"/webhooks/{hook}"))["disabledReason"] == "access"
        assert data_of(ann.api.patch(f"/webhooks/{hook}", json={"enabled": True}))["enabled"] is True


def test_an_ended_invitation_is_refused(server: Server) -> None:
    with people(server, "ann", "ben", "carl") as (ann, ben, carl):
        home = ann.make_space()
        ann.add(home, ben, "manager")
        link = data_of(ben.api.post(f"/spaces/{home}/invitations", json={"role": "manager"}), 201)["link"]
        account = data_of(ben.api.get("/access/me"))["id"]
        data_of(
            httpx2.patch(
                f"{server.base_url}/access/accounts/{account}", json={"disabled": True}, headers=server.headers
            )
        )
        joined = carl.api.post("/spaces/join", json={"ticket": ticket_in(link)})
        assert error_of(joined) == (410, "invalid_ticket")


@contextlib.contextmanager
def application_of(things: MemberThings) -> Iterator[tuple[App, httpx2.Client]]:
    """An application that the second manager has allowed the home, and a client with its token."""
    application = registered(things.server)
    given = application.sign_in(things.ben.browser, spaces=[things.home], scope=SCOPES)
    with client_of(things.server, given["access_token"]) as client:
        yield application, client


def client_of(server: Server, token: str) -> httpx2.Client:
    return httpx2.Client(base_url=server.base_url, headers={"authorization": f"Bearer {token}"})
