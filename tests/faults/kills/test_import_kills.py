"""The server is killed while it brings in a large file: each task comes once, whole, and the ledger adds up."""

import json
from functools import partial

from stowboard_client import Client
from support.clients.task_owner import Owner
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.worker import end_leases
from support.stored.plain_scans import find_differences
from support.waiting import wait_until

#: Cards, comments on each, and the parts after which the server dies.
CARDS, COMMENTS, KILLS = 1200, 2, (1, 4, 9)


def test_a_killed_import_goes_on_and_makes_nothing_twice(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack() | UNLIMITED)
    ann = Owner(server)
    ann.tasks.activate_index()
    begun = ann.client.imports.begin("board.json", board())
    ann.client.imports.run(begun.id)
    for parts in KILLS:
        with Client(server.origin, ann.token) as watching:
            wait_until(partial(has_brought, watching, begun.id, parts))
        server.kill()
        end_leases(server)
        server.start()
    with Client(server.origin, ann.token) as after:
        done = after.imports.wait_until_done(begun.id)
        assert (done.status, done.counts["task"]) == ("done", {"made": CARDS})
        assert done.counts["comment"] == {"made": CARDS * COMMENTS}
        tasks = list(after.tasks.list())
        assert sorted(task.title for task in tasks) == sorted(f"card {number}" for number in range(CARDS))
        assert {task.comment_count for task in tasks} == {COMMENTS}
        lines = [line.source for line in after.imports.lines(begun.id) if line.kind == "task"]
        assert len(lines) == len(set(lines)) == CARDS
        [made] = after.boards.list()
        places = [place.task_id for place in after.boards.placements(made.id)]
        order = {task.id: int(task.title.removeprefix("card ")) for task in tasks}
        assert [order[each] for each in places] == list(range(CARDS)), "in the order of the file"
        assert len(list(after.comments.list(tasks[0].id))) == COMMENTS
    assert find_differences(server) == {}
    ann.close()


def has_brought(client: Client, import_id: str, parts: int) -> bool:
    return client.imports.get(import_id).next_part >= parts


def board() -> bytes:
    cards = [{"id": f"c{number}", "name": f"card {number}", "idList": "l1", "pos": number} for number in range(CARDS)]
    actions = [
        {"type": "commentCard", "date": "2025-01-01T00:00:00Z", "data": {"text": "Said.", "card": {"id": card["id"]}}}
        for card in cards
        for _ in range(COMMENTS)
    ]
    lists = [{"id": "l1", "name": "Ideas"}]
    return json.dumps({"id": "b", "name": "Big", "lists": lists, "cards": cards, "actions": actions}).encode()
