"""An installation as one file: the data folder, or a dump of PostgreSQL with the objects of the bucket."""

import io
import tarfile
from pathlib import Path

import msgspec
import obstore
import zstandard

from support.releases.filled import ADDRESS
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import SeaweedFs
from support.servers.stowboard import Server

_FIXED = "test_token_of_a_release_that_was_kept"


class KeptRelease(msgspec.Struct, frozen=True):
    """How to open it, and what it answered."""

    token: str
    answers: dict[str, object]


def settings_to_keep() -> dict[str, str]:
    return {"STOWBOARD_PUBLIC_URL": ADDRESS, "STOWBOARD_BOOTSTRAP_TOKEN": _FIXED}


def keep(server: Server, answers: dict[str, object], folder: Path, postgres: PostgresServer, weed: SeaweedFs) -> None:
    """Keep the data of a server that was stopped."""
    settings = server.environment
    if "STOWBOARD_DATABASE_URL" in settings:
        store = weed.connect(_prefix(settings))
        files = {"dump.sql": postgres.dump(_database(settings)).encode()}
        names = [each["path"] for page in obstore.list(store) for each in page]
        files |= {f"objects/{name}": bytes(obstore.get(store, name).bytes()) for name in names}
    else:
        data = server.data_dir
        files = {str(path.relative_to(data)): path.read_bytes() for path in data.rglob("*") if path.is_file()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "installation.tar.zst").write_bytes(_pack(files))
    (folder / "answers.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(KeptRelease(_FIXED, answers)), indent=1)
    )


def bring_back(folder: Path, server: Server, postgres: PostgresServer, weed: SeaweedFs) -> KeptRelease:
    """Into the place of a server that was not started yet; on PostgreSQL its database is empty."""
    kept = msgspec.json.decode((folder / "answers.json").read_bytes(), type=KeptRelease)
    server.admin_token = kept.token
    files, settings = _unpack((folder / "installation.tar.zst").read_bytes()), server.environment
    if "STOWBOARD_DATABASE_URL" in settings:
        store = weed.connect(_prefix(settings))
        script = server.folder / "dump.sql"
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_bytes(files.pop("dump.sql"))
        postgres.load(script, _database(settings))
        for name, data in files.items():
            obstore.put(store, name.removeprefix("objects/"), data)
    else:
        server.data_dir.mkdir(mode=0o700, parents=True)
        for name, data in files.items():
            path = server.data_dir / name
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_bytes(data)
    return kept


def _pack(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, data in sorted(files.items()):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return zstandard.ZstdCompressor(level=19).compress(packed.getvalue())


def _unpack(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(zstandard.ZstdDecompressor().decompress(data))) as tar:
        members = {member.name: tar.extractfile(member) for member in tar.getmembers()}
        return {name: file.read() for name, file in members.items() if file is not None}


def _database(settings: dict[str, str]) -> str:
    return settings["STOWBOARD_DATABASE_URL"].rpartition("/")[2]


def _prefix(settings: dict[str, str]) -> str:
    return settings["STOWBOARD_BLOBS_URL"].rpartition("/")[2]
