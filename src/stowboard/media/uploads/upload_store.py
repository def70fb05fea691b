"""Uploads in the database, and the pieces of them that lie in a bucket."""

from collections.abc import Sequence

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.resumable import UploadPiece
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.reach import LIBRARY, SHARED_PREFIX, reached
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings, made_with_living
from stowboard.db.rows import Columns
from stowboard.media.base.errors import UploadNotFound
from stowboard.media.uploads.upload import Upload, UploadState, digest_of

COLUMNS = Columns(Upload)
PIECE_COLUMNS = Columns(UploadPiece)


async def insert(tx: Tx, upload: Upload, token: str) -> None:
    values = [*COLUMNS.values(upload), digest_of(token)]
    await tx.run(
        f"INSERT INTO upload ({COLUMNS.names}, token_digest) VALUES ({COLUMNS.parameters}, ${len(values)})", *values
    )


async def get_by_token(tx: Tx, token: str) -> Upload:
    """Raises UploadNotFound, also if its maker may no longer make media in its space."""
    sql = f"SELECT {COLUMNS.names} FROM upload WHERE token_digest = $1 AND {_MAKER_IS_EDITOR}"
    row = await tx.one(sql, digest_of(token))
    if row is None:
        raise UploadNotFound
    return COLUMNS.read(row)


async def find(tx: Tx, upload_id: str) -> Upload | None:
    row = await tx.one(f"SELECT {COLUMNS.names} FROM upload WHERE id = $1", upload_id)
    return COLUMNS.read(row) if row is not None else None


async def find_latest(tx: Tx, access: Access, subject: str) -> Upload | None:
    """The upload for an asset or a video in reach that was begun last."""
    sql = f"SELECT {COLUMNS.names} FROM upload WHERE subject = $1 AND {reached(2, 'space')} ORDER BY id DESC LIMIT 1"
    row = await tx.one(sql, subject, access.owners)
    return COLUMNS.read(row) if row is not None else None


async def find_and_lock(tx: Tx, upload_id: str) -> Upload | None:
    """The upload, locked against other writers until the transaction ends."""
    row = await tx.one(f"SELECT {COLUMNS.names} FROM upload WHERE id = $1 FOR UPDATE", upload_id)
    return COLUMNS.read(row) if row is not None else None


async def lock_usable(tx: Tx, upload_id: str) -> Upload:
    """The upload, locked. Raises UploadNotFound, also if its maker may no longer make media in its space."""
    sql = f"SELECT {COLUMNS.names} FROM upload WHERE id = $1 AND {_MAKER_IS_EDITOR} FOR UPDATE"
    row = await tx.one(sql, upload_id)
    if row is None:
        raise UploadNotFound
    return COLUMNS.read(row)


async def find_and_lock_open(tx: Tx, access: Access, subjects: Sequence[str]) -> list[Upload]:
    """The open uploads in reach for any of these subjects, in the order of ids, locked against other writers."""
    if not subjects:
        return []
    numbers = ", ".join(f"${n + 1}" for n in range(len(subjects)))
    rows = await tx.all(
        f"SELECT {COLUMNS.names} FROM upload WHERE subject IN ({numbers}) AND state = 'open'"
        f" AND {reached(len(subjects) + 1, 'space')} ORDER BY id FOR UPDATE",
        *subjects, access.owners,
    )  # fmt: skip
    return [COLUMNS.read(row) for row in rows]


async def end_made(tx: Tx, made: MadeThings) -> int:
    """Let these uploads expire now, if they are open. A request that is writing finds out and stops."""
    return await _end_made(tx, made, "url IS NULL")


async def end_made_by_url(tx: Tx, made: MadeThings) -> int:
    """The same for those that the service fetches itself."""
    return await _end_made(tx, made, "url IS NOT NULL")


async def _end_made(tx: Tx, made: MadeThings, of_kind: str) -> int:
    which, arguments = made.where(first=2)
    return await tx.run(
        "UPDATE upload SET generation = generation + 1, holder = NULL, url = NULL, expires_at = $1"
        f" WHERE {which} AND {of_kind} AND state = 'open' AND expires_at > $1",
        clock.now_ms(), *arguments,
    )  # fmt: skip


async def count_for(tx: Tx, subject: str, limit: int) -> int:
    """The number of uploads for the subject that are not gone, counted up to a limit."""
    row = await tx.one(
        "SELECT count(*) FROM (SELECT 1 FROM upload WHERE subject = $1 AND state <> 'gone' LIMIT $2) AS living",
        subject, limit,
    )  # fmt: skip
    assert row is not None
    return int(row[0])


async def count_active(tx: Tx, space: str, limit: int) -> int:
    """The number of uploads of a space that are open and have not expired, counted up to a limit."""
    row = await tx.one(
        "SELECT count(*) FROM (SELECT 1 FROM upload WHERE state = 'open' AND space = $1 AND expires_at > $2 LIMIT $3)"
        " AS active",
        space, clock.now_ms(), limit,
    )  # fmt: skip
    assert row is not None
    return int(row[0])


async def save(tx: Tx, upload: Upload) -> None:
    """The upload is locked by this transaction."""
    await tx.run(f"UPDATE upload SET ({COLUMNS.names}) = ({COLUMNS.parameters}) WHERE id = $1", *COLUMNS.values(upload))


async def set_holder(tx: Tx, upload_id: str, holder: str | None) -> Upload | None:
    """Name a new holder; the old one finds out at its next step. None if the upload is not open any more."""
    row = await tx.one(
        f"UPDATE upload SET holder = $2 WHERE id = $1 AND state = 'open' RETURNING {COLUMNS.names}", upload_id, holder
    )
    return COLUMNS.read(row) if row is not None else None


async def take_to_fetch(tx: Tx, owner: str, holder: str) -> Upload | None:
    """The owner's upload by URL that this holder has; else the oldest that nobody has, which this holder now takes."""
    sql = f"""
    UPDATE upload SET holder = $2 WHERE id = (
        SELECT id FROM upload WHERE created_by = $1 AND url IS NOT NULL AND (holder IS NULL OR holder = $2)
        ORDER BY holder IS NULL, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING {COLUMNS.names}
    """
    row = await tx.one(sql, owner, holder)
    return COLUMNS.read(row) if row is not None else None


async def has_to_fetch(tx: Tx, owner: str) -> bool:
    """True if an upload by URL of this owner waits for somebody to take it."""
    sql = "SELECT 1 FROM upload WHERE created_by = $1 AND url IS NOT NULL AND holder IS NULL LIMIT 1"
    return await tx.one(sql, owner) is not None


async def forget_url(tx: Tx, upload_id: str) -> None:
    """Forget the URL of an upload whose bytes were fetched, or never will be."""
    await tx.run("UPDATE upload SET url = NULL, holder = NULL WHERE id = $1", upload_id)


async def advance(tx: Tx, before: Upload, after: Upload) -> bool:
    """Write how far the upload is.

    False if somebody has moved or taken it since, or its maker may no longer make media in its space.
    """
    sql = f"""
    UPDATE upload SET received = $5, length = $6, holder = $7, updated_at = $8, expires_at = $9
    WHERE {_UNCHANGED} AND {_MAKER_IS_EDITOR}
    """
    values = after.received, after.length, after.holder, after.updated_at, after.expires_at
    return await tx.run(sql, *_identity(before), *values) == 1


async def complete(tx: Tx, before: Upload, after: Upload) -> bool:
    """Say that all bytes are a blob, whoever holds the upload by now.

    False if somebody has moved it since, if it has ended, or if its maker may no longer make media in its space.
    """
    sql = f"""
    UPDATE upload SET received = $4, length = $4, state = $5, holder = NULL, updated_at = $6, expires_at = $7
    WHERE id = $1 AND generation = $2 AND received = $3 AND state = 'open' AND {_MAKER_IS_EDITOR}
    """
    identity = before.id, before.generation, before.received
    return await tx.run(sql, *identity, after.received, after.state, after.updated_at, after.expires_at) == 1


async def begin_parts(tx: Tx, upload: Upload, handle: str) -> bool:
    """Remember the store's handle; False if somebody else has taken it, or was faster."""
    sql = f"UPDATE upload SET handle = $5 WHERE {_UNCHANGED} AND handle IS NULL"
    return await tx.run(sql, *_identity(upload), handle) == 1


async def next_part(tx: Tx, upload: Upload) -> int | None:
    """A number that was never given before; None if somebody else has taken the upload."""
    sql = f"UPDATE upload SET parts = parts + 1 WHERE {_UNCHANGED} RETURNING parts"
    row = await tx.one(sql, *_identity(upload))
    return row[0] if row is not None else None


async def find_expired(tx: Tx, now: int, limit: int) -> list[Upload]:
    """Uploads whose time is over, in any state."""
    sql = f"SELECT {COLUMNS.names} FROM upload WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2"
    return [COLUMNS.read(row) for row in await tx.all(sql, now, limit)]


async def remove(tx: Tx, upload_id: str) -> None:
    await tx.run("DELETE FROM upload WHERE id = $1", upload_id)


async def has_open(tx: Tx, subject: str, besides: str) -> bool:
    """True if bytes for the subject may still come by another upload."""
    row = await tx.one(
        "SELECT 1 FROM upload WHERE subject = $1 AND id <> $2 AND state = $3 LIMIT 1",
        subject, besides, UploadState.OPEN,
    )  # fmt: skip
    return row is not None


async def prolong(tx: Tx, upload_id: str, expires_at: int) -> None:
    """Let an open upload live at least until then."""
    await tx.run(
        "UPDATE upload SET expires_at = $2 WHERE id = $1 AND expires_at < $2 AND state = $3",
        upload_id, expires_at, UploadState.OPEN,
    )  # fmt: skip


async def find_tail(tx: Tx, upload_id: str) -> UploadPiece | None:
    """The piece at the end, if it is an object of its own."""
    sql = f"SELECT {PIECE_COLUMNS.names} FROM upload_piece WHERE upload_id = $1 ORDER BY start DESC LIMIT 1"
    row = await tx.one(sql, upload_id)
    piece = PIECE_COLUMNS.read(row) if row is not None else None
    return piece if piece is not None and piece.blob_key is not None else None


async def find_parts(tx: Tx, upload_id: str) -> list[UploadPiece]:
    """The pieces that are parts of a multipart upload, in order."""
    sql = f"SELECT {PIECE_COLUMNS.names} FROM upload_piece WHERE upload_id = $1 AND blob_key IS NULL ORDER BY start"
    return [PIECE_COLUMNS.read(row) for row in await tx.all(sql, upload_id)]


async def add_pieces(tx: Tx, upload_id: str, pieces: list[UploadPiece]) -> None:
    sql = f"INSERT INTO upload_piece (upload_id, {PIECE_COLUMNS.names}) VALUES ($1, $2, $3, $4, $5, $6)"
    await tx.run_many(sql, [(upload_id, *PIECE_COLUMNS.values(piece)) for piece in pieces])


async def remove_pieces(tx: Tx, upload_id: str, start: int) -> list[BlobKey]:
    """Forget the pieces from the byte `start` on; returns the keys of those that are objects."""
    sql = "DELETE FROM upload_piece WHERE upload_id = $1 AND start >= $2 RETURNING blob_key"
    return [key for (key,) in await tx.all(sql, upload_id, start) if key is not None]


#: The permission as it is now: for what is begun while it ends. Everybody is editor in the Library, and a person in
#: their own space; elsewhere the membership tells.
_MAKER_IS_EDITOR = f"""({made_with_living("upload.made_through")}
    AND NOT EXISTS (SELECT 1 FROM account WHERE username = upload.created_by AND disabled_at IS NOT NULL)
    AND (upload.space = '{LIBRARY}' OR (upload.space = created_by AND upload.space NOT LIKE '{SHARED_PREFIX}%')
    OR EXISTS (
        SELECT 1 FROM space AS s LEFT JOIN space_member AS m ON m.space_id = s.id AND m.member = upload.created_by
        WHERE s.id = upload.space AND s.trashed_at IS NULL
        AND (s.id = upload.created_by OR s.everyone = 'editor' OR m.role IN ('editor', 'manager'))
    ))
)"""
#: The condition that an upload's offset and holder have not changed since it was read.
_UNCHANGED = "id = $1 AND generation = $2 AND received = $3 AND holder IS NOT DISTINCT FROM $4 AND state = 'open'"


def _identity(upload: Upload) -> tuple[str, int, int, str | None]:
    return upload.id, upload.generation, upload.received, upload.holder
