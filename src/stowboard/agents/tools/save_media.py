"""Tools that add assets, and change their title, alt text and tags."""

import base64
from typing import Annotated, Any

from msgspec import Meta

from stowboard.agents.asked import AgentOperations
from stowboard.agents.boards import space_named
from stowboard.agents.protocol.tool import Arguments, TextContent, Tool, ToolResult
from stowboard.agents.shown_media import media_facts, media_line
from stowboard.agents.tools.arguments import MEDIA_WRITE, Key, Space, given
from stowboard.agents.words import marked, noted, write_time
from stowboard.core.errors import ValidationFailed
from stowboard.media.assets.bulk import MAX_IDS
from stowboard.media.assets.routes import update_asset
from stowboard.media.assets.upload_routes import PresignedUpload, presign_upload, upload_file, upload_image
from stowboard.media.assets.wire import AssetView
from stowboard.media.base import sniff
from stowboard.media.base.image_types import IMAGE_TYPES
from stowboard.media.batch_routes import (
    BatchRestoreView,
    BatchTagsView,
    BatchTrashView,
    batch_restore_assets,
    batch_tag_assets,
    batch_trash_assets,
)

#: The longest text of a file in a message: 256 KiB as base64.
_LONGEST_DATA = 4 * 256 * 1024 // 3 + 4


class AddMedia(Arguments, frozen=True):
    filename: str
    text: Annotated[str, Meta(max_length=256 * 1024, description="The content of a text file")] | None = None
    data: Annotated[str, Meta(max_length=_LONGEST_DATA, description="Base64, at most 256 KiB")] | None = None
    size: Annotated[int, Meta(ge=1, description="Bytes; instead of content, for an upload address")] | None = None
    tags: list[str] | None = None
    space: Space | None = None
    title: str | None = None
    alt: Annotated[str, Meta(description="What an image shows")] | None = None
    protected: bool = False
    key: Key | None = None


class EditMedia(Arguments, frozen=True):
    ids: Annotated[list[str], Meta(min_length=1, max_length=MAX_IDS)]
    add_tags: list[str] | None = None
    remove_tags: list[str] | None = None
    title: Annotated[str, Meta(description="Of one")] | None = None
    alt: Annotated[str, Meta(description="Of one")] | None = None
    trash: Annotated[bool, Meta(description="Put into the trash; false restores. Videos too")] | None = None


async def add_media(asking: AgentOperations, wanted: AddMedia) -> ToolResult:
    ways = [way for way in (wanted.text, wanted.data, wanted.size) if way is not None]
    if len(ways) != 1:
        raise ValidationFailed("Give one of text, data (base64) and size; with size you get an address to upload to.")
    said: dict[str, Any] = {
        "filename": wanted.filename, "tags": wanted.tags, "visibility": "protected" if wanted.protected else None,
        "spaceId": await space_named(asking, wanted.space),
    }  # fmt: skip
    if wanted.size is not None:
        return await _announce(asking, wanted, given(said | {"size": wanted.size}))
    data = base64.b64encode(wanted.text.encode()).decode() if wanted.text is not None else wanted.data
    run = upload_image if sniff.mime_type(b"", None, wanted.filename) in IMAGE_TYPES else upload_file
    body = given(said | {"data": data, "title": wanted.title, "alt": wanted.alt})
    asset = (await asking.perform(AssetView, run, body=body, key=wanted.key)).data
    return ToolResult([TextContent(f"Added.\n{marked(media_line(asset))}")], noted({"media": media_facts(asset)}))


async def _announce(asking: AgentOperations, wanted: AddMedia, body: dict[str, Any]) -> ToolResult:
    if wanted.title or wanted.alt:
        raise ValidationFailed("title and alt: set them by edit_media, once the file is there.")
    told = (await asking.perform(PresignedUpload, presign_upload, body=body, key=wanted.key)).data
    kind = told.headers["Content-Type"]
    command = f"curl -T FILE -H 'Content-Type: {kind}' '{told.upload_url}'"
    text = f"{told.id} waits for its bytes, until {write_time(told.expires_at)}. Send them once, without a token:\n"
    facts = {
        "id": told.id, "uploadUrl": told.upload_url, "method": told.method, "headers": told.headers,
        "tusUploadUrl": told.tus_upload_url, "expires": write_time(told.expires_at), "command": command,
    }  # fmt: skip
    return ToolResult([TextContent(text + command)], {"upload": facts})


async def edit_media(asking: AgentOperations, wanted: EditMedia) -> ToolResult:
    words = given({"title": wanted.title, "alt": wanted.alt})
    if words and len(wanted.ids) > 1:
        raise ValidationFailed("title and alt are of one file; give one id.")
    tags = [("add", wanted.add_tags), ("remove", wanted.remove_tags)]
    if not words and wanted.trash is None and not any(given_tags for _, given_tags in tags):
        raise ValidationFailed("Give addTags, removeTags, title, alt or trash.")
    ids, missing = {"ids": wanted.ids}, list[str]()
    if wanted.trash is False:
        missing = (await asking.perform(BatchRestoreView, batch_restore_assets, body=ids)).data.missing
    for action, names in tags:
        if names:
            body = {"action": action, "tags": names, **ids}
            missing = (await asking.perform(BatchTagsView, batch_tag_assets, body=body)).data.missing
    if words:
        await asking.perform(AssetView, update_asset, wanted.ids[0], body=words)
    if wanted.trash:
        missing = (await asking.perform(BatchTrashView, batch_trash_assets, body=ids)).data.missing
    changed = len(set(wanted.ids)) - len(missing)
    text = f"Changed {changed}." + (f" Not found: {', '.join(missing)}." if missing else "")
    return ToolResult([TextContent(text)], {"changed": changed, "missing": missing})


TOOLS = [
    Tool(
        "add_media", "Add a file", "Add a file: small content in the call, or get an address for one upload.",
        AddMedia, add_media, MEDIA_WRITE,
    ),
    Tool(
        "edit_media", "Tag and describe files",
        "Add or remove tags of images and files; set title and alt of one; put into the trash or restore.",
        EditMedia, edit_media, MEDIA_WRITE, repeatable=True,
    ),
]  # fmt: skip
