"""Captions of videos over HTTP."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.api.endpoint import Answer, Call, Deleted, Endpoint
from stowboard.core.errors import InTrash, TooManyItems
from stowboard.core.plain_text import SPACES
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.db.database import Tx
from stowboard.media.base.errors import InvalidMedia
from stowboard.media.videos import video_store
from stowboard.media.videos.captions import caption_store, edit
from stowboard.media.videos.captions.caption_store import Caption
from stowboard.media.videos.captions.edit import LANGUAGE
from stowboard.media.videos.captions.vtt import NoCaptions, RewrittenCaptions, rewrite

_LONGEST_TEXT = 1 << 20
#: A character may take six in JSON.
_MAX_BODY = 6 * _LONGEST_TEXT + 4096


#: Without quotes: in a playlist the label stands in quotes.
_LABEL = rf'^(?=.*[^{SPACES}])[^"\x00-\x1f\x7f-\x9f\u2028\u2029]+{TEXT_END}'
Label = Annotated[
    str,
    Meta(
        pattern=_LABEL, min_length=1, max_length=100,
        description="What players show; the language tag if nothing is said.",
        extra={EXPECTED: "1 to 100 characters without quotes and line ends"},
    ),
]  # fmt: skip


class PutCaptionsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Captions in one language."""

    language: Annotated[
        str, Meta(pattern=LANGUAGE, max_length=35, extra={EXPECTED: "a language tag such as en, pt-BR or zh-Hant"})
    ]
    text: Annotated[
        str, Meta(min_length=1, max_length=_LONGEST_TEXT, description="The content of a WebVTT or SRT file.")
    ]
    label: Label | None = None


class CaptionsView(msgspec.Struct, frozen=True, rename="camel"):
    """A video's captions in one language. `cues` is how many there are."""

    language: str
    label: str
    cues: int
    updated_at: int


async def list_video_captions(tx: Tx, call: Call[None, None], video_id: str) -> list[CaptionsView]:
    """List the languages in which a video has captions."""
    video = await video_store.get(tx, call.access, video_id)
    return [_view(caption) for caption in await caption_store.of_video(tx, video.id)]


async def put_video_captions(
    tx: Tx, call: Call[PutCaptionsBody, None], video_id: str, rewritten: RewrittenCaptions
) -> Answer:
    """Give a video captions, in place of those that it has in this language.

    WebVTT and SRT are taken, in any state of the video. They are in the playlist at once. The text is rewritten without
    styles and notes; of the tags, only those for bold, italic, underlined and voices stay.
    """
    body = call.body
    caption, is_new = await edit.put_captions(tx, call.access, video_id, body.language, body.label, rewritten)
    return Answer(_view(caption), status=201 if is_new else 200)


async def delete_video_captions(tx: Tx, call: Call[None, None], video_id: str, language: str) -> Deleted:
    """Take a video's captions in one language away."""
    return Deleted(await edit.remove_captions(tx, call.access, video_id, language))


async def _read(call: Call[PutCaptionsBody, None], video_id: str) -> RewrittenCaptions:  # noqa: ARG001
    try:
        return await asyncio.to_thread(rewrite, call.body.text)
    except NoCaptions as reason:
        raise InvalidMedia(f"text: this is neither WebVTT nor SRT: {reason}.") from None


def _view(caption: Caption) -> CaptionsView:
    return CaptionsView(caption.language, caption.label, caption.cues, caption.updated_at)


_EXAMPLE = {"language": "en", "label": "English", "cues": 212, "updatedAt": 1794700090000}
_PATH = "/media/videos/{video_id}/captions"

ENDPOINTS = [
    Endpoint("GET", _PATH, list_video_captions, list[CaptionsView], scope="media:read", example=[_EXAMPLE]),
    Endpoint(
        "POST", _PATH, put_video_captions, CaptionsView, scope="media:write", body=PutCaptionsBody, status=201,
        also={200: "There were captions in this language; these are in their place."}, prepare=_read,
        max_body=_MAX_BODY, errors=[InTrash, InvalidMedia, TooManyItems], example=_EXAMPLE,
        example_body={
            "language": "en", "label": "English", "text": "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nGood morning.\n",
        },
    ),
    Endpoint(
        "DELETE", _PATH + "/{language}", delete_video_captions, Deleted, scope="media:delete",
        errors=[InTrash], example={"id": "en", "deleted": True},
    ),
]  # fmt: skip
