"""Resolving public assets to their addresses, and the classes that there are."""

from typing import Any

import httpx2
import pytest

from stowboard_client import Asset, Client
from support.api.answers import data_of, error_of, message_of
from support.media.pictures import opened, plain, saved

CLASSES = ["original", "thumbnail", "small", "medium", "large", "xlarge", "square", "og"]


@pytest.fixture
def image(client: Client) -> Asset:
    return client.uploads.image("wide.png", saved(plain(1000, 500), ".png"))


def resolve(admin: httpx2.Client, asset_id: str, transform_class: str | None = None) -> httpx2.Response:
    query = {"transformClass": transform_class} if transform_class is not None else {}
    return admin.get(f"/api/v1/media/assets/{asset_id}/resolve", params=query)


def test_without_a_class_the_original_is_meant(admin: httpx2.Client, image: Asset) -> None:
    assert data_of(resolve(admin, image.id)) == {
        "url": image.url, "assetId": image.id, "version": 1, "transformClass": "original", "mimeType": "image/png",
        "width": 1000, "height": 500,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("transform_class", "name", "width", "height"),
    [
        ("original", "original", 1000, 500),
        ("thumbnail", "thumbnail", 200, 200),
        ("thumb", "thumbnail", 200, 200),
        ("small", "small", 320, 160),
        ("xlarge", "xlarge", 1000, 500),
        ("square", "square", 500, 500),
    ],
)
def test_the_address_of_a_class_has_the_image_that_was_promised(
    client: Client, web: httpx2.Client, image: Asset, transform_class: str, name: str, width: int, height: int
) -> None:
    found = client.delivery.resolve(image.id, transform_class=transform_class)
    assert (found.transform_class, found.width, found.height) == (name, width, height)
    assert f"/{name}/" in found.url
    answer = web.get(found.url)
    picture = opened(answer.content)
    assert (picture.width, picture.height) == (width, height)
    assert answer.headers["content-type"] == found.mime_type
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_file_has_no_measures_and_no_classes(client: Client, admin: httpx2.Client) -> None:
    file = client.uploads.file("note.txt", b"text")
    found = data_of(resolve(admin, file.id))
    assert (found["mimeType"], found["width"], found["height"]) == ("text/plain", None, None)
    assert error_of(resolve(admin, file.id, "small")) == (400, "not_transformable")


def test_a_class_that_does_not_exist_is_refused_with_those_that_do(admin: httpx2.Client, image: Asset) -> None:
    answer = resolve(admin, image.id, "w_100")
    assert error_of(answer) == (400, "unknown_transform_class")
    assert "thumbnail" in message_of(answer)


def test_a_protected_asset_is_not_resolved_but_the_operation_that_helps_is_named(
    client: Client, admin: httpx2.Client
) -> None:
    asset = client.uploads.file("secret.txt", b"text", visibility="protected")
    answer = resolve(admin, asset.id)
    assert error_of(answer) == (403, "asset_protected")
    assert "POST /media/assets/{id}/url" in message_of(answer)


def test_what_is_not_there_is_not_resolved(client: Client, admin: httpx2.Client) -> None:
    pending = client.uploads.presigned("later.txt", 5)
    assert error_of(resolve(admin, pending.id)) == (409, "asset_not_ready")
    assert error_of(resolve(admin, "ast_01kbr2x4q8e9w6y3t7n5m1c0vz")) == (404, "not_found")


def test_the_class_is_given_once(admin: httpx2.Client, image: Asset) -> None:
    answer = admin.get(f"/api/v1/media/assets/{image.id}/resolve?transformClass=small&transformClass=og")
    assert error_of(answer) == (400, "invalid_parameter")


def test_every_class_is_listed_with_its_measures(client: Client, admin: httpx2.Client) -> None:
    listed = client.delivery.transform_classes()
    assert [each.name for each in listed] == CLASSES
    shown: list[dict[str, Any]] = data_of(admin.get("/api/v1/media/transform-classes"))
    assert shown[0] == {"name": "original", "width": None, "height": None, "fit": "none"}
    assert shown[-1] == {"name": "og", "width": 1200, "height": 630, "fit": "cover"}
