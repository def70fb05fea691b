"""The blobs of a running server, past the server."""

import asyncio

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from support.servers.stowboard import Server
from support.stored.rows import rows


def key_of(server: Server, asset_id: str) -> BlobKey:
    """Where the bytes of an asset are."""
    return BlobKey(rows(server, f"SELECT blob_key FROM asset WHERE id = '{asset_id}'")[0][0])


def count(server: Server, kind: str) -> int:
    return len(stored_keys(server, kind))


def stored_keys(server: Server, kind: str = "asset") -> set[BlobKey]:
    async def walk() -> set[BlobKey]:
        blobs = open_blobs(settings_of(server))
        try:
            return {blob.key async for blob in blobs.walk(kind)}
        finally:
            await blobs.close()

    return asyncio.run(walk())


def remove(server: Server, key: BlobKey) -> None:
    """As if it was lost."""

    async def delete() -> None:
        blobs = open_blobs(settings_of(server))
        try:
            await blobs.delete_many([key])
        finally:
            await blobs.close()

    asyncio.run(delete())


def taken(server: Server, key: BlobKey) -> bytes:
    """Its bytes, which are gone from the store."""

    async def read() -> bytes:
        blobs = open_blobs(settings_of(server))
        try:
            return b"".join([chunk async for chunk in blobs.read(key)])
        finally:
            await blobs.close()

    data = asyncio.run(read())
    remove(server, key)
    return data


def flip_a_bit(server: Server, key: BlobKey) -> bytes:
    """As a disk may do after years. What the bytes were before."""
    data = taken(server, key)
    middle = len(data) // 2
    put_back(server, key, data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    return data


def put_back(server: Server, key: BlobKey, data: bytes) -> None:
    async def put() -> None:
        blobs = open_blobs(settings_of(server))
        try:
            await blobs.put_bytes(key, data)
        finally:
            await blobs.close()

    asyncio.run(put())


def settings_of(server: Server) -> BlobSettings:
    """The settings of the store that the server uses."""
    environment = server.environment
    if "STOWBOARD_BLOBS_URL" not in environment:
        return BlobSettings(str(server.data_dir / "blobs"))
    return BlobSettings(
        environment["STOWBOARD_BLOBS_URL"],
        s3_endpoint=environment["STOWBOARD_S3_ENDPOINT"],
        access_key_id=environment["AWS_ACCESS_KEY_ID"],
        secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
    )
