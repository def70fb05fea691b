"""Which columns of the database name blobs: the one list, for the sweep and for moving an installation.

The sweep deletes what no column here names, a day after it was written, so a column that is forgotten costs users their
bytes. A column that names a blob is called `blob_key` or `…_key`, and a test holds this list against the real schema.
"""

from typing import NamedTuple


class BlobColumn(NamedTuple):
    """Expressions are SQL over the table's own columns."""

    table: str
    column: str
    #: How long the bytes are, as far as the row knows; 0 where it does not.
    size: str = "0"
    #: The column with the SHA-256 of the bytes; NULL in rows that were written before it was known.
    sha256: str | None = None
    #: Which rows' bytes belong to an installation that is moved; "" is every row that names one, None no row.
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
    # Of a complete upload they may be gone, when its asset had the same bytes already or was deleted.
    BlobColumn("upload", "blob_key", "received", moved_if="state = 'complete'", required=False),
    # Uploads that are not complete begin again where they are moved to.
    BlobColumn("upload_piece", "blob_key", "size", moved_if=None),
)
