"""Pieces of uploads that lie in a bucket."""

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.resumable import Piece
from stowboard.db.database import Tx
from stowboard.media.base.rows import Columns

COLUMNS = Columns(Piece)


async def find_tail(tx: Tx, upload_id: str) -> Piece | None:
    """The piece at the end, if it is an object of its own."""
    sql = f"SELECT {COLUMNS.names} FROM upload_piece WHERE upload_id = $1 ORDER BY start DESC LIMIT 1"
    row = await tx.one(sql, upload_id)
    piece = COLUMNS.read(row) if row is not None else None
    return piece if piece is not None and piece.blob_key is not None else None


async def parts(tx: Tx, upload_id: str) -> list[Piece]:
    """The pieces that are parts of a multipart upload, in order."""
    sql = f"SELECT {COLUMNS.names} FROM upload_piece WHERE upload_id = $1 AND blob_key IS NULL ORDER BY start"
    return [COLUMNS.read(row) for row in await tx.all(sql, upload_id)]


async def add(tx: Tx, upload_id: str, pieces: list[Piece]) -> None:
    sql = f"""
    INSERT INTO upload_piece (upload_id, {COLUMNS.names}) VALUES ($1, $2, $3, $4, $5, $6)
    """
    await tx.run_many(sql, [(upload_id, *COLUMNS.values(piece)) for piece in pieces])


async def remove_from(tx: Tx, upload_id: str, start: int) -> list[BlobKey]:
    """Forget the pieces from that byte on; the objects that they were."""
    sql = "DELETE FROM upload_piece WHERE upload_id = $1 AND start >= $2 RETURNING blob_key"
    return [key for (key,) in await tx.all(sql, upload_id, start) if key is not None]
