"""docs/recipes/from-one-machine-to-a-cluster.md: its commands, run as they stand."""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path

import httpx2

from stowboard_client import Client
from support.servers.moving import at
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import ACCESS_KEY, BUCKET, SECRET_KEY, SeaweedFs
from support.servers.stacks import MakeServer
from support.servers.stowboard import clean_environment
from support.servers.valkey import ValkeyServer

PAGE = Path(__file__).parents[2] / "docs" / "recipes" / "from-one-machine-to-a-cluster.md"
BESIDE, STOPPED, ARRIVING = re.findall(r"^```sh move[ a-z]*\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def run(commands: str, folder: Path, settings: dict[str, str]) -> None:
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=clean_environment() | path | settings,
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_installation_moves_by_the_commands_of_the_recipe(
    make_server: MakeServer, postgres: PostgresServer, seaweedfs: SeaweedFs, valkey: ValkeyServer, tmp_path: Path
) -> None:
    before = make_server({})
    named = {"OLD": str(before.data_dir), "MOVE": str(tmp_path / "move")}
    with Client(before.origin, before.admin_token) as client:
        task = client.tasks.create("Water the plants")
        asset = client.upload(b"Bring the tickets.", filename="notes.txt")
        run(BESIDE, tmp_path, named)
        later = client.tasks.create("Written after the first copy")
    before.stop()
    run(STOPPED, tmp_path, named)
    cluster = {
        "STOWBOARD_DATABASE_URL": postgres.create_database(),
        "STOWBOARD_BLOBS_URL": f"s3://{BUCKET}/{secrets.token_hex(6)}",
        "STOWBOARD_S3_ENDPOINT": seaweedfs.endpoint,
        "STOWBOARD_VALKEY_URL": valkey.url,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
    }
    run(ARRIVING, tmp_path, named | cluster)
    after = at(tmp_path / "node", cluster, before.admin_token).start()
    try:
        with Client(after.origin, before.admin_token) as client:
            assert [client.tasks.get(each.id).title for each in (task, later)] == [task.title, later.title]
            url = client.delivery.resolve(asset.id).url
            assert httpx2.get(url).content == b"Bring the tickets."
    finally:
        after.kill()
