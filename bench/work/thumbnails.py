"""Thumbnails that nobody has made before: every turn has new pictures, and each is asked for once.

The pictures come before the clock starts: to us as uploads, to the others as files in the folder that they read. All of
them are decoded and measured after it has stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path

from bench.harness.crowd import answer_of, measure
from bench.harness.figures import Contender, Sample
from bench.harness.servers import Server
from bench.peers.background import Background
from bench.work.our_media import OurMedia
from bench.work.pictures import Picture, check_jpeg

QUALITY = 82


@dataclass(frozen=True, slots=True)
class Square:
    """A class of ours that crops to a square."""

    name: str
    side: int


THUMBNAIL, SQUARE = Square("thumbnail", 200), Square("square", 512)
CONNECTIONS = 4


@dataclass(frozen=True, slots=True)
class NewPictures:
    picture: Picture
    numbers: Iterator[int]
    many: int  # in a turn

    def by_name(self) -> dict[str, bytes]:
        return {f"{number}.jpg": self.picture.numbered(number) for number in islice(self.numbers, self.many)}


def make_ours(server: Server, media: OurMedia, new: NewPictures, square: Square) -> Contender:
    def turn(_seconds: float) -> Sample:
        added = [media.add_image(data) for data in new.by_name().values()]
        return _make_all(server.origin, server.pid, [media.path_of(each, square.name) for each in added], square.side)

    return turn


def make_theirs(
    peer: Background, folder: Path, path_of: Callable[[str], str], new: NewPictures, square: Square
) -> Contender:
    """By a peer that reads this folder and has a picture of it, by its name, at `path_of`."""

    def turn(_seconds: float) -> Sample:
        pictures = new.by_name()
        for name, data in pictures.items():
            (folder / name).write_bytes(data)
        sample = _make_all(peer.origin, peer.pid, [path_of(name) for name in pictures], square.side)
        for name in pictures:
            (folder / name).unlink()
        return sample

    return turn


def _make_all(origin: str, pid: int, paths: Sequence[str], side: int) -> Sample:
    answers: list[bytes] = []

    def get(connection: HTTPConnection, path: str) -> None:
        # A connection for each picture: those that stay open may all be with one of thumbor's processes.
        connection.request("GET", path, headers={"accept": "*/*", "connection": "close"})
        _, body = answer_of(connection, 200)
        answers.append(body)

    sample = measure(origin, pid, CONNECTIONS, paths, get)
    for answer in answers:
        check_jpeg(answer, side, side)
    return sample
