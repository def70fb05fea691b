"""`help` and editors show the arguments and the answer of each method."""

import inspect
import pydoc
from typing import Any

import pytest
from both_faces import Face

from stowboard_client import Asset, AsyncFollower, AsyncPager, Client, Follower, Pager, Task
from stowboard_client.events.events import Following
from stowboard_client.transport.paging import Listing
from stowboard_client.transport.resource import Conversation, Operation, Resource

METHODS = (Operation, Conversation, Listing, Following)


def methods_of(client: Any) -> list[tuple[str, Any]]:
    """Every method of a client and of its resources."""
    holders = {"": client}
    for name, member in vars(client).items():
        if isinstance(member, Resource):
            holders[f"{name}."] = member
    return [
        (prefix + name, getattr(holder, name))
        for prefix, holder in holders.items()
        for name, member in inspect.getmembers(type(holder))
        if isinstance(member, METHODS)
    ]


def test_every_method_shows_its_arguments_and_no_inner_ones(face: Face) -> None:
    found = methods_of(face.client())
    assert len(found) > 100
    for name, method in found:
        signature = inspect.signature(method)
        kinds = {parameter.kind for parameter in signature.parameters.values()}
        assert not kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}, name
        assert "session" not in signature.parameters, name
        assert signature.return_annotation is not inspect.Signature.empty, name
        assert not str(signature.return_annotation).startswith("stowboard_client.transport.call"), name


def test_help_shows_how_to_upload(face: Face) -> None:
    shown = pydoc.plain(pydoc.render_doc(face.client().upload))
    assert "upload(" in shown
    for part in ("source", "filename: str | None = None", "tags", "progress", "Upload a new image or file"):
        assert part in shown, shown
    assert "*args" not in shown


@pytest.mark.parametrize(
    ("name", "blocking", "waiting"),
    [
        ("upload", Asset, "Coroutine"), ("tasks.create", Task, "Coroutine"),
        ("tasks.list", Pager[Task], AsyncPager[Task]), ("events.follow", Follower, AsyncFollower),
    ],
)  # fmt: skip
def test_the_answer_is_that_of_the_client(face: Face, name: str, blocking: Any, waiting: Any) -> None:
    method = dict(methods_of(face.client()))[name]
    answer = inspect.signature(method).return_annotation
    if face.kind is Client:
        assert answer == blocking
    elif waiting == "Coroutine":
        assert answer.__args__[-1] == blocking
    else:
        assert answer == waiting
