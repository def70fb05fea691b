"""A person takes back what an agent did: all of it in one request, and nothing that anybody else did."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from stowboard_client import Client, Task
from stowboard_client.events.changes import UndoneChanges
from support.clients.agents import Agent
from support.clients.credentials import Issue
from support.rounds import rounds
from support.servers.stowboard import Server


@pytest.fixture
def person(server: Server, issue: Issue, owner: str) -> Iterator[Client]:
    with Client(server.origin, issue(owner=owner).token) as client:
        client.tasks.activate_index()
        yield client


@pytest.fixture
def agent_token(issue: Issue, owner: str) -> Any:
    return issue(owner=owner)


@pytest.fixture
def agent(server: Server, agent_token: Any) -> Agent:
    return Agent(server.origin, agent_token)


def said(task: Task) -> dict[str, Any]:
    left_out = ("version", "updated_at", "updated_by")
    return {name: getattr(task, name) for name in task.__struct_fields__ if name not in left_out}


def test_all_that_an_agent_did_is_taken_back_at_once(person: Client, agent: Agent, agent_token: Any) -> None:
    kept, changed = person.tasks.create("mine"), person.tasks.create("also mine", body="text", tags=["x"])
    since = changed.created_at
    made = agent.call("save_task", title="from the agent")["task"]
    agent.call("save_task", id=changed.id, title="better", tags=["y"])
    agent.call("finish_task", id=kept.id)
    agent.call("finish_task", id=changed.id, action="trash")
    done = person.changes.undo_all(token_id=agent_token.id, since=since)
    assert (done.result.undone, done.result.refused, done.meta.more) == (4, (), False)
    assert said(person.tasks.get(kept.id)) == said(kept)
    assert said(person.tasks.get(changed.id)) == said(changed)
    assert person.tasks.get(made["id"]).trashed_at is not None
    again = person.changes.undo_all(token_id=agent_token.id, since=since)
    assert again.result.undone == 0


def test_what_somebody_changed_since_is_named_and_stays(person: Client, agent: Agent, agent_token: Any) -> None:
    task = person.tasks.create("mine")
    agent.call("save_task", id=task.id, title="better")
    agent.call("save_task", id=task.id, priority=2)
    made = agent.call("save_task", title="from the agent")["task"]
    person.tasks.update(task.id, title="best")
    person.tasks.update(made["id"], tags=["good"])
    done = person.changes.undo_all(token_id=agent_token.id, since=task.created_at)
    assert done.result.undone == 1
    assert sorted(refusal.code for refusal in done.result.refused) == ["conflict", "conflict"]
    left = person.tasks.get(task.id)
    assert (left.title, left.priority) == ("best", 0)
    assert person.tasks.get(made["id"]).trashed_at is None


def test_nobody_takes_back_what_was_done_in_another_name(
    person: Client, agent: Agent, agent_token: Any, server: Server, issue: Issue
) -> None:
    made = agent.call("save_task", title="from the agent")["task"]
    with Client(server.origin, issue().token) as other:
        done = other.changes.undo_all(token_id=agent_token.id, since=0)
        assert done.result.undone == 0
    assert person.tasks.get(made["id"]).trashed_at is None


def test_an_agent_that_may_only_read_undoes_nothing(person: Client, server: Server, issue: Issue, owner: str) -> None:
    task = person.tasks.create("mine")
    person.tasks.update(task.id, title="better")
    change = next(iter(person.changes.list(subject=task.id)))
    with Client(server.origin, issue(owner=owner, scopes=["tasks:read"]).token) as reader:
        assert next(iter(reader.changes.list(subject=task.id))).id == change.id
        with pytest.raises(Exception, match="tasks:write"):
            reader.changes.undo(change.id)


def test_whatever_an_agent_does_is_taken_back(person: Client, agent: Agent, agent_token: Any) -> None:
    chance = random.Random(7)
    tasks = [person.tasks.create(title, tags=["x"]) for title in "abc"]
    for _ in range(rounds(6, 1_000)):
        before = [said(person.tasks.get(task.id)) for task in tasks]
        made = [_do_something(agent, chance, [task.id for task in tasks]) for _ in range(chance.randrange(1, 6))]
        person.changes.undo_all(token_id=agent_token.id, since=0)
        assert [said(person.tasks.get(task.id)) for task in tasks] == before
        assert all(person.tasks.get(task_id).trashed_at is not None for task_id in made if task_id is not None)


def _do_something(agent: Agent, chance: random.Random, ids: list[str]) -> str | None:
    task_id = chance.choice(ids)
    match chance.randrange(4):
        case 0:
            return str(agent.call("save_task", title="new")["task"]["id"])
        case 1:
            agent.try_call("save_task", id=task_id, title=chance.choice("xyz"), priority=chance.randrange(4))
        case 2:
            agent.try_call("move_task", id=task_id, column=chance.choice(["todo", "in_progress", "done"]))
        case 3:
            agent.try_call("finish_task", id=task_id, action=chance.choice(["complete", "archive", "trash", "restore"]))
    return None


def test_what_a_script_made_with_its_token_goes_to_the_trash(
    person: Client, server: Server, issue: Issue, owner: str
) -> None:
    token = issue(owner=owner)
    with Client(server.origin, token.token) as script:
        task = script.tasks.create("from a script", tags=["x"])
        script.tasks.update(task.id, title="better")
        asset = script.upload(b"a,b", filename="a.csv", space="own")
        video = script.videos.create("Harbour", space="own")
        board = script.boards.create("From a script")
        script.boards.add_column(board.id, "Waiting", "todo")
        script.boards.update(board.id, name="Better")
        script.tasks.move(task.id, "todo", board=board.id)
    done = person.changes.undo_all(token_id=token.id, since=task.created_at)
    assert [refusal.message for refusal in done.result.refused] == [
        "The earlier columns is not kept. Change it by hand."
    ]
    assert person.tasks.get(task.id).trashed_at is not None
    assert person.assets.get(asset.id).trashed_at is not None
    assert person.videos.get(video.id).trashed_at is not None
    assert (person.boards.get(board.id).archived, person.boards.get(board.id).name) == (True, "From a script")
    assert board.id not in [each.id for each in person.boards.list()]


def test_a_board_with_tasks_of_others_stays_and_the_reason_is_told(
    person: Client, agent: Agent, agent_token: Any
) -> None:
    board = agent.call("save_board", name="From the agent")["board"]
    since = person.boards.get(board["id"]).created_at
    task = person.tasks.create("mine", board_id=board["id"])
    done = person.changes.undo_all(token_id=agent_token.id, since=since)
    assert done.result.undone == 0
    (refusal,) = done.result.refused
    assert (refusal.code, refusal.message[:27]) == ("conflict", "There are tasks on the boar")
    person.tasks.move(task.id, "todo", board=None)
    assert person.changes.undo_all(token_id=agent_token.id, since=since).result.undone == 1
    assert person.boards.get(board["id"]).archived


def test_many_changes_are_taken_back_in_pieces_and_each_refusal_is_told_once(
    person: Client, server: Server, issue: Issue, owner: str
) -> None:
    token = issue(owner=owner)
    with Client(server.origin, token.token) as script:
        new: dict[str, object] = {"op": "create", "title": "from a script", "body": "x" * 3000}
        made = [each.task for each in script.tasks.batch([new] * 100).items]
        change: dict[str, object] = {"op": "update", "body": "y" * 3000}
        script.tasks.batch([change | {"id": task.id} for task in made if task is not None])
    mine = made[7]
    assert mine is not None
    person.tasks.update(mine.id, body="z")
    assert made[0] is not None
    pieces: list[UndoneChanges] = []
    before = None
    while not pieces or pieces[-1].meta.more:
        pieces.append(person.changes.undo_all(token_id=token.id, since=made[0].created_at, before=before))
        before = pieces[-1].meta.before
    assert [len(piece.result.refused) + piece.result.undone for piece in pieces] == [25] * 8
    assert sum(piece.result.undone for piece in pieces) == 198
    assert {refusal.message[:14] for piece in pieces for refusal in piece.result.refused} == {"Changed since:"}
    assert sum(task.trashed_at is None for task in map(person.tasks.get, [each.id for each in made if each])) == 1
