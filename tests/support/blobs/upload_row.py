"""The row of an upload without a database: what the caller of a resumable store has to remember."""

from pathlib import Path

import msgspec

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.resumable import BlobAppender, DurableBytes, GrowingBlob, UploadPiece
from stowboard.blobs.store import BlobStore

MOST = 1 << 30


class Row(msgspec.Struct):
    """It is a Ledger. `save` and `load` are for a row that outlives its process."""

    key: BlobKey
    received: int = 0
    handle: str | None = None
    numbers: int = 0
    pieces: list[UploadPiece] = []

    @classmethod
    def new(cls) -> "Row":
        return cls(new_key("video"))

    def writer(self, blobs: BlobStore, most: int = MOST) -> BlobAppender:
        return blobs.append_to(GrowingBlob(self.key, self.received, most, self.handle), self)

    def commit(self, kept: DurableBytes) -> list[BlobKey]:
        """Acknowledge it; the objects that are not needed any more."""
        obsolete: list[BlobKey] = []
        if kept.pieces:
            start = kept.pieces[0].start
            obsolete = [piece.blob_key for piece in self.pieces if piece.start >= start and piece.blob_key]
            self.pieces = [piece for piece in self.pieces if piece.start < start] + kept.pieces
        self.received = kept.size
        return obsolete

    def save(self, file: Path) -> None:
        new = file.with_suffix(".new")
        new.write_bytes(msgspec.json.encode(self))
        new.replace(file)

    @classmethod
    def load(cls, file: Path) -> "Row":
        return msgspec.json.decode(file.read_bytes(), type=cls)

    async def begin(self, handle: str) -> None:
        assert self.handle is None
        self.handle = handle

    async def claim(self) -> None:
        """There is nobody else."""

    async def next_number(self) -> int:
        self.numbers += 1
        return self.numbers

    async def tail(self) -> UploadPiece | None:
        return self.pieces[-1] if self.pieces and self.pieces[-1].blob_key else None

    async def parts(self) -> list[UploadPiece]:
        return [piece for piece in self.pieces if piece.blob_key is None]
