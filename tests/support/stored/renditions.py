"""Steps of a ladder as a provider writes them, for videos that nothing is processing."""

from stowboard_client import Video
from support.servers.stowboard import Server
from support.stored.rows import rows


def add_rendition(server: Server, video: Video, name: str, progress: int = 0, playlist: str | None = None) -> None:
    height = int(name.removesuffix("p"))
    text = f"'{playlist}'" if playlist is not None else "NULL"
    rows(
        server,
        "INSERT INTO video_rendition (video_id, name, width, height, bandwidth, codecs, progress, playlist) VALUES"
        f" ('{video.id}', '{name}', {height * 16 // 9}, {height}, {height * 1000}, 'avc1.64001e', {progress}, {text})",
    )
