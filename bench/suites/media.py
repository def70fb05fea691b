"""Pictures and files: thumbnails, new and known, downloads small and large, and an image uploaded in one request.

And a film, from its last byte to its first picture and to all of its sizes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from bench.harness.figures import OURS, Asked, Contender, Row
from bench.harness.install import Missing, program
from bench.harness.progress import Progress
from bench.harness.scratch import MIB, random_file, require_room, sha256_of
from bench.harness.servers import UNLIMITED, Server
from bench.peers import ipx, nginx, thumbor
from bench.peers.background import Background
from bench.peers.pocketbase import PocketBase
from bench.peers.pocketbase_pictures import Pictures
from bench.work.downloads import LargeFile, same_bytes, same_picture
from bench.work.image_uploads import Uploads, into_ours, into_pocketbase
from bench.work.our_media import OurMedia
from bench.work.pictures import Picture, photograph
from bench.work.presigned_uploads import PresignedUploads
from bench.work.thumbnails import CONNECTIONS, QUALITY, SQUARE, THUMBNAIL, NewPictures, Square, make_ours, make_theirs
from bench.work.videos import OurFilm, make_film, plain_call

TITLE = "Media"
SECONDS = 450
QUICK_SECONDS = 75
POCKETBASE = "PocketBase"
ROOM_GIB, QUICK_ROOM_GIB = 12, 3
NEW_PICTURES, QUICK_NEW_PICTURES = 12, 8
LARGE, QUICK_LARGE = 1_000_000_000, 128 * MIB
TWELVE_MEGAPIXELS = (4000, 3000, 88)  # width, height, quality: about 3 MB, as of a phone
ONE_MEGABYTE = (1600, 1200, 90)
FILM_SECONDS, QUICK_FILM_SECONDS = 60, 6
FFMPEG = "ffmpeg"


@contextmanager
def rows(folder: Path, progress: Progress, quick: bool) -> Iterator[list[Row]]:
    program("wrk")
    require_room(folder, QUICK_ROOM_GIB if quick else ROOM_GIB)
    with ExitStack() as stack:
        progress.say("Media: starting")
        stage = _Stage(folder, stack, quick)
        yield [
            *stage.new_thumbnails(),
            stage.known_thumbnail(),
            stage.download(),
            *stage.large_downloads(),
            stage.image_upload(),
            stage.presigned_upload(),
            *stage.film(),
        ]


class _Stage:
    """The servers that run, and the pictures that all of them get."""

    def __init__(self, folder: Path, stack: ExitStack, quick: bool) -> None:
        self._folder, self._stack, self._quick = folder, stack, quick
        self._server = Server(folder / "ours", UNLIMITED).start()
        stack.callback(self._server.stop)
        self._media = OurMedia(self._server)
        stack.callback(self._media.close)
        self._numbers = itertools.count()
        self._large, self._small = photograph(*TWELVE_MEGAPIXELS), photograph(*ONE_MEGABYTE)
        self._start_pocketbase()

    def new_thumbnails(self) -> list[Row]:
        pictures = self._folder / "pictures"
        pictures.mkdir()
        missing: list[str] = []
        thumbors = self._start(thumbor.NAME, lambda: thumbor.start(self._folder, pictures, QUALITY), missing)
        ipxs = self._start(ipx.NAME, lambda: ipx.start(self._folder, pictures), missing)

        def row(work: str, square: Square, asked: tuple[Asked, ...], note: str) -> Row:
            new = NewPictures(self._large, self._numbers, QUICK_NEW_PICTURES if self._quick else NEW_PICTURES)
            contenders = {OURS: make_ours(self._server, self._media, new, square)}
            if thumbors:
                path_of = partial(thumbor.path_of, side=square.side)
                contenders[thumbor.NAME] = make_theirs(thumbors, pictures, path_of, new, square)
            if ipxs:
                path_of = partial(ipx.path_of, side=square.side, quality=QUALITY)
                contenders[ipx.NAME] = make_theirs(ipxs, pictures, path_of, new, square)
            rounds = 1 if self._quick else 9
            return Row(work, "images/s", contenders, asked, tuple(missing), rounds=rounds, note=note)

        asked = (Asked(thumbor.NAME, 1.5, must=True), Asked(ipx.NAME, 1.0, must=True))
        note = (
            f"{THUMBNAIL.side} x {THUMBNAIL.side}, cropped, JPEG of quality {QUALITY}, {CONNECTIONS} connections, each"
            " picture asked for once. Stowboard makes it of the reduction that it kept when the picture was uploaded"
            " (before the clock starts), and keeps it, on the disk and in its database; the others read the file."
        )
        other = f"The same of {SQUARE.side} x {SQUARE.side}, for which everybody has to decode the original."
        return [
            row("thumbnail of a new 12-megapixel JPEG", THUMBNAIL, asked, note),
            row("square of a new 12-megapixel JPEG", SQUARE, (), other),
        ]

    def known_thumbnail(self) -> Row:
        data = self._next(self._large)
        ours = self._media.path_of(self._media.add_image(data), THUMBNAIL.name)
        contenders = {OURS: same_picture(self._server.origin + ours, self._server.pid, THUMBNAIL.side, THUMBNAIL.side)}
        if self._pocketbase:
            peer = self._pocketbase.peer
            url = f"{peer.origin}{self._pocketbase.add(data)}?thumb={THUMBNAIL.side}x{THUMBNAIL.side}"
            contenders[POCKETBASE] = same_picture(url, peer.pid, THUMBNAIL.side, THUMBNAIL.side)
        note = "Public on both sides, made before; each answers the JPEG that it made itself."
        return self._beside_pocketbase("thumbnail that is made already", "requests/s", contenders, 3.0, note)

    def download(self) -> Row:
        data = self._next(self._small)
        ours = self._media.path_of(self._media.add_image(data))
        contenders = {OURS: same_bytes(self._server.origin + ours, self._server.pid, data)}
        if self._pocketbase:
            peer = self._pocketbase.peer
            contenders[POCKETBASE] = same_bytes(peer.origin + self._pocketbase.add(data), peer.pid, data)
        return self._beside_pocketbase("download of 1 MB", "requests/s", contenders, 1.0, "Public on both sides.")

    def large_downloads(self) -> list[Row]:
        """By the service alone, and by nginx before it, each beside nginx over a folder."""
        size = QUICK_LARGE if self._quick else LARGE
        files = self._folder / "files"
        files.mkdir()
        file = files / "large.bin"
        random_file(file, size)
        sha256 = sha256_of(file, range(size))
        missing: list[str] = []
        alone = self._start(nginx.NAME, lambda: nginx.start(self._folder, files), missing)
        floor: dict[str, Contender] = {}
        if alone:
            floor[nginx.NAME] = LargeFile(alone.origin, alone.pid, f"/{file.name}", size, sha256)

        def row(work: str, ours: LargeFile, ratio: float, note: str) -> Row:
            return Row(
                f"{work} of {size / 1e9:.2g} GB", "MiB/s", {OURS: ours} | floor, (Asked(nginx.NAME, ratio),),
                tuple(missing), rounds=1 if self._quick else 4, seconds=1.0 if self._quick else 3.0, note=note,
            )  # fmt: skip

        path = self._media.path_of(self._media.add_file(file))
        note = "One connection; the file is in memory on both sides, and nginx has the kernel send it (sendfile)."
        found = [row("download", LargeFile(self._server.origin, self._server.pid, path, size, sha256), 0.2, note)]
        behind = self._server_behind_nginx()
        media = OurMedia(behind)
        self._stack.callback(media.close)
        start = partial(nginx.start_before, self._folder, behind.data_dir / "blobs", behind.port)
        if before := self._start(nginx.NAME, start, missing):
            ours = LargeFile(before.origin, before.pid, media.path_of(media.add_file(file)), size, sha256)
            note = "nginx before Stowboard, which decides who gets the file (`accel_redirect`), beside nginx alone."
            found.append(row("download through nginx", ours, 0.9, note))
        return found

    def _server_behind_nginx(self) -> Server:
        handing_over = {"STOWBOARD_ACCEL_REDIRECT": nginx.LOCATION, "STOWBOARD_TRUSTED_PROXIES": "127.0.0.1"}
        server = Server(self._folder / "behind", UNLIMITED | handing_over).start()
        self._stack.callback(server.stop)
        return server

    def image_upload(self) -> Row:
        ours = Uploads(into_ours(self._server), self._small, self._numbers)
        note = (
            "Stowboard gets a third more bytes (base64), sees that the picture is whole and has it on the disk (fsync)"
            " before it answers, and a job decodes it right after, in the same turn; PocketBase keeps the bytes of a"
            " multipart form as they are."
        )
        return self._upload("upload of a 1 MB image", ours, 0.4, note)

    def presigned_upload(self) -> Row:
        ours = PresignedUploads(self._server, self._small, self._numbers)
        note = (
            "Stowboard takes two requests, has the bytes on the disk (fsync) before it answers, and a job decodes them"
            " right after, in the same turn; PocketBase as above."
        )
        return self._upload("upload of a 1 MB image, pre-signed", ours, 0.8, note)

    def _upload(self, work: str, ours: Contender, ratio: float, note: str) -> Row:
        contenders = {OURS: ours}
        if self._pocketbase:
            contenders[POCKETBASE] = Uploads(into_pocketbase(self._pocketbase.peer), self._small, self._numbers)
        seconds = 1.0 if self._quick else 2.0
        return self._beside_pocketbase(work, "uploads/s", contenders, ratio, note, seconds)

    def film(self) -> list[Row]:
        file, seconds = self._folder / "film.mp4", QUICK_FILM_SECONDS if self._quick else FILM_SECONDS
        make_film(file, seconds)
        (self._folder / "plain").mkdir()
        ours = OurFilm(self._server, file)
        first = Row(
            f"first picture of {seconds} s of 1080p", "s", {OURS: ours.first_picture}, (Asked(None, float(seconds)),),
            rounds=1, cost=True,
            note="From finalize to a playlist that can be played; the length of the film is what was asked for.",
        )  # fmt: skip
        contenders = {OURS: ours.all_sizes, FFMPEG: plain_call(file, self._folder / "plain")}
        note = (
            "From finalize to the last of five sizes, as HLS with sound. Stowboard also probes, makes a poster, a"
            " storyboard and the sound alone, and has all of it in its store; ffmpeg is one call with the same sizes."
        )
        every = Row(
            f"all sizes of {seconds} s of 1080p", "s", contenders, (Asked(FFMPEG, 1.0),), rounds=1, cost=True, note=note
        )
        return [first, every]

    def _next(self, picture: Picture) -> bytes:
        return picture.numbered(next(self._numbers))

    def _start(self, name: str, start: Callable[[], Background], missing: list[str]) -> Background | None:
        try:
            peer = start()
        except Missing as reason:
            missing.append(f"{name}: {reason}")
            return None
        self._stack.callback(peer.stop)
        return peer

    def _start_pocketbase(self) -> None:
        self._pocketbase: Pictures | None = None
        self._missing: tuple[str, ...] = ()
        try:
            peer = PocketBase().start(self._folder / "pocketbase")
        except Missing as reason:
            self._missing = (f"{POCKETBASE}: {reason}",)
        else:
            self._stack.callback(peer.stop)
            self._pocketbase = Pictures(peer, THUMBNAIL.side)

    def _beside_pocketbase(
        self,
        work: str,
        unit: str,
        contenders: dict[str, Contender],
        ratio: float,
        note: str,
        seconds: float | None = None,
    ) -> Row:
        asked = (Asked(POCKETBASE, ratio),)
        return Row(work, unit, contenders, asked, self._missing, seconds=seconds, note=note)
