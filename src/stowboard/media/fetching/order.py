"""Order that bytes are fetched from a URL: what they will be, an upload that nobody else can send to, and the job."""

from urllib.parse import unquote, urlsplit

from stowboard.blobs.keys import new_key
from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.ids import new_id
from stowboard.db.database import Tx
from stowboard.media.assets.inline import BLOB_KIND
from stowboard.media.assets.presigned import new_asset
from stowboard.media.assets.upload_bodies import PresignedBody
from stowboard.media.base.asset import AssetKind
from stowboard.media.base.filename import check_filename, clean_filename
from stowboard.media.fetching.bodies import FetchedKind, FromUrlBody
from stowboard.media.fetching.fetch import fetch_later
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, new_token
from stowboard.media.videos.create import create_video
from stowboard.media.videos.video import MAX_TITLE
from stowboard.media.videos.wire import CreateVideoBody

#: For the job and all its attempts; each byte that comes prolongs it.
_WAIT_MS = 24 * 3600 * 1000
_NAMELESS = "download"


async def order_fetch(tx: Tx, caller: Caller, body: FromUrlBody) -> str:
    """The id of the new asset or video. Raises TooManyItems or ValidationFailed."""
    filename = body.filename or clean_filename(_name_in(body.url))
    check_filename("filename", filename)
    make = _new_video if body.kind is FetchedKind.VIDEO else _new_asset
    upload = await make(tx, caller, body, clean_filename(filename))
    await fetch_later(tx, caller.owner)
    return upload.subject


def _name_in(url: str) -> str:
    """The end of its path."""
    name = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2], errors="replace").replace("\0", "").strip()
    return name[:200] or _NAMELESS


async def _new_video(tx: Tx, caller: Caller, body: FromUrlBody, filename: str) -> Upload:
    described = CreateVideoBody(
        title=body.title or filename[:MAX_TITLE], tags=body.tags, visibility=body.visibility, metadata=body.metadata
    )
    _, upload, _ = await create_video(tx, caller, described, 0, url=body.url)
    return upload


async def _new_asset(tx: Tx, caller: Caller, body: FromUrlBody, filename: str) -> Upload:
    kind = AssetKind(body.kind.value) if body.kind is not None else None
    described = PresignedBody(
        filename=filename, size=0, kind=kind, tags=body.tags, visibility=body.visibility, metadata=body.metadata
    )
    now = clock.now_ms()
    upload = Upload(
        id=UploadId(new_id("upl")), purpose=UploadPurpose.ASSET, subject=await new_asset(tx, caller, described),
        blob_key=new_key(BLOB_KIND), name=filename, url=body.url, created_by=caller.owner, created_at=now,
        updated_at=now, expires_at=now + _WAIT_MS,
    )  # fmt: skip
    await upload_store.insert(tx, upload, new_token())
    return upload
