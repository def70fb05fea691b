"""Permanent deletion needs a scope of its own, so that an agent can be given everything else."""

from typing import Any

import httpx2
import pytest

from stowboard.catalogue import ENDPOINTS
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import Issue, bearer

V1 = "/api/v1"
OF_TASKS, OF_MEDIA = ["tasks:read", "tasks:write"], ["media:read", "media:write"]
#: A calendar's address can be made again. The others are edits of a task, or can be taken back as easily.
NO_DELETIONS = ("/calendar", "/checklist/{item_id}", "/attachments/{attachment_id}", "/follow", "/imports/{import_id}")


@pytest.mark.parametrize("endpoint", [e for e in ENDPOINTS if e.method == "DELETE"], ids=lambda e: str(e.path))
def test_every_deletion_is_guarded_by_a_scope_of_its_own(endpoint: Any) -> None:
    area = endpoint.path.split("/")[1]
    if endpoint.path.endswith(NO_DELETIONS):
        assert endpoint.scope in OF_TASKS
        return
    wanted = {"taskapp": "tasks:delete", "tasks": "tasks:delete", "media": "media:delete"}.get(area)
    if wanted is not None:
        assert endpoint.scope == wanted
    else:
        assert endpoint.scope not in (*OF_TASKS, *OF_MEDIA)


def test_who_may_write_tasks_may_not_delete_them(web: httpx2.Client, issue: Issue) -> None:
    writer, deleter = bearer(issue("scoped", scopes=OF_TASKS)), bearer(issue("scoped", scopes=["tasks:delete"]))
    for home, body in (("/taskapp/tasks", {"title": "a"}), ("/taskapp/boards", {"name": "a"})):
        made = data_of(web.post(V1 + home, json=body, headers=writer), 201)
        check(web, f"{V1}{home}/{made['id']}", writer, deleter, "tasks:delete")


def test_who_may_write_media_may_not_delete_them(web: httpx2.Client, issue: Issue) -> None:
    writer, deleter = bearer(issue(scopes=OF_MEDIA)), bearer(issue(scopes=["media:delete"]))
    file = {"filename": "a.txt", "data": "YQ=="}
    asset = data_of(web.post(V1 + "/media/upload/file", json=file, headers=writer), 201)
    check(web, f"{V1}/media/assets/{asset['id']}", writer, deleter, "media:delete")
    video = data_of(web.post(V1 + "/media/videos/upload", json={"title": "a"}, headers=writer), 201)
    check(web, f"{V1}/media/videos/{video['id']}", writer, deleter, "media:delete")
    other = data_of(web.post(V1 + "/media/upload/file", json=file, headers=writer), 201)
    batch = V1 + "/media/assets/batch-delete"
    assert error_of(web.post(batch, json={"ids": [other["id"]]}, headers=writer)) == (403, "insufficient_scope")
    assert data_of(web.post(batch, json={"ids": [other["id"]]}, headers=deleter))["deleted"] == 1


def check(web: httpx2.Client, address: str, writer: dict[str, str], deleter: dict[str, str], scope: str) -> None:
    refused = web.delete(address, headers=writer)
    assert error_of(refused) == (403, "insufficient_scope")
    assert scope in message_of(refused)
    assert web.get(address, headers=writer).status_code == 200
    assert data_of(web.delete(address, headers=deleter))["deleted"] is True
    assert web.get(address, headers=writer).status_code == 404
