"""Granian as it comes: with its shortcuts turned off, the service answers the same."""

import httpx2

from stowboard_client import Client
from support.servers.stacks import UNLIMITED, MakeServer

CONTENT = bytes(range(256)) * 1000


def test_requests_files_and_streams_are_answered_without_the_shortcuts(make_server: MakeServer) -> None:
    server = make_server(UNLIMITED | {"STOWBOARD_GRANIAN_SHORTCUTS": "false"})
    with Client(server.origin, server.admin_token) as client, httpx2.Client() as web:
        task = client.tasks.create("Without")
        assert client.tasks.get(task.id).title == "Without"
        asset = client.uploads.file("a.bin", CONTENT)
        assert asset.url is not None
        assert web.get(asset.url).content == CONTENT
        parts = web.get(asset.url, headers={"range": "bytes=0-99,1000-200000"})
        assert parts.status_code == 206
        assert CONTENT[1000:200001] in parts.content
        with web.stream("GET", f"{server.base_url}/events/stream", headers=server.headers) as events:
            assert events.status_code == 200
            assert next(events.iter_bytes())
    server.kill()
