"""Assets and videos whose tags were stored before tags were composed get the tags that they would get today."""

import msgspec

from stowboard.core.tags import composed_tags
from stowboard.db.database import Tx
from stowboard.jobs.old_tags import composing
from stowboard.jobs.registry import AnyKind
from stowboard.media.assets import asset_store
from stowboard.media.assets.keep import keep_many
from stowboard.media.videos import video_store
from stowboard.media.videos.edit import edit_video
from stowboard.media.videos.wire import PatchVideoBody


async def _rewrite_assets(tx: Tx, asset_ids: list[str]) -> None:
    assets = await asset_store.find_and_lock_many(tx, asset_ids)
    await keep_many(tx, [(old, msgspec.structs.replace(old, tags=composed_tags(old.tags))) for old in assets])


async def _rewrite_videos(tx: Tx, video_ids: list[str]) -> None:
    for video_id in video_ids:
        video = await video_store.find(tx, video_id)
        if video is not None:
            await edit_video(tx, video_id, PatchVideoBody(tags=video.tags))


JOBS: list[AnyKind] = [
    composing("media.compose_asset_tags", "asset", _rewrite_assets),
    composing("media.compose_video_tags", "video", _rewrite_videos),
]
