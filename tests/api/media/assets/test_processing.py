"""From bytes that arrived to bytes that are served, when something goes wrong on the way."""

import os
from typing import Any

import httpx2
import pytest

from stowboard_client import Asset, AssetFailed, Client
from support.api.answers import data_of, error_of
from support.media.unique_images import png
from support.processes.find import children_of
from support.servers.stowboard import Server
from support.servers.worker import make_due, working
from support.stored.blobs import put_back, stored_keys, taken
from support.stored.rows import rows
from support.waiting import wait_until


def waiting_key(server: Server, asset_id: str) -> Any:
    return rows(server, f"SELECT incoming_key FROM asset WHERE id = '{asset_id}'")[0][0]


def job_of(server: Server, asset_id: str) -> list[tuple[Any, ...]]:
    return rows(server, f"SELECT attempt, dead, error FROM job WHERE kind = 'media.process' AND dedup = '{asset_id}'")


@pytest.fixture
def arrived(idle: Client) -> Asset:
    """An image whose bytes were sent and that nobody has processed yet."""
    data = png(33, 22)
    upload = idle.uploads.presigned("a.png", len(data))
    asset = idle.uploads.put(upload, data)
    assert asset.processing_status == "processing"
    return asset


def test_a_store_that_is_away_for_a_moment_fails_nothing(idle_server: Server, idle: Client, arrived: Asset) -> None:
    key = waiting_key(idle_server, arrived.id)
    data = taken(idle_server, key)
    with working(idle_server):
        wait_until(lambda: [error for _, _, error in job_of(idle_server, arrived.id) if error] != [])
        assert idle.assets.get(arrived.id).processing_status == "processing"
        put_back(idle_server, key, data)
        assert idle.uploads.wait_until_ready(arrived.id).width == 33


def test_pictures_are_processed_with_a_low_priority(idle_server: Server, idle: Client, arrived: Asset) -> None:
    with working(idle_server) as worker:
        idle.uploads.wait_until_ready(arrived.id)
        decoders = children_of(worker)
        assert decoders
        own = os.getpriority(os.PRIO_PROCESS, worker)
        lower = min(own + 1, 19)  # nothing is lower than 19, which the tests may have themselves
        assert all(os.getpriority(os.PRIO_PROCESS, decoder) >= lower for decoder in decoders)


def interrupted(server: Server, client: Client, asset_id: str) -> Asset:
    """As after a last attempt whose worker was killed."""
    rows(server, f"UPDATE job SET attempt = 10 WHERE dedup = '{asset_id}'")
    with working(server), pytest.raises(AssetFailed, match="interrupted"):
        client.uploads.wait_until_ready(asset_id)
    return client.assets.get(asset_id)


def test_an_image_that_no_decoder_refused_is_served_as_a_file_and_tried_again(
    idle_server: Server, idle: Client, arrived: Asset
) -> None:
    failed = interrupted(idle_server, idle, arrived.id)
    assert failed.url is not None
    assert (failed.thumbnail_url, failed.checksum, failed.size) == (None, None, arrived.size)
    original = httpx2.get(failed.url)
    assert (original.status_code, original.headers["content-type"]) == (200, "image/png")
    assert len(original.content) == arrived.size
    thumbnail = httpx2.get(failed.url.replace("/original/", "/thumbnail/"))
    assert error_of(thumbnail) == (400, "not_transformable")
    ((job,),) = rows(idle_server, f"SELECT id FROM job WHERE dead = 1 AND dedup = '{arrived.id}'")
    with working(idle_server):
        retry = f"{idle_server.origin}/api/v1/jobs/{job}/retry"
        data_of(httpx2.post(retry, headers={"authorization": f"Bearer {idle_server.admin_token}"}))
        wait_until(lambda: idle.assets.get(arrived.id).processing_status == "ready")
    ready = idle.assets.get(arrived.id)
    assert (ready.version, ready.width, ready.processing_error) == (1, 33, None)
    assert waiting_key(idle_server, arrived.id) is None


def test_an_interrupted_image_may_be_replaced_or_deleted(idle_server: Server, idle: Client, arrived: Asset) -> None:
    failed = interrupted(idle_server, idle, arrived.id)
    kept = waiting_key(idle_server, arrived.id)
    idle.uploads.replace(failed.id, png(5, 5), mime_type="image/png", original_name="b.png")
    with working(idle_server):
        assert idle.uploads.wait_until_ready(failed.id).width == 5
        wait_until(lambda: kept not in stored_keys(idle_server))


def test_a_failed_asset_takes_other_bytes(idle_server: Server, idle: Client, arrived: Asset) -> None:
    rows(
        idle_server,
        f"UPDATE asset SET status = 'failed', error_code = 'x', error_message = 'y' WHERE id = '{arrived.id}'",
    )
    data = png(5, 5)
    idle.uploads.replace(arrived.id, data, mime_type="image/png", original_name="b.png")
    with working(idle_server):
        ready = idle.uploads.wait_until_ready(arrived.id)
    assert (ready.version, ready.width, ready.processing_error) == (1, 5, None)


def test_an_asset_whose_job_was_lost_gets_another(idle_server: Server, idle: Client, arrived: Asset) -> None:
    rows(idle_server, f"DELETE FROM job WHERE dedup = '{arrived.id}'")
    rows(idle_server, f"UPDATE asset SET updated_at = 1 WHERE id = '{arrived.id}'")
    make_due(idle_server, "media.order_stalled")
    with working(idle_server):
        assert idle.uploads.wait_until_ready(arrived.id).width == 33


def test_of_two_uploads_for_one_asset_the_later_one_stays(
    idle_server: Server, idle: Client, web: httpx2.Client, arrived: Asset
) -> None:
    first = waiting_key(idle_server, arrived.id)
    data = png(44, 4)
    idle.uploads.put(idle.uploads.presigned("b.png", len(data), asset_id=arrived.id), data)
    with working(idle_server):
        asset = idle.uploads.wait_until_ready(arrived.id)
        assert (asset.width, asset.version, asset.original_name) == (44, 1, "b.png")
        wait_until(lambda: first not in stored_keys(idle_server))
    assert asset.url is not None
    assert web.get(asset.url).content == data


def test_a_pending_asset_whose_bytes_never_come_goes(idle_server: Server, idle: Client) -> None:
    upload = idle.uploads.presigned("a.png", 5, tags=["never"])
    kept = idle.uploads.image("b.png", png())
    replacing = idle.uploads.presigned("a.png", 5, asset_id=kept.id)
    for one in (upload, replacing):
        rows(idle_server, f"UPDATE upload SET expires_at = 1 WHERE subject = '{one.id}'")
    make_due(idle_server, "media.expire_uploads")
    with working(idle_server):
        wait_until(lambda: rows(idle_server, f"SELECT 1 FROM asset WHERE id = '{upload.id}'") == [])
    assert idle.assets.get(kept.id) == kept
