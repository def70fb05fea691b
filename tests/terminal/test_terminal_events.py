"""Events in the terminal, and forwarded to a receiver."""

import json
from subprocess import Popen

import pytest

from stowboard_client import verify
from support.clients.task_owner import Owner
from support.clients.terminal import Terminal
from support.waiting import wait_until
from support.webhooks.receiver import Receiver

pytestmark = pytest.mark.cluster_in_soak
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def keep_creating(ann: Owner, process: Popen[str]) -> None:
    """Until it has heard of enough; a stream begins when it begins."""

    def ended() -> bool:
        ann.tasks.create("x")
        return process.poll() is not None

    wait_until(ended)


def test_what_has_happened_is_printed_from_the_start(ann: Owner, stow: Terminal) -> None:
    [task] = ann.create("a")
    ann.tasks.complete(task.id)
    found = stow("events", "tail", "--from-start", "--subject", task.id, "--limit", "2").lines
    assert [event["type"] for event in found] == ["task.created", "task.completed"]
    only = stow("events", "tail", "--from-start", "--types", "task.completed", "--limit", "1").one
    assert only["subject"] == task.id


def test_what_happens_is_printed_as_it_happens(ann: Owner, stow: Terminal) -> None:
    with stow.begin("events", "tail", "--limit", "2") as process:
        keep_creating(ann, process)
        out, _ = process.communicate(timeout=120)
    assert [json.loads(line)["type"] for line in out.splitlines()] == ["task.created"] * 2


def test_a_receiver_without_a_public_address_gets_signed_events(ann: Owner, stow: Terminal) -> None:
    with Receiver() as receiver:
        words = ["webhook", "listen", "--forward-to", receiver.url, "--types", "task.*", "--limit", "1"]
        with stow.begin(*words) as process:
            keep_creating(ann, process)
            out, err = process.communicate(timeout=120)
    secret = err.split("The secret is ")[1].split()[0]
    [received] = receiver.received
    event = verify(secret, received.headers, received.body)
    assert (event.type, event.id) == ("task.created", received.id)
    assert json.loads(out)["answer"] == "200"


def test_a_board_that_is_watched_is_drawn_anew(ann: Owner, stow: Terminal) -> None:
    board = ann.boards.create("House")
    ann.tasks.activate_index()
    with stow.begin("board", "show", "House", "--watch") as process:
        assert process.stdout is not None

        ann.place(board, "a")
        line = ""
        while '"title":"a"' not in line:
            line = process.stdout.readline()
            assert line, "it ended before that"
        ann.boards.delete(board.id)
        assert process.wait(timeout=120) == 0


def test_a_program_that_knows_no_http_speaks_to_the_door_for_agents(ann: Owner, stow: Terminal) -> None:
    ann.tasks.create("Fix tap")
    ann.tasks.activate_index()
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "find_tasks", "arguments": {}}},
    ]
    first, second = stow("mcp", stdin="".join(f"{json.dumps(message)}\n" for message in asked)).lines
    assert first["result"]["protocolVersion"] == INITIALIZE["protocolVersion"]
    assert "Fix tap" in second["result"]["content"][0]["text"]
