"""GET /media/cdn: the limits and types that a client reads before it begins."""

import httpx2

from stowboard_client import Client
from support.servers.stowboard import Server


def test_a_client_learns_where_files_are_and_what_is_taken(server: Server, client: Client, web: httpx2.Client) -> None:
    told = client.delivery.cdn()
    asset = client.uploads.file("a.txt", b"hello")
    assert asset.url is not None
    assert asset.url.startswith(told.base_url + "/")
    assert told.transform_classes == client.delivery.transform_classes()
    assert (told.lists.page, told.lists.largest_page, told.lists.ids) == (50, 100, 100)
    assert told.signed_urls.longest_seconds == 604_800
    assert told.trash_days == 30
    assert told.inline_bytes < told.presigned_bytes < told.video_bytes
    spoken = web.options(f"{server.origin}/uploads/tus/x").headers["tus-extension"]
    assert ",".join(told.tus.extensions) == spoken
