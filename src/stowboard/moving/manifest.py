"""`manifest.json` describes a folder and is written last. A folder without one is incomplete."""

import os
from pathlib import Path
from typing import TypeVar

import msgspec

from stowboard.core.folders import fsync_folder
from stowboard.db.migrate import NOT_OURS
from stowboard.moving.refusal import MovingRefusal

FILE = "manifest.json"
T = TypeVar("T", bound="Manifest")


class Manifest(msgspec.Struct, kw_only=True, tag_field="format"):
    #: The id of the run that made it; its rows and its names in the ledger have it too.
    run: str
    #: The moment of the rows, in milliseconds.
    at: int
    release: str
    #: The name of the installation, which stays the same however often it is moved.
    installation: str
    #: The names of the migrations that the database had, in order.
    migrations: list[str]
    #: The place of the rows: a folder in an export, the database file in a backup.
    rows: str
    blobs: int
    bytes: int
    #: Blobs that rows name and that the store did not have.
    missing: int
    #: Blobs whose bytes were not what their rows say.
    damaged: int = 0


class TableFile(msgspec.Struct, kw_only=True):
    """`rows/name.jsonl.gz`: on each line the values of a row in the order of the columns, bytes in base64."""

    name: str
    columns: dict[str, str]
    rows: int
    #: The hash of the lines, unpacked.
    sha256: str


class ExportManifest(Manifest, tag="stowboard export 1", kw_only=True):
    #: Each table comes after those that it refers to.
    tables: list[TableFile]


class BackupManifest(Manifest, tag="stowboard backup 1", kw_only=True):
    size: int
    sha256: str


_COMMANDS = {ExportManifest: "export", BackupManifest: "backup"}


def find_manifest(folder: Path) -> ExportManifest | BackupManifest | None:
    """None if no run into this folder was ever finished."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=ExportManifest | BackupManifest)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except msgspec.DecodeError:
        raise MovingRefusal(f"{folder / FILE} is damaged, or of a release that this one does not know.") from None


def get_manifest(folder: Path, kind: type[T]) -> T:
    manifest = find_manifest(folder)
    if manifest is None:
        raise MovingRefusal(f"{folder} has no {FILE}: it is no {_COMMANDS[kind]}, or one that was never finished.")
    if not isinstance(manifest, kind):
        other = {"export": "import", "backup": "restore"}[_COMMANDS[type(manifest)]]
        raise MovingRefusal(
            f"{folder} was written by `stowboard {_COMMANDS[type(manifest)]}`: use `stowboard {other}`."
        )
    return manifest


def require_migrations(manifest: Manifest, known: list[str]) -> None:
    """Raises MovingRefusal if the manifest has migrations that are not in `known`: a newer release, or none of ours."""
    theirs = manifest.migrations
    if theirs[: len(known)] != known[: len(theirs)]:
        raise MovingRefusal(f"it was made by a development version, not by a release. {NOT_OURS}")
    if len(theirs) > len(known):
        raise MovingRefusal(
            f"it is of release {manifest.release}, which is newer than this one. Upgrade this one first."
        )


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it atomically and durably: after a crash there is the old one or the new one."""
    draft = folder / f".{FILE}"
    with draft.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / FILE)
    fsync_folder(folder)
