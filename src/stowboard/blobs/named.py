"""The list of all columns that name blobs, for the sweep and for moving an installation.

The sweep deletes blobs that no column here names, a day after they were written. So a forgotten column would cost users
their bytes. A column that names a blob is called `blob_key` or `…_key`, and a test compares this list with the real
schema.
"""

from typing import NamedTuple


class BlobColumn(NamedTuple):
    """Expressions are SQL over the table's own columns."""

    table: str
    column: str
    #: The length of the bytes; 0 if the row does not know it.
    size: str = "0"
    #: The column with the SHA-256 of the bytes; NULL in rows that were written before it was known.
    sha256: str | None = None
    #: The rows whose bytes are moved with an installation; "" means every row that names a blob, None no row.
    moved_if: str | None = ""
    #: False where the bytes may be gone although the row names them.
    required: bool = True


BLOB_COLUMNS = (
    BlobColumn("content", "blob_key", "size", "sha256"),
    BlobColumn("derived", "blob_key", "size", "blob_sha256"),
    BlobColumn("asset", "incoming_key"),
    BlobColumn("video", "blob_key", "COALESCE(size, 0)", "blob_sha256"),
    BlobColumn("video", "poster_key", "0", "poster_sha256"),
    BlobColumn("video", "storyboard_key", "0", "storyboard_sha256"),
    BlobColumn("video_rendition", "blob_key", "COALESCE(size, 0)", "blob_sha256"),
    # The bytes of a complete upload may be gone: its asset had the same bytes already, or was deleted.
    BlobColumn("upload", "blob_key", "received", moved_if="state = 'complete'", required=False),
    # Unfinished uploads begin again in the new installation.
    BlobColumn("upload_piece", "blob_key", "size", moved_if=None),
)
