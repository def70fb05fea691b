"""The matrix of permissions: every operation, by everybody who stands to a space in some way."""

from collections.abc import Iterator

import httpx2
import pytest

from stowboard.api.endpoint import AnyEndpoint
from stowboard.core.reach import Role
from support.api.answers import data_of
from support.api.space_matrix import BODY_MAKERS, MAKERS, Matrix, id_parameters, is_admins, names_space, operations
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server

NEVER = "01kbr2x4q8e9w6y3t7n5m1c0vz"
#: Operations on many things name those that are out of reach as missing, and answer 200.
MISSING = ("by-ids", "batch-tags", "batch-delete", "batch-trash", "batch-restore", "urls")
#: Operations on a part that no maker makes: their tests are elsewhere, and here the part is not found.
PARTS = ("{event_id}", "{language}", "{version}", "/media/tags/renames/")


def wrong(endpoint: AnyEndpoint, who: str, answer: httpx2.Response, expected: str) -> str:
    return f"{endpoint.method} {endpoint.path} by {who}: {answer.status_code}, not {expected}: {answer.text[:120]}"


def test_every_operation_is_about_a_space_with_a_role_and_every_id_has_a_maker() -> None:
    for endpoint in operations():
        label = f"{endpoint.method} {endpoint.path}"
        if endpoint.path not in ("/search", "/events"):
            assert endpoint.needed_role is not None, label
        assert [name for name in id_parameters(endpoint) if name not in MAKERS and name != "space_id"] == [], label
        assert id_parameters(endpoint) or names_space(endpoint) or "ids" in BODY_MAKERS, label


@pytest.fixture
def crowd(server: Server) -> Iterator[dict[str, SpacePerson]]:
    words = ("owner", "manager", "editor", "commenter", "viewer", "neighbour")
    with people(server, *words) as made:
        crowd = dict(zip(words, made, strict=True))
        yield crowd


@pytest.fixture
def matrix(server: Server, crowd: dict[str, SpacePerson]) -> Matrix:
    matrix = Matrix(server, crowd["owner"])
    for role in Role:
        crowd["owner"].add(matrix.space_id, crowd[role], role)
    crowd["neighbour"].make_space("next door")
    return matrix


def default_token(person: SpacePerson) -> dict[str, str]:
    """A token of a member that was not given the space."""
    made = data_of(person.api.post("/access/me/tokens", json={"name": "script"}), 201)
    return {"authorization": f"Bearer {made['token']}"}


def test_a_role_that_is_too_low_is_refused_and_changes_nothing(matrix: Matrix, crowd: dict[str, SpacePerson]) -> None:
    asked = [(endpoint, matrix.kept_ids(endpoint)) for endpoint in operations() if not is_admins(endpoint)]
    before, cells = matrix.digest(), []
    for endpoint, ids in asked:
        for role in Role:
            if endpoint.needed_role is None or role.includes(endpoint.needed_role):
                continue
            answer = matrix.request(endpoint, ids)(crowd[role].api)
            if answer.status_code != 403 or answer.json()["error"]["code"] != "insufficient_role":
                cells.append(wrong(endpoint, role, answer, "403 insufficient_role"))
    assert "\n".join(cells) == ""
    after = matrix.digest()
    assert {name for name in after if after[name] != before.get(name)} == set()


@pytest.mark.parametrize("who", ["neighbour", "a token that was not given the space"])
def test_what_is_out_of_reach_is_not_found_and_stays_as_it_is(
    matrix: Matrix, crowd: dict[str, SpacePerson], who: str, server: Server
) -> None:
    asked = [(endpoint, matrix.kept_ids(endpoint)) for endpoint in operations() if not is_admins(endpoint)]
    headers = default_token(crowd["editor"]) if who not in crowd else dict(crowd[who].api.headers)
    before, cells = matrix.digest(), []
    with httpx2.Client(base_url=server.base_url, headers=headers) as stranger:
        scopes = set(data_of(stranger.get("/access/token"))["scopes"])
        for endpoint, ids in asked:
            if {endpoint.scope, *endpoint.also_scopes} - {None} - scopes:
                continue
            answer = matrix.request(endpoint, ids)(stranger)
            if any(endpoint.path.endswith(word) for word in MISSING):
                if answer.status_code != 200 or '"missing":["' not in answer.text:
                    cells.append(wrong(endpoint, who, answer, "missing"))
            elif answer.status_code != 404:
                cells.append(wrong(endpoint, who, answer, "404"))
            elif answer.content != matrix.request(endpoint, never(ids))(stranger).content:
                cells.append(wrong(endpoint, who, answer, "the bytes of an id that never was"))
    assert "\n".join(cells) == ""
    after = matrix.digest()
    assert {name for name in after if after[name] != before.get(name)} == set()


def test_a_role_that_is_high_enough_is_let_through(matrix: Matrix, crowd: dict[str, SpacePerson]) -> None:
    cells = []
    for endpoint in operations():
        if is_admins(endpoint) or "/spaces/" in endpoint.path or endpoint.needed_role is None:
            continue
        if endpoint.path.endswith("/copy"):
            continue  # it needs an editor where the copy goes
        if "{comment_id}" in endpoint.path:
            continue  # it is its author's
        least = crowd[endpoint.needed_role]
        answer = matrix.request(endpoint, matrix.make_ids(endpoint))(least.api)
        refused = answer.status_code == 403 and answer.json()["error"]["code"].startswith("insufficient_")
        if refused or (answer.status_code == 404 and not any(part in endpoint.path for part in PARTS)):
            cells.append(wrong(endpoint, endpoint.needed_role, answer, "let through"))
    assert "\n".join(cells) == ""


def test_a_part_is_not_found_through_a_whole_that_it_is_no_part_of(
    matrix: Matrix, crowd: dict[str, SpacePerson], server: Server
) -> None:
    """Also for somebody who manages both spaces."""
    other, cells = Matrix(server, crowd["owner"]), []
    with_parts = [each for each in operations() if len(id_parameters(each)) > 1 and not is_admins(each)]
    asked = [(endpoint, matrix.kept_ids(endpoint), other.kept_ids(endpoint)) for endpoint in with_parts]
    before = matrix.digest()
    for endpoint, here, there in asked:
        for name in id_parameters(endpoint):
            answer = matrix.request(endpoint, here | {name: there[name]})(crowd["owner"].api)
            if answer.status_code != 404:
                cells.append(wrong(endpoint, f"the owner, with another {name}", answer, "404"))
    assert "\n".join(cells) == ""
    after = matrix.digest()
    assert {name for name in after if after[name] != before.get(name)} == set()


def never(ids: dict[str, str]) -> dict[str, str]:
    """The same ids, of things that never were."""
    return {name: f"{value[:4]}{NEVER}" if value[3:4] == "_" else value for name, value in ids.items()}
