"""A walk through the whole API with the client library, on which every write is looked for by the requests after it.

What each operation does in detail is tested elsewhere. Which node answers is left to the clients: where nodes did not
see each other's writes at once, the walk would fail.
"""

import re
import secrets
from collections.abc import Iterable

import httpx2
import pytest

from stowboard.catalogue import ENDPOINTS
from stowboard_client import Client, FocalPoint, Task, errors, task_operation
from support.media.unique_images import png

A_DAY = 86_400_000


#: Not on the tour; their own tests run on this stack.
ELSEWHERE = (
    "/access/me",
    "/access/accounts",
    "/access/invitations",
    "/access/audit",
    "/access/applications",
    "/events",
    "/changes",
    "/webhooks",
    "/taskapp/calendar",
    "/taskapp/vault-keys",
    "/notifications",
    "/imports",
    "/jobs",
    "/jobs/counts",
    "/media/upload/from-url",
    "/spaces",
    "/access/spaces",
    "/media/assets/transfer",
    "/media/assets/{asset_id}/copy",
    "/media/videos/{video_id}/transfer",
    "/taskapp/tasks/{task_id}/transfer",
    "/taskapp/boards/{board_id}/transfer",
)


def take_tour(admin: Client, web: httpx2.Client, clip: bytes) -> None:
    """As an admin; `web` follows addresses that need no token, and `clip` is a small video."""
    assert admin.index()
    _tokens(admin)
    _clients(admin)
    _tasks(admin)
    _boards(admin)
    _assets(admin, web)
    _links(admin, web)
    _videos(admin, web, clip)


def unvisited(asked: Iterable[tuple[str, str]]) -> list[str]:
    """The operations that none of these requests, each its method and path, was for."""
    seen = set(asked)
    return [
        f"{endpoint.method} {endpoint.path}"
        for endpoint in ENDPOINTS
        if endpoint.alias_of is None
        and not endpoint.path.startswith(ELSEWHERE)
        and not any(method == endpoint.method and _pattern(endpoint.path).fullmatch(path) for method, path in seen)
    ]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile("/api/v1" + re.sub(r"\{\w+\}", "[^/]+", path.rstrip("/")))


def _tokens(admin: Client) -> None:
    issued = admin.tokens.create("tour" + secrets.token_hex(4))
    assert admin.tokens.get(issued.id).owner == issued.owner
    assert issued.id in [token.id for token in admin.tokens.list()]
    assert admin.tokens.own().id != issued.id
    admin.tokens.revoke(issued.id)
    with pytest.raises(errors.NotFound):
        admin.tokens.get(issued.id)


def _clients(admin: Client) -> None:
    app = admin.clients.create("tour" + secrets.token_hex(4))
    assert app.client_id in [client.client_id for client in admin.clients.list()]
    admin.clients.delete(app.client_id)
    assert app.client_id not in [client.client_id for client in admin.clients.list()]


def _tasks(client: Client) -> None:
    tag = secrets.token_hex(4)
    client.tasks.backfill()
    client.tasks.activate_index()
    task = client.tasks.create("Water the plants", tags=[tag], due_at=A_DAY, recurrence="FREQ=DAILY")
    _stands(client, task)
    assert [found.id for found in client.tasks.list(tags=tag)] == [task.id]
    assert tag in [found.tag for found in client.tags.list()]
    _stands(client, client.tasks.update(task.id, title="Water the garden"))
    assert [found.task and found.task.id for found in client.search(f"garden tag:{tag}")] == [task.id]
    _stands(client, client.tasks.complete(task.id))
    assert [done.number for done in client.tasks.occurrences(task.id)] == [1]
    assert len(client.tasks.upcoming(task.id, limit=2)) == 2
    _stands(client, client.tasks.archive(task.id))
    assert list(client.tasks.list(tags=tag)) == []
    _stands(client, client.tasks.restore(task.id))
    _stands(client, client.tasks.trash(task.id))
    _stands(client, client.tasks.restore(task.id))
    _parts_of_task(client, task)
    _many_tasks(client, tag)
    client.tasks.delete(task.id)
    with pytest.raises(errors.NotFound):
        client.tasks.get(task.id)


def _parts_of_task(client: Client, task: Task) -> None:
    item = client.tasks.add_item(task.id, "Fill the can")
    assert client.tasks.update_item(task.id, item.id, done=True).done
    assert [each.done for each in client.tasks.get(task.id).checklist] == [True]
    client.tasks.delete_item(task.id, item.id)
    comment = client.comments.create(task.id, "The can leaks.")
    client.comments.update(task.id, comment.id, "The can leaks a little.")
    assert [each.body for each in client.comments.list(task.id)] == ["The can leaks a little."]
    client.comments.delete(task.id, comment.id)
    picture = client.uploads.image("can.png", png(20, 10))
    client.tasks.attach(task.id, picture.id)
    assert [each.id for each in client.tasks.attachments(task.id)] == [picture.id]
    client.tasks.detach(task.id, picture.id)
    client.assets.delete(picture.id)
    assert client.tasks.follow(task.id).following
    assert client.tasks.following(task.id).following
    assert not client.tasks.unfollow(task.id).following
    gone = client.tasks.get(task.id)
    assert (gone.checklist, gone.comment_count, gone.attachments) == ((), 0, ())


def _many_tasks(client: Client, tag: str) -> None:
    title = client.tasks.parse(f"Rake tomorrow #{tag}").task.title
    results = client.tasks.batch([task_operation("create", title=title, tags=[tag]) for _ in range(2)]).items
    made = [result.task for result in results if result.task]
    assert [client.tasks.get(each.id) for each in made] == made
    assert client.tags.rename(tag, f"{tag}-new").done == 3
    assert len(list(client.tasks.list(tags=f"{tag}-new"))) == 3
    with pytest.raises(errors.NotFound):
        client.tags.rename_progress("job_7zzzzzzzzzzzzzzzzzzzzzzzzz")
    for each in made:
        client.tasks.delete(each.id)


def _stands(client: Client, task: Task) -> None:
    assert client.tasks.get(task.id) == task


def _boards(client: Client) -> None:
    board = client.boards.create("Garden")
    assert client.boards.get(board.id) == board
    assert client.boards.update(board.id, name="Yard") == client.boards.get(board.id)
    assert board.id in [found.id for found in client.boards.list()]
    column = client.boards.add_column(board.id, "Waiting", "todo")
    client.boards.update_column(board.id, column.id, name="Later")
    assert "Later" in [found.name for found in client.boards.columns(board.id)]
    task = client.tasks.create("Rake")
    client.tasks.move(task.id, "todo", board=board.id, column_id=column.id)
    assert [placed.task_id for placed in client.boards.placements(board.id)] == [task.id]
    client.tasks.delete(task.id)
    client.boards.remove_column(board.id, column.id)
    client.boards.delete(board.id)
    assert board.id not in [found.id for found in client.boards.list()]


def _assets(client: Client, web: httpx2.Client) -> None:
    tag, data = secrets.token_hex(4), png(20, 10)
    image, file = client.uploads.image("a.png", data, tags=[tag]), client.uploads.file("b.bin", data, tags=[tag])
    assert {found.id for found in client.assets.list(tags=tag)} == {image.id, file.id}
    assert tag in [found.tag for found in client.assets.tags()]
    assert client.assets.update(image.id, alt="A plain", focal_point=FocalPoint(x=0.2, y=0.3)).alt == "A plain"
    assert client.assets.get(image.id).alt == "A plain"
    client.assets.batch_tags("add", [image.id, file.id], ["both"])
    found = client.assets.by_ids([image.id, file.id])
    assert [("both" in asset.tags) for asset in found.items] == [True, True]
    client.uploads.replace(image.id, png(31, 13), mime_type="image/png", original_name="c.png")
    replaced = client.uploads.wait_until_ready(image.id)
    assert (replaced.version, replaced.width) == (2, 31)
    assert [version.width for version in client.versions.list(image.id)] == [20]
    assert web.get(client.versions.url(image.id, 1).url).content == data
    assert client.versions.restore(image.id, 1).version == 3
    client.versions.delete(image.id, 2)
    assert client.assets.trash(image.id).url is None
    assert client.assets.restore(image.id).url is not None
    assert client.assets.batch_trash([image.id, file.id]).trashed == 2
    assert client.assets.batch_restore([image.id, file.id]).restored == 2
    later = client.uploads.presigned("d.png", len(data))
    client.uploads.put(later, data)
    assert web.get(client.uploads.wait_until_ready(later.id).url or "").content == data
    assert client.assets.stats().assets.count >= 3
    assert client.assets.rename_tag(tag, f"{tag}-new").done == 2
    with pytest.raises(errors.NotFound):
        client.assets.tag_rename_progress("job_7zzzzzzzzzzzzzzzzzzzzzzzzz")
    assert {found.id for found in client.assets.list(tags=f"{tag}-new")} == {image.id, file.id}
    assert list(client.assets.usage(image.id)) == []
    client.assets.batch_delete([image.id, file.id])
    client.assets.delete(later.id)
    assert client.assets.by_ids([image.id, file.id, later.id]).items == ()


def _links(client: Client, web: httpx2.Client) -> None:
    assert "thumbnail" in [one.name for one in client.delivery.transform_classes()]
    assert client.delivery.cdn()
    image = client.uploads.image("a.png", png(400, 300))
    small = client.delivery.resolve(image.id, transform_class="thumbnail")
    assert web.get(small.url).content == web.get(small.url).content != b""
    client.assets.update(image.id, visibility="protected")
    assert client.delivery.bind_namespaces(image.id, []).allowed_namespaces == ()
    assert client.assets.get(image.id).allowed_namespaces == ()
    assert web.get(client.delivery.url(image.id).url).status_code == 200
    assert client.delivery.urls([image.id])
    client.assets.delete(image.id)
    assert web.get(small.url).status_code == 404


def _videos(client: Client, web: httpx2.Client, clip: bytes) -> None:
    video = client.videos.create("Harbour", size=len(clip))
    client.videos.send(video.tus_upload_url or "", clip, piece=len(clip) // 3)
    assert client.videos.get(video.id).upload.offset == len(clip)
    client.videos.finalize(video.id)
    assert client.videos.wait_until_ready(video.id, 60).status == "ready"
    assert client.videos.update(video.id, visibility="protected").visibility == "protected"
    assert video.id in [found.id for found in client.videos.list()]
    client.videos.put_captions(video.id, "en", "WEBVTT\n\n00:00.000 --> 00:01.000\nGulls\n")
    assert [captions.language for captions in client.videos.list_captions(video.id)] == ["en"]
    client.videos.delete_captions(video.id, "en")
    assert client.videos.list_captions(video.id) == []
    assert client.videos.choose_poster(video.id, time=0.5).id == video.id
    assert client.videos.trash(video.id).poster_url is None
    assert client.videos.restore(video.id).trashed_at is None
    links = client.videos.signed_url(video.provider_video_id)
    assert web.get(links.hls_url or "").text.startswith("#EXTM3U")
    assert web.get(links.mp4_url or "").content == clip
    client.videos.delete(video.id)
    with pytest.raises(errors.NotFound):
        client.videos.get(video.id)
