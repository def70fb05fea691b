"""Every client makes an image of a file that the service takes as one: the library, blocking and async, and `stow`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stowboard_client import Asset, AsyncClient, Client
from support.clients.terminal import Terminal
from support.media.image_samples import SAMPLES
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak


@pytest.mark.parametrize(("name", "make"), SAMPLES.items(), ids=list(SAMPLES))
async def test_each_type_is_an_image_with_a_thumbnail_by_every_client(
    server: Server, stow: Terminal, tmp_path: Path, name: str, make: Callable[[Path], bytes]
) -> None:
    file = tmp_path / name
    file.write_bytes(make(tmp_path))
    sent = stow("upload", str(file), "--again", "--fields", "id").one
    with Client(server.origin, server.admin_token) as client:
        made = [client.upload(file), client.assets.get(sent["id"])]
    async with AsyncClient(server.origin, server.admin_token) as client:
        made.append(await client.upload(file))
    assert [shape(asset) for asset in made] == [("image", 300, 200, True)] * 3


def test_the_samples_are_of_every_type_and_extension(server: Server) -> None:
    with Client(server.origin, server.admin_token) as client:
        told = client.delivery.cdn()
    assert {Path(name).suffix.lower() for name in SAMPLES} == set(told.image_extensions)


def shape(asset: Asset) -> tuple[str, int | None, int | None, bool]:
    return asset.kind, asset.width, asset.height, asset.thumbnail_url is not None
