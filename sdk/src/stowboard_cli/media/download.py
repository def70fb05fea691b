"""Fetch assets into this folder, another folder (-o DIR), a file (-o FILE), or to standard output (-o -).

The bytes are checked against the asset's checksum before the file gets its name.
"""

import hashlib
import os
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import IO

import httpx2

from stowboard_cli.exits import ERROR, INVALID, UNAVAILABLE, USAGE, CommandFailure
from stowboard_cli.media.sending import checksum_of
from stowboard_cli.stow import Stow
from stowboard_client import Asset

_BLOCK = 256 * 1024


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("-o", "--output", default=".", metavar="PATH", help="a folder, a file, or -")
    parser.add_argument("--class", dest="transform_class", metavar="NAME", help="a transform class, such as thumbnail")
    parser.add_argument("--force", action="store_true", help="replace files that exist")


def run(stow: Stow, given: Namespace) -> None:
    folder = Path(given.output)
    if len(given.ids) > 1 and not folder.is_dir():
        raise CommandFailure(USAGE, f"{folder} is not a folder; several assets need one.")
    for asset_id in given.ids:
        asset = stow.client.assets.get(asset_id)
        if given.output == "-":
            _fetch(_address(stow, asset, given.transform_class), sys.stdout.buffer)
            continue
        path = folder / _safe_name(asset.filename) if folder.is_dir() else folder
        outcome = _download(stow, asset, path, given)
        stow.list([{"id": asset.id, "path": str(path), "outcome": outcome}], ["outcome", "id", "path"])


def _download(stow: Stow, asset: Asset, path: Path, given: Namespace) -> str:
    if path.exists() and not given.force:
        if given.transform_class is None and checksum_of(path) == asset.checksum:
            return "present"
        raise CommandFailure(INVALID, f"{path} exists and is another file. Add --force to replace it.")
    url = _address(stow, asset, given.transform_class)
    fetch_file(url, path, asset.checksum if given.transform_class is None else None)
    return "downloaded"


def fetch_file(url: str, path: Path, checksum: str | None, progress: Callable[[int], None] = lambda _: None) -> str:
    """Fetch a file, which gets its name once it is whole. Return its checksum. Raises CommandFailure."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".stow-")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            arrived = _fetch(url, file, progress)
        if checksum not in (None, arrived):
            raise CommandFailure(ERROR, f"{path.name} arrived damaged; nothing was kept.")
        part.chmod(0o666 & ~_umask())
        part.replace(path)  # closed before: Windows does not rename an open file
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return arrived


def _address(stow: Stow, asset: Asset, transform_class: str | None) -> str:
    return stow.client.delivery.url(asset.id, transform_class=transform_class).url


def _fetch(url: str, file: IO[bytes], progress: Callable[[int], None] = lambda _: None) -> str:
    digest, fetched = hashlib.sha256(), 0
    try:
        with httpx2.stream("GET", url, timeout=60) as answer:
            if not answer.is_success:
                raise CommandFailure(UNAVAILABLE, f"The bytes were answered with {answer.status_code}.")
            for block in answer.iter_bytes(_BLOCK):
                digest.update(block)
                file.write(block)
                fetched += len(block)
                progress(fetched)
    except httpx2.RequestError as error:
        raise CommandFailure(UNAVAILABLE, f"The download was cut off: {error}") from None
    file.flush()
    return f"sha256:{digest.hexdigest()}"


def _safe_name(filename: str) -> str:
    """A file name that cannot lead out of the folder."""
    name = Path(filename.replace("\\", "/")).name.lstrip(".")
    return "".join(sign for sign in name if sign.isprintable()) or "download"


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
