"""Control characters are refused wherever people write about assets: a terminal or a page would obey them."""

import base64
from typing import Any

import httpx2
import pytest

from stowboard_client import Client
from support.api.answers import error_of, message_of

DATA = base64.b64encode(b"text").decode()
CONTROLS = {"ESC": "\x1b", "C1": "\x9b", "right to left": "\u202e", "line end": "\n"}


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("member", ["filename", "originalName", "title", "tags"])
def test_an_upload_with_one_is_refused(admin: httpx2.Client, member: str, control: str) -> None:
    text = f"a{CONTROLS[control]}b"
    body: dict[str, Any] = {"filename": "a.txt", "data": DATA, member: [text] if member == "tags" else text}
    answer = admin.post("/api/v1/media/upload/file", json=body)
    assert error_of(answer) == (400, "validation_failed")
    assert member in message_of(answer)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("member", ["filename", "title", "alt", "tags"])
def test_a_change_with_one_is_refused(admin: httpx2.Client, client: Client, member: str) -> None:
    asset = client.uploads.file("a.txt", b"text")
    text = "a\u202eb"
    answer = admin.patch(f"/api/v1/media/assets/{asset.id}", json={member: [text] if member == "tags" else text})
    assert error_of(answer) == (400, "validation_failed")
    assert client.assets.get(asset.id) == asset


def test_so_is_an_announced_name(admin: httpx2.Client) -> None:
    answer = admin.post("/api/v1/media/upload/presigned", json={"filename": "a\x1b[31m.txt", "size": 4})
    assert error_of(answer) == (400, "validation_failed")


def test_an_alt_text_may_have_lines_and_any_script(client: Client) -> None:
    alt = "Boats\n\tat dawn, 👩\u200d👩\u200d👧, כתב\u200f"
    assert client.uploads.file("a.txt", b"text", alt=alt).alt == alt
