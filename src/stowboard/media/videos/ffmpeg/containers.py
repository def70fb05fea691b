"""The containers that videos come in: the first bytes that tell them, and their names in ffmpeg.

ffmpeg guesses formats generously: a text that names other files or addresses (a playlist, a concat script) is a video
to it. So it never guesses here. A file that begins like none of these containers is refused before ffmpeg sees it; any
other is read by the one demuxer that its signature names, and decoded only by decoders of this list.
"""

from collections.abc import Callable

import msgspec

#: How much of a file `find_container` wants to see.
HEAD_BYTES = 1024
ACCEPTED = "MP4, MOV, WebM, Matroska, AVI, MPEG-TS, MPEG-PS, FLV and Ogg"

_PICTURES = (
    "h264,hevc,vp8,vp9,libdav1d,av1,mpeg1video,mpeg2video,mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4,h263,h263p,flv"
    ",mjpeg,prores,dnxhd,theora,wmv1,wmv2,wmv3,vc1,ffv1,huffyuv,ffvhuff,utvideo,rawvideo,dvvideo,cinepak,svq1"
    ",svq3,qtrle,vp6,vp6f,vp6a,cfhd"
)
_SOUND = (
    "aac,aac_latm,mp3,mp3float,mp2,mp2float,mp1,mp1float,ac3,eac3,opus,libopus,vorbis,flac,alac,dca,truehd"
    ",wmav1,wmav2,amrnb,amrwb,speex,nellymoser,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,adpcm_swf,pcm_u8,pcm_s8"
    ",pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw"
    ",pcm_mulaw,pcm_bluray,pcm_dvd"
)
#: For `-codec_whitelist`.
DECODERS = f"{_PICTURES},{_SOUND}"

_TS_PACKET, _M2TS_PACKET, _TS_SYNC = 188, 192, 0x47
_STILL_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis")
_QUICKTIME_ATOMS = (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")


class VideoContainer(msgspec.Struct, frozen=True):
    mime_type: str
    #: The name for `-f`.
    demuxer: str


def find_container(head: bytes) -> VideoContainer | None:
    """None if these are not the first bytes of a video that we take."""
    return next((container for matches, container in _CONTAINERS if matches(head)), None)


def _is_mp4(head: bytes) -> bool:
    return head[4:8] == b"ftyp" and head[8:12] not in (*_STILL_BRANDS, b"qt  ")


def _is_quicktime(head: bytes) -> bool:
    return head[4:12] == b"ftypqt  " or head[4:8] in _QUICKTIME_ATOMS


def _is_webm(head: bytes) -> bool:
    return _is_matroska(head) and b"webm" in head[:64]


def _is_matroska(head: bytes) -> bool:
    return head.startswith(b"\x1aE\xdf\xa3")


def _is_mpeg_ts(head: bytes) -> bool:
    return _has_sync(head, 0, _TS_PACKET) or _has_sync(head, _M2TS_PACKET - _TS_PACKET, _M2TS_PACKET)


def _has_sync(head: bytes, start: int, step: int) -> bool:
    places = range(start, len(head), step)
    return len(places) >= 3 and all(head[place] == _TS_SYNC for place in places)


_CONTAINERS: list[tuple[Callable[[bytes], bool], VideoContainer]] = [
    (_is_mp4, VideoContainer("video/mp4", "mov")),
    (_is_quicktime, VideoContainer("video/quicktime", "mov")),
    (_is_webm, VideoContainer("video/webm", "matroska")),
    (_is_matroska, VideoContainer("video/x-matroska", "matroska")),
    (lambda head: head[:4] == b"RIFF" and head[8:12] == b"AVI ", VideoContainer("video/x-msvideo", "avi")),
    (_is_mpeg_ts, VideoContainer("video/mp2t", "mpegts")),
    (lambda head: head.startswith(b"\x00\x00\x01\xba"), VideoContainer("video/mpeg", "mpeg")),
    (lambda head: head.startswith(b"FLV\x01"), VideoContainer("video/x-flv", "flv")),
    (lambda head: head.startswith(b"OggS"), VideoContainer("video/ogg", "ogg")),
]
