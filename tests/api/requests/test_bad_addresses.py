"""Queries, cursors and paths that are wrong."""

import base64

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import data_of, error_of, message_of
from support.clients import raw_http
from support.clients.credentials import Issue
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak
TOKENS = "/api/v1/access/tokens"
CLIENTS = "/api/v1/access/clients"


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=-1", "limit=1.5", "limit=abc", "limit=", "limit=%20", "limit=1_0", "limit=0x10", "limit=true",
        "limit=null", "limit=%D9%A1", "limit=" + "9" * 6000, "limit=1&limit=2", "limit=5&limit=5",
        "cursor=a&cursor=b", "x=1&x=2", "limit=%ff", "%ff=1", "limit=1%00", "%00", "cursor=%00", "cursor=%ED%A0%80",
        "&".join(f"p{n}=1" for n in range(65)),
    ],
    ids=lambda query: query[:24],
)  # fmt: skip
@pytest.mark.parametrize("path", [TOKENS, CLIENTS])
def test_a_broken_query_is_refused_by_name(admin: httpx2.Client, path: str, query: str) -> None:
    answer = admin.get(f"{path}?{query}")
    assert error_of(answer) == (400, "invalid_parameter")
    if query.startswith("limit=") and "%" not in query and "&" not in query:
        assert message_of(answer).startswith("limit: ")


@pytest.mark.parametrize("limit", ["101", "1000000", "9999999999999999999999"])
def test_a_limit_beyond_the_largest_is_cut_and_says_so(admin: httpx2.Client, limit: str) -> None:
    answer = admin.get(TOKENS, params={"limit": limit})
    data_of(answer)
    assert answer.json()["meta"]["limit"] == 100


def test_the_limit_is_fifty_where_none_is_given(admin: httpx2.Client) -> None:
    assert admin.get(TOKENS).json()["meta"]["limit"] == 50
    assert admin.get(TOKENS, params={"limit": 7}).json()["meta"]["limit"] == 7


@pytest.mark.parametrize("query", ["unknown=1", "=", "Limit=0", "access_token=x", "limit[]=0"])
def test_parameters_that_nobody_knows_are_refused(admin: httpx2.Client, query: str) -> None:
    assert error_of(admin.get(f"{TOKENS}?{query}")) == (400, "invalid_parameter")


@pytest.mark.parametrize("query", ["", "&&&"])
def test_a_query_without_parameters_is_none(admin: httpx2.Client, query: str) -> None:
    data_of(admin.get(f"{TOKENS}?{query}"))


@pytest.fixture
def cursor(client: Client, issue: Issue) -> str:
    for _ in range(2):
        issue()
    cursor = client.tokens.list(limit=1).page().meta.next_cursor
    assert cursor is not None
    return cursor


@pytest.mark.parametrize(
    "garbage",
    ["", "x", ".", "k0.", "k0.AAAA", "k0." + "A" * 64, "é.é", "k0.!!!!", "null", "0", "A" * 8000, "../../etc"],
)
def test_garbage_is_no_cursor(admin: httpx2.Client, garbage: str) -> None:
    assert error_of(admin.get(TOKENS, params={"cursor": garbage})) == (400, "invalid_cursor")


def test_a_cursor_with_any_character_changed_or_added_is_refused(admin: httpx2.Client, cursor: str) -> None:
    data_of(admin.get(TOKENS, params={"cursor": cursor}))
    changed = [cursor[:i] + ("A" if cursor[i] != "A" else "B") + cursor[i + 1 :] for i in range(0, len(cursor), 3)]
    added = [
        cursor + "A",
        cursor + "=",
        cursor + "!",
        cursor + ".",
        " " + cursor,
        cursor[:-1],
        cursor.replace(".", ".."),
    ]
    for tampered in [*changed, cursor[:-1] + chr(ord(cursor[-1]) ^ 1), *added]:
        assert error_of(admin.get(TOKENS, params={"cursor": tampered})) == (400, "invalid_cursor"), tampered


def test_a_cursor_cannot_be_written_by_who_knows_its_form(admin: httpx2.Client, cursor: str) -> None:
    key_id, _, text = cursor.partition(".")
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    forged = base64.urlsafe_b64encode(raw[:16] + b'["tok_' + b"z" * 26 + b'"]').rstrip(b"=").decode()
    assert error_of(admin.get(TOKENS, params={"cursor": f"{key_id}.{forged}"})) == (400, "invalid_cursor")


def test_a_cursor_of_one_list_is_none_of_another(admin: httpx2.Client, cursor: str) -> None:
    assert error_of(admin.get(CLIENTS, params={"cursor": cursor})) == (400, "invalid_cursor")


@pytest.mark.parametrize(
    "segment",
    [
        "%00",
        "%ff",
        "%zz",
        "%",
        "..%2f..%2fetc",
        "tok_%00",
        "%20",
        "é",
        "a" * 20_000,
        "'%20OR%201=1--",
        "tok_" + "z" * 26,
    ],
)
def test_an_id_that_is_none_is_not_found(admin: httpx2.Client, segment: str) -> None:
    for method in ("GET", "DELETE"):
        answer = admin.request(method, httpx2.URL(f"{TOKENS}/{segment}"))
        assert error_of(answer)[0] == 404


@pytest.mark.parametrize(
    "target",
    [b"/api/v1/%ff", b"/api/v1/%00", b"/api/v1/../healthz", b"//api/v1", b"/api/v1/access%2ftokens/x/y", b"/%2e%2e/x"],
)
def test_an_odd_path_is_no_path(server: Server, target: bytes) -> None:
    answer = raw_http.send(server.port, raw_http.request(server.admin_token, "GET", target))
    assert (answer.status, answer.error["code"]) == (404, "route_not_found")


def test_a_very_long_path_is_answered_and_cut_in_the_log(server: Server) -> None:
    answer = raw_http.send(server.port, raw_http.request(server.admin_token, "GET", b"/api/v1/" + b"long" * 12_000))
    assert (answer.status, answer.error["code"]) == (404, "route_not_found")
    assert "long" * 1000 not in server.log()
