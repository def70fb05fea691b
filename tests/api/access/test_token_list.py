"""Walking the list of tokens: everything that was there at the start is seen once, whatever happens meanwhile."""

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard_client import Client, errors
from support.servers.stowboard import Server


@pytest.fixture(scope="module")
def known(shared_server: Server) -> list[str]:
    """Ids of tokens that exist and stay."""
    with Client(shared_server.origin, shared_server.admin_token) as client:
        return [client.tokens.create("walk").id for _ in range(30)]


def test_a_walk_goes_from_the_newest_to_the_oldest(client: Client, known: list[str]) -> None:
    ids = [token.id for token in client.tokens.list(limit=7)]
    assert ids == sorted(ids, reverse=True)
    assert len(ids) == len(set(ids))
    assert set(known) <= set(ids)


def test_pages_say_whether_there_is_more(client: Client, known: list[str]) -> None:
    pages = list(client.tokens.list(limit=9).pages())
    assert all(page.meta.has_more and page.meta.next_cursor and len(page.items) == 9 for page in pages[:-1])
    assert not pages[-1].meta.has_more
    assert pages[-1].meta.next_cursor is None
    assert 1 <= len(pages[-1].items) <= 9


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(limit=st.integers(3, 40), writes=st.lists(st.sampled_from(["create", "revoke", "nothing"]), max_size=8))
def test_writes_between_the_pages_hide_and_repeat_nothing(
    client: Client, known: list[str], limit: int, writes: list[str]
) -> None:
    made: list[str] = []
    seen: list[str] = []
    pending = iter(writes)
    for page in client.tokens.list(limit=limit).pages():
        seen += [token.id for token in page.items]
        match next(pending, "nothing"):
            case "create":
                made.append(client.tokens.create("walk").id)
            case "revoke" if made:
                client.tokens.revoke(made.pop())
    assert len(seen) == len(set(seen))
    assert set(known) <= set(seen)
    for left in made:
        client.tokens.revoke(left)


def test_writers_that_never_rest_hide_and_repeat_nothing(server: Server, client: Client, known: list[str]) -> None:
    done = threading.Event()
    failures: list[Exception] = []

    def write() -> None:
        try:
            with Client(server.origin, server.admin_token) as writer:
                while not done.is_set():
                    writer.tokens.revoke(writer.tokens.create("busy").id)
        except errors.StowboardError as error:
            failures.append(error)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    try:
        for limit in (5, 10, 30):
            seen = [token.id for token in client.tokens.list(limit=limit)]
            assert len(seen) == len(set(seen))
            assert set(known) <= set(seen)
    finally:
        done.set()
        for writer in writers:
            writer.join()
    assert failures == []
