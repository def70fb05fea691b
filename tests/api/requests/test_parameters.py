"""Query parameters: one that an operation does not know, or that is given twice, is refused and named."""

import httpx2
import pytest

from support.api.answers import error_of, message_of

pytestmark = pytest.mark.cluster_in_soak

TOKENS = "/api/v1/access/tokens"
WRONG = (400, "invalid_parameter")


@pytest.mark.parametrize(
    ("path", "misspelt", "nearest"),
    [
        (TOKENS, "limt=1", "limit"),
        (TOKENS, "Cursor=x", "cursor"),
        ("/api/v1/taskapp/tasks", "board_id=brd_1", "boardId"),
        ("/api/v1/taskapp/tasks", "statsu=done", "status"),
        ("/api/v1/tasks", "dueBfore=1", "dueBefore"),
        ("/api/v1/taskapp/tags", "offset=10", None),
        ("/api/v1/taskapp/boards", "archvied=true", "archived"),
        ("/api/v1/media/assets", "tag=a", "tags"),
        ("/api/v1/media/assets", "mimetype=image/png", "mimeType"),
        ("/api/v1/media/videos", "visibillity=public", "visibility"),
        ("/api/v1/events", "form=start", "from"),
    ],
)
def test_a_misspelt_parameter_does_not_answer_everything(
    admin: httpx2.Client, path: str, misspelt: str, nearest: str | None
) -> None:
    answer = admin.get(f"{path}?limit=1&{misspelt}")
    assert error_of(answer) == WRONG
    assert repr(misspelt.partition("=")[0]) in message_of(answer)
    if nearest is not None:
        assert f"The nearest is {nearest};" in message_of(answer)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1"), ("GET", "/api/v1/access/token"), ("GET", "/api/v1/media/transform-classes"),
        ("POST", TOKENS), ("POST", "/api/v1/taskapp/boards"), ("DELETE", TOKENS + "/tok_1"),
    ],
)  # fmt: skip
def test_where_no_parameter_is_taken_any_is_refused_before_anything_is_done(
    admin: httpx2.Client, method: str, path: str
) -> None:
    answer = admin.request(method, f"{path}?dryRun=true", json={"owner": "alice"} if method == "POST" else None)
    assert error_of(answer) == WRONG
    assert message_of(answer) == "'dryRun' is no parameter of this operation, which takes none."


@pytest.mark.parametrize("query", ["limit=1&limit=2", "limit=1&limit=1", "cursor=&cursor=", "limit=1&li%6Dit=2"])
def test_a_parameter_that_is_given_twice_is_named(admin: httpx2.Client, query: str) -> None:
    answer = admin.get(f"{TOKENS}?{query}")
    assert error_of(answer) == WRONG
    assert message_of(answer) == f"{query.partition('=')[0]} was given twice; give it once."


def test_a_value_that_is_too_long_is_named_and_not_repeated(admin: httpx2.Client) -> None:
    answer = admin.get(f"/api/v1/media/assets?q={'x' * 4097}")
    assert error_of(answer) == WRONG
    assert message_of(answer) == "q: expected at most 4,096 characters."


def test_the_name_in_the_message_is_cut(admin: httpx2.Client) -> None:
    answer = admin.get(f"{TOKENS}?{'x' * 5000}=1")
    assert error_of(answer) == WRONG
    assert len(message_of(answer)) < 300


@pytest.mark.parametrize("query", ["", "&", "limit=1", "limit=1&"])
def test_what_is_known_is_taken(admin: httpx2.Client, query: str) -> None:
    assert admin.get(f"{TOKENS}?{query}").status_code == 200
