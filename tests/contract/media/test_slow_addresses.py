"""An address that drips is given up by its rate, however long it could go on."""

import asyncio
import contextlib

import pytest

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.http.outgoing.addresses import OutgoingSettings
from stowboard.http.outgoing.client import Outgoing
from stowboard.media.fetching.download import DownloadBounds, FetchFailed, download

HEAD = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"
#: Far more than come before a rate of 16 KiB a second is missed; then the address ends, so that nobody waits for ever.
MOST_DROPS = 500


@pytest.mark.parametrize("drip", [(HEAD, b"x"), (b"HTTP/1.1 200 OK\r\n", b"x: y\r\n")], ids=["the file", "the head"])
async def test_a_file_that_drips_is_given_up(blobs: BlobStore, drip: tuple[bytes, bytes]) -> None:
    first, drop = drip
    gone = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(first)
        for _ in range(MOST_DROPS):
            if writer.is_closing():
                break
            writer.write(drop)
            await asyncio.sleep(0.01)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        gone.set()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    outgoing, key = Outgoing(OutgoingSettings(("127.0.0.0/8",))), new_key("asset")
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/file"
    try:
        with pytest.raises(FetchFailed, match="too slowly") as failed:
            await download(outgoing, blobs, key, url, DownloadBounds(10**9, None, 600, grace_s=0.3), _nothing)
    finally:
        server.close()
        outgoing.close()
        await gone.wait()
    assert failed.value.final, "another attempt would meet the same"
    assert await blobs.find(key) is None


async def _nothing(_received: int, _length: int | None) -> None:
    pass
