"""Where a caller may act, and as what."""

import pytest

from stowboard.core.caller import Access, Caller, TokenId, TokenKind
from stowboard.core.errors import InsufficientRole, SpaceNotFound
from stowboard.core.reach import LIBRARY, Reach, Role, space_id_of

HOME = "spc_home"
REACH = Reach.over({"alice": Role.MANAGER, LIBRARY: Role.EDITOR, HOME: Role.VIEWER})


def access(role: Role, reach: Reach = REACH) -> Access:
    return Access(Caller(TokenId("tok"), "alice", frozenset(), None, TokenKind.AUTOMATION, reach), role)


def test_each_role_includes_those_before_it() -> None:
    assert [[role.includes(other) for other in Role] for role in Role] == [
        [True, False, False, False],
        [True, True, False, False],
        [True, True, True, False],
        [True, True, True, True],
    ]


def test_a_space_on_the_wire_names_an_owner() -> None:
    for owner in REACH.roles:
        assert REACH.find(space_id_of(owner)) == owner
    assert REACH.find("own") == "alice"


@pytest.mark.parametrize("space_id", ["", "alice", "~", "~bob", "~spc_", "spc_other", "all", f"~alice{chr(31)}bob"])
def test_a_space_out_of_reach_is_not_found_and_neither_is_what_is_no_space(space_id: str) -> None:
    with pytest.raises(SpaceNotFound):
        REACH.find(space_id)


def test_without_a_space_tasks_are_ones_own_and_media_is_the_librarys() -> None:
    assert access(Role.EDITOR).in_tasks(None) == "alice"
    assert access(Role.EDITOR).in_media(None) == LIBRARY
    narrowed = access(Role.VIEWER, Reach.over({HOME: Role.VIEWER}, [HOME]))
    assert (narrowed.in_tasks(None), narrowed.in_media(None)) == (HOME, HOME)


def test_a_role_that_is_too_low_is_refused_with_the_one_that_is_needed() -> None:
    access(Role.VIEWER).check(HOME)
    with pytest.raises(InsufficientRole, match="you must be editor in the space spc_home; you are viewer there"):
        access(Role.EDITOR).in_tasks(HOME)
