"""Choosing what a video shows before it plays."""

import httpx2
import pytest

from stowboard_client import Client, Video
from support.api.answers import data_of, error_of
from support.clients.people import fresh_name
from support.media.pictures import RED, is_near, opened, pixel, plain, saved
from support.media.video_files import video_file
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

VIDEOS = "/api/v1/media/videos"


@pytest.fixture
def ready(client: Client) -> Video:
    return client.videos.upload(video_file(2), "Harbour", visibility="public", wait=120)


def test_a_poster_is_a_moment_of_the_video_or_an_image(
    server: Server, client: Client, admin: httpx2.Client, web: httpx2.Client, ready: Video
) -> None:
    assert ready.poster_url is not None
    first = web.get(ready.poster_url)
    assert first.headers["cache-control"] == "public, max-age=300"
    image = client.uploads.image("red.png", saved(plain(1600, 900), ".png"), visibility="protected")
    chosen = client.videos.choose_poster(ready.id, asset_id=image.id)
    assert chosen.poster_url == ready.poster_url
    poster = web.get(ready.poster_url).content
    assert (opened(poster).width, opened(poster).height) == (1280, 720)
    assert is_near(pixel(poster, 0.5, 0.5), RED)

    client.videos.choose_poster(ready.id, time=1.5)
    wait_until(lambda: web.get(ready.poster_url or "").content != poster)
    moment = web.get(ready.poster_url).content
    assert moment != first.content
    assert (opened(moment).width, opened(moment).height) == (64, 36)
    wait_until(lambda: rows(server, "SELECT id FROM job WHERE kind IN ('media.discard', 'video.poster')") == [])
    told = rows(server, f"SELECT count(*) FROM event WHERE type = 'media.video.updated' AND subject = '{ready.id}'")
    assert told == [(2,)]


def test_what_cannot_be_a_poster_is_refused(client: Client, admin: httpx2.Client, ready: Video) -> None:
    at = f"{VIDEOS}/{ready.id}/poster"
    for wrong in ({}, {"time": 1, "assetId": "ast_1"}, {"time": -1}, {"time": 3600}, {"time": "1"}):
        assert error_of(admin.post(at, json=wrong)) == (400, "validation_failed")
    assert error_of(admin.post(at, json={"assetId": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz"})) == (404, "not_found")
    file = client.uploads.file("notes.txt", b"no picture")
    assert error_of(admin.post(at, json={"assetId": file.id})) == (400, "validation_failed")
    empty = client.videos.create("Nothing yet")
    assert error_of(admin.post(f"{VIDEOS}/{empty.id}/poster", json={"time": 0})) == (409, "upload_incomplete")
    assert data_of(admin.get(f"{VIDEOS}/{ready.id}"))["posterUrl"] == ready.poster_url


def test_an_image_that_the_token_may_not_have_delivered_is_no_poster(
    client: Client, admin: httpx2.Client, ready: Video
) -> None:
    image = client.uploads.image("red.png", saved(plain(8, 8), ".png"))
    data_of(admin.post(f"/api/v1/media/assets/{image.id}/namespaces", json={"allowedNamespaces": []}))
    token = client.tokens.create(fresh_name("bob")).token
    bob = {"authorization": f"Bearer {token}"}
    refused = admin.post(f"{VIDEOS}/{ready.id}/poster", json={"assetId": image.id}, headers=bob)
    assert error_of(refused) == (403, "namespace_not_allowed")
