"""Search through the API: words and filters of a query, in tasks, assets and videos at once and in their own lists."""

import secrets
from collections.abc import Callable

import pytest

from stowboard_client import Client, Hit, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.servers.stowboard import Server

SEARCH = "search"


@pytest.fixture
def ann(ann: Owner) -> Owner:
    ann.tasks.activate_index()
    return ann


@pytest.fixture
def word() -> str:
    """One that nothing else has: the library of media is one for all."""
    return "w" + secrets.token_hex(6)


Find = Callable[..., list[str]]


@pytest.fixture
def find(ann: Owner) -> Find:
    """The titles and filenames that a search finds."""
    return lambda q, **more: [_name(hit) for hit in ann.client.search(q, **more)]


def _name(hit: Hit) -> str:
    if hit.task is not None:
        return hit.task.title
    if hit.asset is not None:
        return hit.asset.filename
    assert hit.video is not None
    return hit.video.title


def test_one_search_finds_tasks_assets_and_videos_newest_first(ann: Owner, find: Find, word: str) -> None:
    ann.tasks.create(f"{word} task", body="old")
    ann.client.uploads.file("a.txt", b"x", alt=f"A {word.upper()}")
    ann.client.videos.create(f"The {word}")
    ann.tasks.create("tagged", tags=[word])
    assert find(word) == ["tagged", f"The {word}", "a.txt", f"{word} task"]
    assert find(word, types=["video", "asset"]) == find(f"{word} -type:task") == [f"The {word}", "a.txt"]
    assert find(f"type:task {word}") == find(word, types="task") == ["tagged", f"{word} task"]
    assert find(f"{word} old") == [f"{word} task"]
    assert find(f"tag:{word.upper()}") == ["tagged"]
    assert [video.title for video in ann.client.videos.list(q=word)] == [f"The {word}"]
    assert [asset.filename for asset in ann.client.assets.list(q=f"{word} status:ready")] == ["a.txt"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("water", "dcba"), ("watering", "d"), ("wat -the", "c"), ("water the plants", "a"), ('"water the"', "a"),
        ('"the water"', "b"), ("water -plants", "dcb"), ('"water" -"the water"', "ca"), ("status:done", "c"),
        ("water -status:done", "dba"), ("due:<2026-12-01", "a"), ("due:2026-12-01", "b"), ("due:>2026-12-01", ""),
        ("due:>=2026-12-01 water", "b"), ("tag:home -tag:out", "b"), ('tag:"Two Words"', "d"), ("words", "d"),
        ("-water", "d"), ("café", "d"), ("type:asset water", ""),
        ("tag:", "dba"), ("-tag:", "c"), ('tag:""', "dba"), ("water -tag: the", ""), ("due:", "ba"), ("-due:", "dc"),
        ("due: -tag:", ""), ("status:", "dcba"), ('"water th', "a"), ('"the wat', "db"), ('-"the water', "dca"),
        ("https://example.com/wa", "c"), ("https:", "c"), ("colour:red", ""), ('"some"water', "c"), ("TAG:home", "ba"),
    ],
)  # fmt: skip
def test_a_query_has_words_phrases_and_filters(ann: Owner, query: str, found: str) -> None:
    ann.tasks.create("a", body="Water the plants", due_at=1_790_000_000_000, tags=["home", "out"])
    ann.tasks.create("b", body="The water", due_at=1_796_083_200_000, tags=["HOME"])
    ann.tasks.create("c", body="Some water https://example.com/water", status="done")
    ann.tasks.create("d", body="At the Watering CAFÉ", tags=["two words"])
    hits = ann.client.search(query, types="task")
    assert "".join(_name(hit) for hit in hits) == "".join(task.title for task in ann.tasks.list(q=query)) == found


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("due:<tomorrow-ish", "due:<tomorrow-ish"), ("due:<2026-02-30", "2026-02-30"),
        ("status:open", "status:open"), ("type:board", "type:board"), ("-due:<2026-12-01", "-due:"),
        ("!?", "at least one word"), ("x" * 201, "200"),
        ("a " + " ".join(f"-b{n}" for n in range(11)), "at most 10 words"),
    ],
)  # fmt: skip
def test_a_broken_query_is_refused_by_name_wherever_it_is_sent(ann: Owner, query: str, named: str) -> None:
    for path in (SEARCH, "taskapp/tasks", "media/assets", "media/videos"):
        answer = ann.http.get(path, params={"q": query})
        assert error_of(answer) == (400, "invalid_parameter")
        assert named in message_of(answer)


def test_a_search_needs_words_and_known_types(ann: Owner) -> None:
    for params, named in (
        ({}, "q"),
        ({"q": "a", "types": "task,board"}, "'board'"),
        ({"q": "a", "types": ""}, "types"),
        ({"q": "a", "sort": "x"}, "sort"),
    ):
        answer = ann.http.get(SEARCH, params=params)
        assert error_of(answer) == (400, "invalid_parameter")
        assert named in message_of(answer)


def test_pages_are_full_while_more_follow_whatever_is_filtered(ann: Owner, word: str) -> None:
    for number in range(24):
        ann.tasks.create(f"{word} {number}", status="done" if number % 8 == 0 else "todo")
    pages = list(ann.client.search(f"{word} status:done", limit=2).pages())
    assert [[_name(hit) for hit in page.items] for page in pages] == [[f"{word} 16", f"{word} 8"], [f"{word} 0"]]
    listed = list(ann.tasks.list(q=word, status="done", limit=1).pages())
    assert [len(page.items) for page in listed] == [1, 1, 1]


def test_a_cursor_is_good_for_its_own_search_alone(ann: Owner, word: str) -> None:
    for number in range(3):
        ann.tasks.create(f"{word} {number}")
    cursor = ann.http.get(SEARCH, params={"q": word, "limit": 1}).json()["meta"]["nextCursor"]
    same = ann.http.get(SEARCH, params={"q": word, "limit": 1, "cursor": cursor})
    assert data_of(same)[0]["task"]["title"] == f"{word} 1"
    for other in ({"q": f"{word} -x"}, {"q": word, "types": "task"}, {"q": word, "sort": "relevance"}):
        assert error_of(ann.http.get(SEARCH, params=other | {"cursor": cursor})) == (400, "invalid_cursor")


def test_by_relevance_titles_come_before_texts(ann: Owner, word: str) -> None:
    ann.tasks.create(f"{word}")
    ann.tasks.create(f"{word}more")
    for number in range(3):
        ann.tasks.create(f"text {number}", body=word)
    in_order = [word, f"{word}more", "text 2", "text 1", "text 0"]
    for limit in (2, 50):
        assert [_name(hit) for hit in ann.client.search(word, sort="relevance", limit=limit)] == in_order


def test_nobody_finds_what_another_owner_has(ann: Owner, server: Server, word: str) -> None:
    ann.tasks.create(word)
    ben = Owner(server)
    try:
        ben.tasks.activate_index()
        mine = ben.tasks.create(word)
        assert [hit.task and hit.task.id for hit in ben.client.search(word)] == [mine.id]
        assert [hit.task and hit.task.id for hit in ben.client.search(f"-nothing tag:{word}")] == []
    finally:
        ben.close()


def test_a_token_finds_what_its_scopes_let_it_read(ann: Owner, server: Server, word: str) -> None:
    ann.tasks.create(f"{word} task")
    ann.client.uploads.file(f"{word}.txt", b"x")
    with Client(server.origin, server.admin_token) as admin:
        tokens = {scope: admin.tokens.create(ann.name, scopes=[scope]).token for scope in ("tasks:read", "media:read")}
        neither = admin.tokens.create(ann.name, scopes=["webhooks:manage"]).token
    with Client(server.origin, tokens["tasks:read"]) as reader:
        assert [_name(hit) for hit in reader.search(word)] == [f"{word} task"]
        with pytest.raises(errors.InsufficientScope, match="media:read"):
            reader.search(word, types="task,asset").page()
    with Client(server.origin, tokens["media:read"]) as reader:
        assert [_name(hit) for hit in reader.search(word)] == [f"{word}.txt"]
    with Client(server.origin, neither) as stranger, pytest.raises(errors.InsufficientScope):
        stranger.search(word).page()


def test_search_follows_every_change(ann: Owner, find: Find, word: str) -> None:
    task = ann.tasks.create("a", body=word)
    asset = ann.client.uploads.file("b.txt", b"x")
    video = ann.client.videos.create("c")
    assert find(word) == ["a"]
    ann.client.assets.update(asset.id, title=word)
    ann.client.videos.update(video.id, tags=[word])
    assert find(word) == ["c", "b.txt", "a"]
    ann.client.assets.batch_tags("add", [asset.id], [f"{word}tag"])
    assert find(f"{word}t") == ["b.txt"]
    ann.tasks.archive(task.id)
    assert find(word, types="task") == []
    assert [one.title for one in ann.tasks.list(q=word, archived="only")] == ["a"]
    ann.tasks.restore(task.id)
    ann.tasks.update(task.id, body=None, title=f"now {word}")
    assert find(f"now {word}") == [f"now {word}"]
    ann.tasks.update(task.id, visibility="zero-knowledge")
    assert find(word, types="task") == []
    ann.tasks.update(task.id, visibility="server-readable")
    assert find(word, types="task") == [f"now {word}"]
    ann.tasks.delete(task.id)
    ann.client.assets.delete(asset.id)
    ann.client.videos.delete(video.id)
    assert find(word) == []


def test_an_owner_without_an_index_of_tasks_is_told_so(server: Server, word: str) -> None:
    owner = Owner(server)
    try:
        assert error_of(owner.http.get(SEARCH, params={"q": word})) == (409, "task_index_not_activated")
        assert data_of(owner.http.get(SEARCH, params={"q": word, "types": "asset,video"})) == []
    finally:
        owner.close()


@pytest.mark.parametrize("odd", ["a" + "\u05b0" * 90_000, "\ufdfa" * 90_000, "猫" * 90_000, "x " * 45_000])
def test_a_long_body_is_found_by_its_first_words_whatever_follows(ann: Owner, find: Find, word: str, odd: str) -> None:
    made = ann.tasks.create("created", body=f"{word} {odd}")
    assert made.body == f"{word} {odd}"
    other = ann.tasks.create("changed")
    ann.tasks.update(other.id, body=f"{word} {odd}")
    (batched,) = data_of(
        ann.http.post(
            "/taskapp/tasks/batch", json={"operations": [{"op": "create", "title": "batched", "body": f"{word} {odd}"}]}
        )
    )
    assert batched["status"] == 201
    assert find(word) == ["batched", "changed", "created"]
    ann.tasks.update(made.id, body=None)
    assert find(word) == ["batched", "changed"]
