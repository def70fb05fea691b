"""The server is killed while files are uploaded, replaced, deleted and swept. What it acknowledged is there, whole."""

import asyncio
import hashlib
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from stowboard.blobs.open import open_blobs
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.db.database import Database
from stowboard.db.open import open_database
from stowboard.media.sweep import KINDS, sweep_batch
from stowboard.settings import Settings, load_settings
from stowboard_client import Client
from support.clients.uploaders import Uploaders
from support.media.unique_images import png
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.servers.worker import end_leases, make_due
from support.stored.blobs import stored_keys
from support.stored.rows import rows
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak

THREADS = 4
#: Instead of a day, so that the sweep has something to remove, and long beside the moment between bytes and row.
GRACE_MS = 3000


def test_kills_lose_no_upload_and_leave_nothing_in_the_middle(stack: Stack, make_server: MakeServer) -> None:
    torture(make_server(stack() | UNLIMITED), kills=3)


@pytest.mark.soak
def test_many_kills_lose_no_upload(stack: Stack, make_server: MakeServer) -> None:
    torture(make_server(stack() | UNLIMITED), kills=80)


def test_bytes_that_arrived_before_a_kill_are_processed_after_it(own_server: Server) -> None:
    with Client(own_server.origin, own_server.admin_token) as client:
        for _ in range(2):
            data = png(31, 13)
            upload = client.uploads.presigned("a.png", len(data))
            client.uploads.put(upload, data)
            restart(own_server)
            assert client.uploads.wait_until_ready(upload.id).width == 31


def test_kills_through_a_purge_leave_things_whole_or_gone(stack: Stack, make_server: MakeServer) -> None:
    """Some of what is purged is restored meanwhile; some shares its bytes with what stays."""
    server = make_server(stack() | UNLIMITED)
    data = [png() for _ in range(60)]
    with Client(server.origin, server.admin_token) as client, httpx2.Client() as web:
        ids = [client.uploads.image("a.png", one).id for one in data]
        staying = [client.uploads.image("b.png", one).id for one in data[::4]]
        for asset_id in ids[:6]:
            client.uploads.replace(asset_id, png(), mime_type="image/png", original_name="c.png")
        wait_until_nothing_is_processed(server)
        client.assets.batch_trash(ids)
        for _ in range(4):
            server.kill()
            # A restoring would find a few of them in the middle of the purge.
            rows(server, "UPDATE asset SET trashed_at = trashed_at / 1000000 WHERE trashed_at > 1000000000")
            end_leases(server)
            make_due(server, "media.purge")
            server.start()
            restored = client.assets.batch_restore(random.sample(ids, 10))
            ids = [asset_id for asset_id in ids if asset_id not in restored.missing]
            time.sleep(random.uniform(0, 0.3))
            client.assets.batch_trash(random.sample(ids, len(ids) // 2))
        make_due(server, "media.purge")
        wait_until(lambda: rows(server, "SELECT id FROM asset WHERE trashed_at < 1000000000") == [])
        for asset_id in staying:
            url = client.assets.get(asset_id).url
            assert url is not None
            assert web.get(url).status_code == 200
        check_store(server)


def torture(server: Server, kills: int) -> None:
    try:
        with Uploaders(server, THREADS) as uploaders, swept(server):
            done = 0
            while done < kills or uploaders.broken == 0:  # a kill that hits no request proves nothing
                assert done < 20 * kills
                time.sleep(random.uniform(0.4, 1.2))
                restart(server)
                done += 1
            time.sleep(0.5)
        assert {refusal.code for refusal in uploaders.refusals} <= {"replace_in_progress", "service_unavailable"}
        wait_until_nothing_is_processed(server)
        check_assets(server, uploaders)
        check_store(server)
    finally:
        server.kill()


def restart(server: Server) -> None:
    server.kill()
    end_leases(server)
    server.start()


def wait_until_nothing_is_processed(server: Server) -> None:
    wait_until(lambda: rows(server, "SELECT id FROM asset WHERE status = 'processing'") == [])


def check_assets(server: Server, uploaders: Uploaders) -> None:
    with Client(server.origin, server.admin_token) as client, httpx2.Client() as web:
        for asset_id, allowed in uploaders.acknowledged.items():
            asset = client.assets.get(asset_id)
            assert (asset.processing_status, asset.checksum in allowed) == ("ready", True)
            assert asset.url is not None
            assert f"sha256:{hashlib.sha256(web.get(asset.url).content).hexdigest()}" == asset.checksum


def check_store(server: Server) -> None:
    """A last sweep leaves the bytes that assets and their versions have, and no others."""
    asyncio.run(_sweep(settings_of(server), clock.now_ms() + 1000))
    had = "SELECT sha256 FROM asset WHERE sha256 IS NOT NULL UNION SELECT sha256 FROM asset_version"
    named = rows(server, f"SELECT blob_key FROM content WHERE sha256 IN ({had}) ORDER BY blob_key")
    assert stored_keys(server) == {key for (key,) in named}
    assert rows(server, "SELECT blob_key FROM content ORDER BY blob_key") == named


@contextmanager
def swept(server: Server) -> Iterator[None]:
    """Inside of the block, the store is swept over and over."""
    stop = threading.Event()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            asyncio.run(_sweep_until(settings_of(server), stop))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    assert failures == []


def settings_of(server: Server) -> Settings:
    return load_settings({"data_dir": server.data_dir}, server.environment)


async def _sweep_until(settings: Settings, stop: threading.Event) -> None:
    while not stop.is_set():
        await _sweep(settings, clock.now_ms() - GRACE_MS)


async def _sweep(settings: Settings, before_ms: int) -> None:
    blobs, database = open_blobs(settings.blobs), await open_database(settings.database)
    try:
        for kind in KINDS:
            await _sweep_kind(database, blobs, kind, before_ms)
    finally:
        await database.close()
        await blobs.close()


async def _sweep_kind(database: Database, blobs: BlobStore, kind: str, before_ms: int) -> None:
    last = await sweep_batch(database, blobs, kind, None, before_ms)
    while last is not None:
        last = await sweep_batch(database, blobs, kind, last, before_ms)
