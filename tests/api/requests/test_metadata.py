"""Pairs of a caller's own, on tasks, assets and videos."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.servers.stowboard import Server

Make = Callable[[dict[str, Any]], httpx2.Response]


class Kind:
    """How one kind of thing is made and found."""

    def __init__(self, owner: Owner, made_at: str, body: dict[str, Any], found_at: str) -> None:
        self.http, self._made_at, self._body, self.found_at = owner.http, made_at, body, found_at

    def make(self, metadata: Any) -> httpx2.Response:
        return self.http.post(self._made_at, json=self._body | {"metadata": metadata})

    def change(self, thing: str, metadata: Any) -> httpx2.Response:
        return self.http.patch(f"{self.found_at}/{thing}", json={"metadata": metadata})

    def find(self, pair: str) -> list[str]:
        return [one["id"] for one in data_of(self.http.get(self.found_at, params={"metadata": pair}))]


@pytest.fixture(params=["tasks", "assets", "videos"])
def kind(request: pytest.FixtureRequest, server: Server) -> Iterator[Kind]:
    owner = Owner(server)
    owner.tasks.activate_index()
    yield {
        "tasks": Kind(owner, "/taskapp/tasks", {"title": "t"}, "/taskapp/tasks"),
        "assets": Kind(owner, "/media/upload/file", {"filename": "a.txt", "data": "aGVsbG8="}, "/media/assets"),
        "videos": Kind(owner, "/media/videos/upload", {"title": "t"}, "/media/videos"),
    }[request.param]
    owner.close()


def test_pairs_are_kept_replaced_cleared_and_found(kind: Kind, client: Client) -> None:
    one = data_of(kind.make({"order": "47:11", "from.shop": "ä"}), 201)
    other = data_of(kind.make(None), 201)
    assert (one["metadata"], other["metadata"]) == ({"order": "47:11", "from.shop": "ä"}, {})
    assert data_of(kind.http.get(f"{kind.found_at}/{one['id']}"))["metadata"] == one["metadata"]
    unique = one["id"]
    assert data_of(kind.change(one["id"], {"me": unique}))["metadata"] == {"me": unique}
    assert kind.find(f"me:{unique}") == [one["id"]]
    assert kind.find(f"Me:{unique}") == kind.find(f"me:{unique}x") == []
    assert one["id"] not in kind.find("order:47:11")
    assert data_of(kind.change(one["id"], None))["metadata"] == {}
    assert kind.find(f"me:{unique}") == []
    data_of(kind.change(other["id"], {"me": unique}))
    data_of(kind.http.delete(f"{kind.found_at}/{other['id']}"))
    assert kind.find(f"me:{unique}") == []


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"": "x"}, "metadata: a name has"),
        ({"a b": "x"}, "metadata: a name has"),
        ({"x" * 41: "x"}, "metadata: a name has"),
        ({"order": "x" * 256}, "metadata.order: expected at most 255"),
        ({"order": 5}, "metadata"),
        ({f"n{number}": "" for number in range(33)}, "metadata: expected at most 32"),
        ([], "metadata"),
    ],
)
def test_other_pairs_are_refused(kind: Kind, wrong: Any, said: str) -> None:
    answer = kind.make(wrong)
    assert answer.status_code == 400
    assert said in message_of(answer)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("wrong", ["order", ":x", "a b:x", ""])
def test_a_filter_that_is_no_pair_is_refused(kind: Kind, wrong: str) -> None:
    answer = kind.http.get(kind.found_at, params={"metadata": wrong})
    assert error_of(answer) == (400, "invalid_parameter")
    assert "order:4711" in message_of(answer)


def test_the_largest_metadata_fits(kind: Kind) -> None:
    largest = {f"{number:040}": "\U0001f600" * 255 for number in range(32)}
    made = data_of(kind.make(largest), 201)
    assert made["metadata"] == largest
    assert made["id"] in kind.find(f"{0:040}:" + "\U0001f600" * 255)
