"""Each id of a request, one after the other, is swapped for one of a space that the caller may not act in."""

from collections.abc import Iterator
from typing import NamedTuple

import httpx2
import pytest

from support.api.foreign_ids import IdSlot, id_slots, never_was
from support.api.space_matrix import Matrix
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server


class Spaces(NamedTuple):
    """The caller manages the first one, is a viewer in the second, and does not know of the third."""

    caller: SpacePerson
    here: Matrix
    low: Matrix
    foreign: Matrix


@pytest.fixture(scope="module")
def spaces(shared_server: Server) -> Iterator[Spaces]:
    with people(shared_server, "ann", "ben") as (ann, ben):
        spaces = Spaces(ann, *(Matrix(shared_server, person) for person in (ann, ben, ben)))
        ben.add(spaces.low.space_id, ann, "viewer")
        for slot in id_slots():  # so that nothing is made while answers are compared
            for space in (spaces.here, spaces.low, spaces.foreign):
                slot.request(space, slot.found_in(space))
        yield spaces


def test_every_id_of_a_request_has_a_maker() -> None:
    assert [str(slot) for slot in id_slots() if not slot.has_maker] == []
    assert len(list(id_slots())) > 150


def test_an_id_of_a_space_out_of_reach_is_as_one_that_never_was(spaces: Spaces) -> None:
    before, cells = spaces.here.digest(), []
    for slot in id_slots():
        found = slot.found_in(spaces.foreign)
        never = never_was(found)
        answer, other = (slot.request(spaces.here, each)(spaces.caller.api) for each in (found, never))
        if told(answer, found) != told(other, never):
            cells.append(f"{slot}: {answer.text[:200]}, but of one that never was {other.text[:200]}")
        if code_of(answer, found) != code_of_unknown(slot):
            cells.append(f"{slot}: {answer.status_code} {answer.text[:200]}")
    assert "\n".join(cells) == ""
    assert changed(spaces, before) == set()


def test_an_id_of_a_space_where_the_role_is_too_low_is_refused(spaces: Spaces) -> None:
    before, cells = spaces.here.digest(), []
    for slot in id_slots():
        if slot.only_looks:
            continue
        found = slot.found_in(spaces.low)
        answer = slot.request(spaces.here, found)(spaces.caller.api)
        if code_of(answer, found) != code_of_seen(slot):
            cells.append(f"{slot}: {answer.status_code} {answer.text[:200]}")
    assert "\n".join(cells) == ""
    assert changed(spaces, before) == set()


def test_with_ids_of_one_space_the_same_requests_are_done(spaces: Spaces) -> None:
    """So it was the one id, and nothing else, that was refused."""
    cells = []
    slots = [slot for slot in id_slots() if slot.place != "path"]
    for slot in sorted(slots, key=lambda slot: (is_deletion(slot), "board" in slot.name or slot.name == "column_id")):
        answer = slot.request(spaces.here, slot.found_in(spaces.here))(spaces.caller.api)
        if answer.is_error and not slot.endpoint.path.endswith("/from-url"):  # its host does not exist
            cells.append(f"{slot}: {answer.status_code} {answer.text[:200]}")
    assert "\n".join(cells) == ""


def is_deletion(slot: IdSlot) -> bool:
    return slot.endpoint.method == "DELETE" or slot.endpoint.path.endswith("batch-delete")


def told(answer: httpx2.Response, found: str) -> tuple[int, str]:
    return answer.status_code, answer.text.replace(found, "…")


def code_of(answer: httpx2.Response, found: str) -> str:
    """The error; `missing` or `nothing` for an answer that says so."""
    content = answer.json()
    if answer.is_error:
        return str(content["error"]["code"])
    if f'"missing":["{found}"]' in answer.text:
        return "missing"
    return "nothing" if content["data"] == [] or '"undone":0' in answer.text else "something"


def code_of_unknown(slot: IdSlot) -> str:
    """How an id that never was is refused."""
    if slot.name == "ids" and not slot.endpoint.path.endswith("/transfer"):
        return "missing"
    if is_filter(slot):
        return "nothing"
    if slot.place == "query" and slot.name == "board_id":
        return "invalid_parameter"
    making = slot.place == "create" or (slot.place == "body" and slot.endpoint.path in ("/tasks", "/taskapp/tasks"))
    if is_validated(slot) or (making and slot.name == "board_id"):
        return "validation_failed"
    return "not_found"


def code_of_seen(slot: IdSlot) -> str:
    """How an id of a thing that the caller may only look at is refused."""
    if slot.is_part or is_filter(slot):
        return "not_found" if slot.is_part else "nothing"
    is_poster = slot.name == "asset_id" and slot.endpoint.path.endswith("/poster")
    return "validation_failed" if is_validated(slot) or is_poster else "insufficient_role"


def is_filter(slot: IdSlot) -> bool:
    return slot.place != "path" and slot.name in ("subject", "token_id")


def is_validated(slot: IdSlot) -> bool:
    """True where an id that cannot be meant is a fault of the body: it has to be of the space, or of the board."""
    names = ("attachments", "assignees", "column_id")
    return slot.place != "path" and (slot.name in names or slot.endpoint.path.endswith("/attachments"))


def changed(spaces: Spaces, before: dict[str, str]) -> set[str]:
    after = spaces.here.digest()
    return {name for name in after if after[name] != before.get(name)}
