"""Tools that find assets and videos, and show them."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta

from stowboard.agents.asked import AgentOperations
from stowboard.agents.boards import space_named
from stowboard.agents.pictures import Pictures
from stowboard.agents.protocol.tool import Arguments, ResourceLink, TextContent, Tool, ToolResult
from stowboard.agents.shown_media import media_facts, media_line
from stowboard.agents.tools.arguments import MEDIA_READ, Limit, Spaces
from stowboard.agents.words import cleaned, list_result, marked, noted, one_line, write_time
from stowboard.media.assets.routes import get_asset, list_assets
from stowboard.media.assets.wire import AssetView
from stowboard.media.base.asset import AssetKind
from stowboard.media.delivery.link_routes import SignedUrl, sign_asset_url
from stowboard.media.videos.routes import create_video_signed_url, get_video, list_videos
from stowboard.media.videos.wire import SignedUrlView, VideoView

VIDEO = "vid_"


class FindMedia(Arguments, frozen=True):
    query: Annotated[str, Meta(description="Words in name, title, alt or tags")] | None = None
    kind: Annotated[Literal["image", "file", "video"], Meta(description="Default: images and files")] | None = None
    tags: list[str] | None = None
    space: Spaces | None = None
    limit: Limit = 20
    cursor: str | None = None


class ViewMedia(Arguments, frozen=True):
    id: str
    size: Annotated[Literal["none", "thumbnail", "small", "medium", "large"], Meta(description="Of the image")] = (
        "medium"
    )


async def find_media(asking: AgentOperations, wanted: FindMedia) -> ToolResult:
    query: dict[str, Any] = {
        "q": wanted.query or None,
        "tags": ",".join(wanted.tags) if wanted.tags else None,
        "spaceId": await space_named(asking, wanted.space),
        "limit": wanted.limit,
        "cursor": wanted.cursor or None,
    }
    if wanted.kind == "video":
        videos = await asking.perform(list[VideoView], list_videos, query=query)
        return _media_result(videos.data, videos.meta.next_cursor)
    query["kind"] = wanted.kind
    assets = await asking.perform(list[AssetView], list_assets, query=query)
    return _media_result(assets.data, assets.meta.next_cursor)


def _media_result(items: Sequence[AssetView | VideoView], cursor: str | None) -> ToolResult:
    return list_result(
        "file", "media", [media_line(item) for item in items], [media_facts(item) for item in items], cursor
    )


async def view_media(asking: AgentOperations, wanted: ViewMedia) -> ToolResult:
    if wanted.id.startswith(VIDEO):
        return await _view_video(asking, wanted.id)
    asset = (await asking.perform(AssetView, get_asset, wanted.id)).data
    facts = media_facts(asset)
    content: list[Any] = [TextContent(marked(media_line(asset)))]
    if asset.url is None:
        return ToolResult(content, noted({"media": facts}))
    # A caller that may not have the link may not have the bytes.
    link = (await asking.perform(SignedUrl, sign_asset_url, asset.id, body={})).data
    content += await _bytes_of(asking, asset, wanted.size)
    content.append(_link(link.url, asset.filename, asset.mime_type, link.expires_at, asset.size))
    facts |= {"url": link.url, "urlExpires": write_time(link.expires_at)}
    return ToolResult(content, noted({"media": facts}))


async def _bytes_of(asking: AgentOperations, asset: AssetView, size: str) -> list[Any]:
    if size == "none":
        return []
    pictures = Pictures(asking.operations.services)
    if asset.kind is AssetKind.IMAGE:
        image = await pictures.find_image(asset.id, size)
        return [image] if image is not None else []
    text = await pictures.find_text(asset.id)
    return [TextContent(marked(text))] if text is not None else []


async def _view_video(asking: AgentOperations, video_id: str) -> ToolResult:
    video = (await asking.perform(VideoView, get_video, video_id)).data
    signed = await asking.perform(SignedUrlView, create_video_signed_url, video.provider_video_id, body={})
    facts = media_facts(video) | {"url": signed.data.url, "urlExpires": write_time(signed.data.expires_at)}
    if signed.data.poster_url is not None:
        facts["posterUrl"] = signed.data.poster_url
    link = _link(signed.data.url, video.title, video.mime_type or "video/mp4", signed.data.expires_at, video.size)
    return ToolResult([TextContent(marked(media_line(video))), link], noted({"media": facts}))


def _link(url: str, name: str, mime_type: str, expires_at: int, size: int | None) -> ResourceLink:
    described = f"Works without a token until {write_time(expires_at)}."
    return ResourceLink(
        uri=url, name=one_line(name), mime_type=cleaned(mime_type), description=described,
        size=UNSET if size is None else size,
    )  # fmt: skip


TOOLS = [
    Tool(
        "find_media", "Find files", "Find images, files or videos by words and tags, newest first.",
        FindMedia, find_media, MEDIA_READ, reads=True,
    ),
    Tool(
        "view_media", "Look at a file", "Look at a file: facts, the picture or short text, and a link to the bytes.",
        ViewMedia, view_media, MEDIA_READ, reads=True,
    ),
]  # fmt: skip
