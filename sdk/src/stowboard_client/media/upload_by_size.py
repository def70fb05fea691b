"""One upload for files of any size: a small file goes inside a request, a large one in pieces.

| size | how |
|---|---|
| up to 4 MiB | in base64, in one request that also makes the asset |
| up to 64 MiB | announced, then in one PUT; if that fails in a way that may pass, on with the next |
| beyond | announced, then in pieces by TUS, on from where it broke off |

With the same `idempotency_key`, a later call continues the upload that was begun, also in another process.
"""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from msgspec import UNSET

from stowboard_client.errors import StowboardError
from stowboard_client.media.assets import Asset, FocalPoint, Kind, Visibility, update_asset
from stowboard_client.media.resumable import Progress, Source, ignore_progress, opened, passes
from stowboard_client.media.uploads import (
    PresignedUpload,
    kind_of,
    presign_upload,
    put,
    send,
    upload_file,
    upload_image,
    wait_until_ready,
)
from stowboard_client.transport.call import Maybe
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import Steps

INLINE = 4 * 1024 * 1024
AT_ONCE = 64 * 1024 * 1024


def upload(
    session: Session,
    source: Source,
    *,
    filename: str | None = None,
    kind: Kind | None = None,
    tags: Maybe[Sequence[str]] = UNSET,
    visibility: Maybe[Visibility] = UNSET,
    alt: Maybe[str | None] = UNSET,
    title: Maybe[str | None] = UNSET,
    focal_point: Maybe[FocalPoint | None] = UNSET,
    space: str | None = None,
    progress: Progress = ignore_progress,
    wait: float | None = 300.0,
    idempotency_key: str | None = None,
) -> Steps[Asset]:
    """Upload a new image or file and wait up to `wait` seconds until it is ready; with None, do not wait.

    `filename` is the path's name where none is given. Without `kind` its extension says whether it is an image: the
    client asks the installation once for its list, which needs `media:read`. `progress` is called with the number of
    bytes sent and the number of all bytes. Without `space` it is put in the Library. Raises AssetFailed.
    """
    name = filename or _name_of(source)
    kind = kind or (yield from kind_of(session, name))
    with opened(source) as (file, size):
        if size <= INLINE:
            file.seek(0)
            create = upload_image if kind == "image" else upload_file
            asset = yield from session.perform(
                create(name, file.read(), tags=tags, visibility=visibility, alt=alt, title=title,
                       focal_point=focal_point, space=space, idempotency_key=idempotency_key)
            )  # fmt: skip
            progress(size, size)
            return asset
        announced = presign_upload(
            name, size, kind=kind, tags=tags, visibility=visibility, space=space, idempotency_key=idempotency_key
        )
        begun = yield from session.perform(announced)
        asset = yield from (_put_or_send if size <= AT_ONCE else send)(session, begun, file, progress=progress)
    if any(member is not UNSET for member in (alt, title, focal_point)):
        asset = yield from session.perform(update_asset(begun.id, alt=alt, title=title, focal_point=focal_point))
    return asset if wait is None else (yield from wait_until_ready(session, begun.id, wait))


def _put_or_send(session: Session, begun: PresignedUpload, file: Source, *, progress: Progress) -> Steps[Asset]:
    try:
        return (yield from put(session, begun, file, progress=progress))
    except StowboardError as failure:
        if not passes(failure):
            raise
    return (yield from send(session, begun, file, progress=progress))


def _name_of(source: Source) -> str:
    if not isinstance(source, str | PathLike):
        raise ValueError("bytes and open files need a filename")
    return Path(source).name
