"""Three people, two shared spaces and all that is in them, as a model knows it; and what each token has to see."""

from collections import Counter
from typing import Any

import httpx2
import msgspec

from stowboard.core.reach import LIBRARY, Role
from support.api.answers import data_of
from support.clients.people import fresh_name
from support.clients.space_people import SpacePerson
from support.servers.stowboard import Server
from support.waiting import wait_until

TASKS, BOARDS, ASSETS = "/taskapp/tasks", "/taskapp/boards", "/media/assets"
SCOPES = ["tasks:read", "tasks:write", "tasks:delete", "media:read", "media:write", "media:delete"]


class Thing(msgspec.Struct, frozen=True):
    """A task, a board or an asset: the id of its space, and its tags; of a task also the rest."""

    owner: str
    tags: list[str]
    archived: bool = False
    board: str | None = None
    attached: tuple[str, ...] = ()


class Token(msgspec.Struct, frozen=True):
    """A client of the API, its person, and the ids of the spaces that it was given; None for all of them."""

    http: httpx2.Client
    person: SpacePerson
    given: frozenset[str] | None


class SpaceWorld:
    def __init__(self, server: Server) -> None:
        self.people = [SpacePerson(server, name) for name in ("ann", "ben", "cid")]
        ann, ben, _ = self.people
        self.word = fresh_name("word").replace("-", "")
        self.shared = [ann.make_space("one"), ben.make_space("two")]
        self.members = {self.shared[0]: {ann.name: "manager"}, self.shared[1]: {ben.name: "manager"}}
        for home, manager, other in ((self.shared[0], ann, ben), (self.shared[1], ben, ann)):
            manager.add(home, other, "editor")
            self.members[home][other.name] = "editor"
        self.trashed: set[str] = set()
        self.tasks: dict[str, Thing] = {}
        self.boards: dict[str, Thing] = {}
        self.assets: dict[str, Thing] = {}
        for person in self.people:
            data_of(person.api.post("/taskapp/task-index/backfill"))
        self.tokens = [self._token(server, person, None) for person in self.people]
        self.tokens.append(self._token(server, ann, {f"~{ann.name}"}))
        self.tokens.append(self._token(server, ben, {self.shared[1], f"~{ben.name}"}))
        self.calendars = {
            person.name: data_of(person.api.post("/taskapp/calendar", json={"spaceId": "all"}), 201)["url"]
            for person in self.people
        }

    def close(self) -> None:
        for token in self.tokens:
            token.http.close()
        for person in self.people:
            person.api.close()
            person.browser.close()

    def _token(self, server: Server, person: SpacePerson, given: set[str] | None) -> Token:
        words = ["all"] if given is None else sorted(given)
        body = {"name": "script", "scopes": SCOPES, "spaces": words}
        made = data_of(person.api.post("/access/me/tokens", json=body), 201)
        http = httpx2.Client(base_url=server.base_url, headers={"authorization": f"Bearer {made['token']}"})
        return Token(http, person, None if given is None else frozenset(given))

    def role(self, person: SpacePerson, owner: str) -> Role | None:
        if owner == f"~{person.name}":
            return Role.MANAGER
        held = None if owner in self.trashed else self.members.get(owner, {}).get(person.name)
        return Role(held) if held is not None else None

    def may(self, person: SpacePerson, owner: str) -> bool:
        role = self.role(person, owner)
        return role is not None and role.includes(Role.EDITOR)

    def manager_of(self, home: str) -> SpacePerson:
        return next(person for person in self.people if self.members[home].get(person.name) == "manager")

    def chosen(self, who: int, space: int) -> tuple[SpacePerson, str]:
        """A person, and one of the shared spaces or their own."""
        person = self.people[who]
        return person, [*self.shared, f"~{person.name}"][space]

    def pick(self, things: dict[str, Thing], choice: int) -> tuple[str, Thing]:
        found = sorted(things)[choice % len(things)]
        return found, things[found]

    def expect(
        self, answer: httpx2.Response, person: SpacePerson, owner: str, status: int = 200, unseen: int = 404
    ) -> bool:
        """Checks how a change in this space was answered to the person; True if it was done."""
        role = self.role(person, owner)
        if role is None:
            assert answer.status_code == unseen, answer.text
        elif not role.includes(Role.EDITOR):
            assert answer.json()["error"]["code"] == "insufficient_role", answer.text
        else:
            assert answer.status_code == status, answer.text
            return True
        return False

    def expect_between(self, answer: httpx2.Response, person: SpacePerson, *needed: tuple[str, Role]) -> bool:
        """The same for what needs a role in each of two spaces. Either may be refused first, for what it is."""
        refusals = set()
        for owner, least in needed:
            role = self.role(person, owner)
            if role is None or not role.includes(least):
                refusals.add(404 if role is None else 403)
        assert answer.status_code in (refusals or {200, 201}), answer.text
        return not refusals

    def learn_task(self, task: dict[str, Any]) -> None:
        """A task as an answer shows it; its attachments may be copies that were made with it."""
        board = task["placement"]["boardId"] if task["placement"] else None
        attached = tuple(each["id"] for each in task["attachments"] if not each["deleted"])
        before = self.tasks.get(task["id"])
        self.tasks[task["id"]] = Thing(task["spaceId"], task["tags"], task["archived"], board, attached)
        for old, new in zip(before.attached if before else (), attached, strict=False):
            if new not in self.assets:
                self.assets[new] = Thing(task["spaceId"], self.assets[old].tags)

    def reach(self, token: Token) -> list[str]:
        known = [*self.shared, f"~{token.person.name}"]
        given = known if token.given is None else [each for each in known if each in token.given]
        return [owner for owner in given if self.role(token.person, owner) is not None]

    def check(self, token: Token) -> None:
        """Every way of looking agrees with the model."""
        reach, get = self.reach(token), token.http.get
        seen = {each for each, thing in self.tasks.items() if thing.owner in reach}
        open_ = {each for each in seen if not self.tasks[each].archived}
        assets = {each for each, thing in self.assets.items() if thing.owner in reach}
        boards = {each for each, thing in self.boards.items() if thing.owner in reach}
        everywhere = {"spaceId": "all", "limit": "100"}
        for things, shown, path in (
            (self.tasks, seen, TASKS),
            (self.boards, boards, BOARDS),
            (self.assets, assets, ASSETS),
        ):
            statuses = {each: get(f"{path}/{each}").status_code for each in things}
            assert {each for each, status in statuses.items() if status == 200} == shown
            assert set(statuses.values()) <= {200, 404}
        assert listed(get(TASKS, params=everywhere)) == Counter(open_)
        assert listed(get(TASKS, params={**everywhere, "archived": "true"})) == Counter(seen)
        assert listed(get(TASKS, params={**everywhere, "q": self.word})) == Counter(open_)
        assert listed(get(BOARDS, params=everywhere)) == Counter(boards)
        found = get("/search", params={**everywhere, "q": self.word})
        assert Counter(hit[hit["type"]]["id"] for hit in data_of(found)) == Counter([*open_, *assets])
        if self.assets:
            answer = token.http.post(f"{ASSETS}/by-ids", json={"ids": sorted(self.assets)})
            assert listed(answer) == Counter(assets)
            assert set(answer.json()["meta"]["missing"]) == set(self.assets) - assets
        self._check_spaces(token, reach)
        for each in assets:
            used = {task for task in seen if each in self.tasks[task].attached}
            assert Counter(use["taskId"] for use in data_of(get(f"{ASSETS}/{each}/usage"))) == Counter(used)
        if token.given is None:
            text = get(self.calendars[token.person.name]).text
            assert {each for each in self.tasks if each in text} == open_

    def _check_spaces(self, token: Token, reach: list[str]) -> None:
        get = token.http.get
        for owner in {*self.shared, *(f"~{person.name}" for person in self.people)}:
            query = {"spaceId": owner, "limit": "100"}
            if owner not in reach:
                assert get(TASKS, params=query).status_code == get(ASSETS, params=query).status_code == 404
                continue
            tasks = [each for each, thing in self.tasks.items() if thing.owner == owner and not thing.archived]
            media = [each for each, thing in self.assets.items() if thing.owner == owner]
            assert listed(get(TASKS, params=query)) == Counter(tasks)
            assert listed(get(ASSETS, params=query)) == Counter(media)
            assert counted(get("/taskapp/tags", params=query)) == tags_of(self.tasks[each] for each in tasks)
            assert counted(get("/media/tags", params=query)) == tags_of(self.assets[each] for each in media)
            assert data_of(get("/media/stats", params={"spaceId": owner}))["assets"]["count"] == len(media)

    def check_events(self, token: Token) -> None:
        """All events that are told are of spaces in reach; and of each thing there it was told that it came."""
        reach = self.reach(token)
        came = {each for each, thing in (*self.tasks.items(), *self.boards.items()) if thing.owner in reach}

        def told() -> bool:
            events = self._events(token)
            assert {event["spaceId"] for event in events} <= {*reach, LIBRARY, f"~{token.person.name}"}
            return came <= {event["subject"] for event in events if event["type"].endswith(".created")}

        wait_until(told)

    def _events(self, token: Token) -> list[dict[str, Any]]:
        events, query = [], {"from": "start", "limit": "100", "types": "task.*,board.*"}
        while True:
            page = token.http.get("/events", params=query).json()
            events += page["data"]
            if not page["meta"]["hasMore"]:
                return events
            query = {"limit": "100", "types": query["types"], "cursor": page["meta"]["nextCursor"]}


def listed(answer: httpx2.Response) -> Counter[str]:
    """The ids in a list; other tests of this server may have things in the Library, which everybody sees."""
    return Counter(each["id"] for each in data_of(answer) if each["spaceId"] != LIBRARY)


def counted(answer: httpx2.Response) -> dict[str, int]:
    return {each["tag"]: each["count"] for each in data_of(answer)}


def tags_of(things: Any) -> dict[str, int]:
    return dict(Counter(tag for thing in things for tag in thing.tags))
