"""Bytes to and from an S3 server: through a node of ours, and straight by pre-signed URLs, which is the floor.

An upload's bytes are others in every turn, since the node stores the same bytes once. After it, and before each turn of
downloads, what is stored is read back and compared.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import httpx2
import obstore

from bench.harness.crowd import answer_of, for_seconds, measure, send_file
from bench.harness.figures import Contender, Sample, Void
from bench.harness.load import Load, wrk
from bench.harness.scratch import MIB, random_file, sha256_of
from bench.harness.servers import SeaweedFs, Server
from bench.work.tus_client import TusServer, upload

DOWNLOAD = 1_000_000
REDIRECTED = 16 * MIB
READY_SECONDS = 60.0
_TURNS = 64
_EXPIRES = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Source:
    """A file whose spans of one size are the bodies of the uploads, each used once."""

    file: Path
    spans: Iterator[range]


def make_source(file: Path, size: int) -> Source:
    random_file(file, size + _TURNS)
    return Source(file, (range(start, start + size) for start in range(_TURNS)))


def upload_by_node(node: Server, source: Source) -> Contender:
    """TUS: announced, then sent in one PATCH."""

    def turn(_seconds: float) -> Sample:
        span, announced = next(source.spans), []

        def create(connection: HTTPConnection, size: int) -> str:
            body = json.dumps({"filename": "data.bin", "size": size, "kind": "file"})
            headers = node.headers | {"content-type": "application/json"}
            connection.request("POST", "/api/v1/media/upload/presigned", body, headers)
            answer = json.loads(answer_of(connection, 201)[1])["data"]
            announced.append(answer["id"])
            return urlsplit(str(answer["tusUploadUrl"])).path

        def send(connection: HTTPConnection, part: range) -> None:
            upload(connection, tus, source.file, part, len(part))

        tus = TusServer(node.origin, node.pid, node.data_dir, create)
        sample = measure(node.origin, node.pid, 1, [span], send, len(span) / MIB)
        _compare(_url_when_ready(node, announced[0]), sha256_of(source.file, span))
        _ask("DELETE", f"{node.base_url}/media/assets/{announced[0]}", node.headers)
        return sample

    return turn


def upload_straight(s3: SeaweedFs, source: Source) -> Contender:
    """PUT to a pre-signed URL."""
    numbers = count()

    def turn(_seconds: float) -> Sample:
        span, key, store = next(source.spans), f"straight/{next(numbers)}", s3.connect()

        def send(connection: HTTPConnection, part: range) -> None:
            address = urlsplit(obstore.sign(store, "PUT", key, _EXPIRES))
            send_file(connection, "PUT", f"{address.path}?{address.query}", {}, source.file, part)
            answer_of(connection, 200)

        sample = measure(s3.endpoint, s3.pid, 1, [span], send, len(span) / MIB)
        _compare(obstore.sign(store, "GET", key, _EXPIRES), sha256_of(source.file, span))
        obstore.delete(store, key)
        return sample

    return turn


def downloads(node: Server, s3: SeaweedFs) -> tuple[Contender, Contender]:
    """The same bytes by the node and straight."""
    content = os.urandom(DOWNLOAD)
    body = {"filename": "data.bin", "data": base64.b64encode(content).decode()}
    asset = httpx2.post(f"{node.base_url}/media/upload/file", json=body, headers=node.headers, timeout=60)
    asset.raise_for_status()
    store = s3.connect()
    obstore.put(store, "straight/download", content)
    straight = obstore.sign(store, "GET", "straight/download", _EXPIRES)
    sha256 = hashlib.sha256(content).hexdigest()
    return _download(asset.json()["data"]["url"], sha256, node.pid), _download(straight, sha256, s3.pid)


def redirected_downloads(node: Server, s3: SeaweedFs) -> tuple[Contender, Contender]:
    """The same bytes by a redirect of the node, asked for each time, and by one link of the bucket."""
    content = os.urandom(REDIRECTED // 2).hex().encode()
    body = {"filename": "data.txt", "size": REDIRECTED, "kind": "file"}
    answer = httpx2.post(f"{node.base_url}/media/upload/presigned", json=body, headers=node.headers)
    announced = answer.raise_for_status().json()["data"]
    httpx2.put(announced["uploadUrl"], content=content, timeout=60).raise_for_status()
    path = urlsplit(_url_when_ready(node, announced["id"])).path
    store = s3.connect()
    obstore.put(store, "straight/redirected", content)
    straight = urlsplit(obstore.sign(store, "GET", "straight/redirected", _EXPIRES))
    to_node = HTTPConnection(urlsplit(node.origin).netloc, timeout=60)

    def by_redirect(connection: HTTPConnection, _: int) -> None:
        to_node.request("GET", path)
        location = urlsplit(answer_of(to_node, 307)[0].headers["location"])
        fetch(connection, location)

    def by_link(connection: HTTPConnection, _: int) -> None:
        fetch(connection, straight)

    def fetch(connection: HTTPConnection, address: SplitResult) -> None:
        connection.request("GET", f"{address.path}?{address.query}")
        if answer_of(connection, 200)[1] != content:
            raise Void("what is stored is not what was sent")

    def turns(pid: int, do: Callable[[HTTPConnection, int], None]) -> Contender:
        return lambda seconds: measure(s3.endpoint, pid, 1, for_seconds(seconds), do, REDIRECTED / MIB)

    return turns(node.pid, by_redirect), turns(s3.pid, by_link)


def _download(url: str, sha256: str, pid: int) -> Contender:
    def turn(seconds: float) -> Sample:
        _compare(url, sha256)
        return wrk(Load(url), pid, seconds)

    return turn


def _url_when_ready(node: Server, asset_id: str) -> str:
    give_up = time.monotonic() + READY_SECONDS
    while True:
        answer = _ask("GET", f"{node.base_url}/media/assets/{asset_id}", node.headers)
        asset = answer.json()["data"]
        if asset["processingStatus"] == "ready":
            return str(asset["url"])
        if asset["processingStatus"] == "failed" or time.monotonic() > give_up:
            raise Void(f"the upload was not processed: {asset}")
        time.sleep(0.05)


def _compare(url: str, sha256: str) -> None:
    if hashlib.sha256(_ask("GET", url, {}).content).hexdigest() != sha256:
        raise Void("what is stored is not what was sent")


def _ask(method: str, url: str, headers: dict[str, str]) -> httpx2.Response:
    try:
        return httpx2.request(method, url, headers=headers, timeout=60).raise_for_status()
    except httpx2.HTTPError as error:
        raise Void(f"{method}: {error!r}") from error
