"""Give a video captions in a language, replace them, or remove them."""

import re
from collections.abc import Sequence

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import TooManyItems, ValidationFailed
from stowboard.core.wording import TEXT_END
from stowboard.db.database import Tx
from stowboard.media.base.errors import CaptionsNotFound
from stowboard.media.videos import video_store
from stowboard.media.videos.captions import caption_store
from stowboard.media.videos.captions.caption_store import Caption
from stowboard.media.videos.captions.vtt import RewrittenCaptions
from stowboard.media.videos.events import announce_change
from stowboard.media.videos.video import Video

#: A language, and after it a script, a region or a variant (BCP 47).
LANGUAGE = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}" + TEXT_END
_USUAL_CASE = {2: str.upper, 4: str.title}
_MOST_LANGUAGES = 50


async def put_captions(
    tx: Tx, access: Access, video_id: str, language: str, label: str | None, rewritten: RewrittenCaptions
) -> tuple[Caption, bool]:
    """Give the video these captions. Returns them, and True if there were none in this language before.

    Raises VideoNotFound, TooManyItems or ValidationFailed.
    """
    video, language = await video_store.lock(tx, access, video_id), _checked_language(language)
    there = await caption_store.of_video(tx, video.id)
    caption = Caption(
        video_id=video.id, language=language, label=_label(label, language, there), cues=rewritten.cues,
        updated_at=clock.now_ms(),
    )  # fmt: skip
    is_new = all(each.language != language for each in there)
    if is_new and len(there) >= _MOST_LANGUAGES:
        raise TooManyItems(f"language: a video has captions in at most {_MOST_LANGUAGES} languages.")
    await caption_store.put(tx, caption, rewritten.text)
    await _touch(tx, video)
    return caption, is_new


async def remove_captions(tx: Tx, access: Access, video_id: str, language: str) -> str:
    """Returns the language, as it was kept. Raises VideoNotFound, CaptionsNotFound or ValidationFailed."""
    video, language = await video_store.lock(tx, access, video_id), _checked_language(language)
    if not await caption_store.remove(tx, video.id, language):
        raise CaptionsNotFound
    await _touch(tx, video)
    return language


def _checked_language(text: str) -> str:
    """The language as it is usually written: `de`, `pt-BR`, `zh-Hant`. Raises ValidationFailed."""
    if not re.fullmatch(LANGUAGE, text):
        raise ValidationFailed("language: expected a tag such as en, pt-BR or zh-Hant.")
    first, *others = text.split("-")
    return "-".join([first.lower(), *(_USUAL_CASE.get(len(part), str.lower)(part) for part in others)])


def _label(wanted: str | None, language: str, there: Sequence[Caption]) -> str:
    """The name that players offer; no two captions of a video have the same."""
    kept = next((each.label for each in there if each.language == language), language)
    label = kept if wanted is None else wanted.strip()
    if any(each.label == label and each.language != language for each in there):
        raise ValidationFailed("label: the captions in another language are called so already.")
    return label


async def _touch(tx: Tx, video: Video) -> None:
    after = video.changed()
    await video_store.put(tx, video, after)
    await announce_change(tx, after, ["captions"])
