"""A program that says what a video file is: `python probe.py PATH QUESTION`, one line of JSON.

It runs confined, in a process of its own, because the libraries that it uses read untrusted bytes in C. The question is
JSON too (`ProbeQuestion`); the answer has the members of `clip.VideoClip`, or is `{"refused": [reason, message]}`. A
header is believed only where the data bear it out: a frame must decode, and there must be data near the end of the time
that the file says it lasts.
"""

import json
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Discard, Disposition
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

#: How many packets may fail before the first frame, and how many are read at the end.
_FIRST_PACKETS, _LAST_PACKETS = 400, 20_000
#: How far behind its claim the end of the data may be: a second, or a twentieth.
_SLACK_S, _SLACK = Fraction(1), Fraction(1, 20)
_LONGEST_PACKET_S = Fraction(10)
#: A faster rate is probably a unit of time.
_FASTEST = 60
#: A rate is steady if its mean is this close to the rate that fits all time stamps.
_STEADY = Fraction(1, 200)
_MICROSECONDS = 1_000_000
#: H.264 that every browser plays: Baseline, Main and High, up to level 5.2.
_PLAYED_PROFILES, _HIGHEST_LEVEL = (66, 77, 100), 52
_PLAYED_FORMATS, _MOST_CHANNELS = ("yuv420p", "yuvj420p"), 2
#: Types of units of H.264: a picture that needs none before it, and the parameters of pictures.
_IDR, _PARAMETERS = 5, (7, 8)
#: Ways to code the light of high dynamic range: the number in ITU-T H.273, and ffmpeg's name.
_HDR = {16: "smpte2084", 18: "arib-std-b67"}


@dataclass(frozen=True)
class ProbeQuestion:
    demuxer: str
    #: Separated by commas.
    decoders: str
    least_side: int
    largest_side: int
    most_pixels: int
    longest_s: int
    #: The farthest that key frames may be apart in a video that is played as it is.
    longest_segment_s: int


class ProbeRefusal(Exception):
    def __init__(self, reason: str, message: str) -> None:
        self.answer = [reason, message]


def main(path: str, question: ProbeQuestion) -> None:
    try:
        answer = _answer(path, question)
    except ProbeRefusal as refused:
        answer = {"refused": refused.answer}
    print(json.dumps(answer))  # noqa: T201


def _answer(path: str, question: ProbeQuestion) -> dict[str, Any]:
    with _open(path, question) as container:
        answer = _examine(container, question)
        claimed = Fraction(container.duration or 0, _MICROSECONDS)
        _require_length(claimed, question)
        end = _end_near(container, claimed, question) if claimed else None
    if end is None or _falls_short(end, claimed):
        with _open(path, question) as container:
            end = _last(container, claimed, question, None)  # from the beginning: no decoding, but every byte
        if end is None:
            raise ProbeRefusal("malformed_video", "There are no data in the file that have a time.")
    if _falls_short(end, claimed):
        raise ProbeRefusal(
            "malformed_video", f"It says that it lasts {_time(claimed)}, but its data end after {_time(end)}."
        )
    _require_length(end, question)
    if answer["codecs"] is not None:
        with _open(path, question) as container:
            if not _has_sane_segments(container, answer["video_index"], end, question):
                answer["codecs"] = None
    return answer | {"duration_ms": max(1, round(end * 1000))}


def _open(path: str, question: ProbeQuestion) -> InputContainer:
    options = {
        "protocol_whitelist": "file",
        "format_whitelist": question.demuxer,
        "codec_whitelist": question.decoders,
    }
    try:
        return av.open(f"file:{path}", format=question.demuxer, options=options, metadata_errors="ignore")
    except FFmpegError as error:
        raise _malformed(error) from None


def _malformed(error: FFmpegError) -> Exception:
    if isinstance(error, MemoryError):
        return error
    return ProbeRefusal("malformed_video", "The file is damaged, or not whole.")


def _examine(container: InputContainer, question: ProbeQuestion) -> dict[str, Any]:
    video = _video_stream(container, question.decoders.split(","))
    _require_size(video.codec_context.width, video.codec_context.height, question)
    frame = _first_frame(container, video, question)
    width, height = _shown_size(video, frame)
    _require_size(width, height, question)
    if min(width, height) < question.least_side:
        raise ProbeRefusal(
            "malformed_video", f"Its pictures are {width} x {height}; at least {question.least_side} a side."
        )
    rate, steady = _rate(video)
    audio_index = _audio_index(container, question.decoders.split(","))
    return {
        "width": width,
        "height": height,
        "video_index": video.index,
        "audio_index": audio_index,
        "rate": [rate.numerator, rate.denominator],
        "steady": steady,
        "hdr": _HDR.get(frame.color_trc),
        "codecs": _played_codecs(container, video, frame, audio_index) if rate <= _FASTEST else None,
    }


def _played_codecs(container: InputContainer, video: VideoStream, frame: VideoFrame, audio: int | None) -> str | None:
    """The streams as a playlist names them (RFC 6381), if browsers play them as they are.

    None for pictures that have to be turned, or whose pixels are not square: that is not left to the player.
    """
    header = video.codec_context.extradata or b""
    sides: Any = frame.side_data
    if (
        video.codec_context.codec.name != "h264"
        or len(header) < 7
        or header[0] != 1
        or header[1] not in _PLAYED_PROFILES
        or header[3] > _HIGHEST_LEVEL
        or frame.format.name not in _PLAYED_FORMATS
        or frame.interlaced_frame
        or frame.color_trc in _HDR
        or any(each.type.name == "DISPLAYMATRIX" for each in sides.keys())  # noqa: SIM118 - no mapping
        or (video.sample_aspect_ratio or 1) != 1
    ):
        return None
    pictures = f"avc1.{header[1:4].hex()}"
    if audio is None:
        return pictures
    sound: Any = container.streams[audio].codec_context
    if (sound.name, sound.profile) != ("aac", "LC") or sound.layout.nb_channels > _MOST_CHANNELS or not sound.extradata:
        return None
    return f"{pictures},mp4a.40.2"


def _has_sane_segments(container: InputContainer, index: int, end: Fraction, question: ProbeQuestion) -> bool:
    """True if every key frame stands alone, with the parameters of the header, and the next one comes soon.

    False for a file that was cut: it begins with pictures that must not be shown, and its copy would show them.
    """
    for stream in container.streams:
        stream.discard = Discard.nonkey if stream.index == index else Discard.all
    header = container.streams[index].codec_context.extradata or b""
    start = before = Fraction(container.start_time or 0, _MICROSECONDS)
    try:
        for packet in container.demux(container.streams[index]):
            if packet.is_discard or (packet.pts is not None and packet.pts < 0):
                return False
            if packet.pts is None or not packet.is_keyframe:
                continue
            at = packet.pts * packet.time_base
            if not 0 <= at - before <= question.longest_segment_s or not _stands_alone(bytes(packet), header):
                return False
            before = at
    except MemoryError:
        raise
    except FFmpegError:
        return False
    return start + end - before <= question.longest_segment_s


def _stands_alone(picture: bytes, header: bytes) -> bool:
    alone, at, length = False, 0, (header[4] & 3) + 1
    while at + length < len(picture):
        begins = at + length
        at = begins + int.from_bytes(picture[at:begins])
        kind = picture[begins] & 31
        alone = alone or kind == _IDR
        if kind in _PARAMETERS and picture[begins:at] not in header:
            return False
    return alone


def _rate(video: VideoStream) -> tuple[Fraction, bool]:
    """The mean of the rate, and True if it is the rate throughout."""
    mean, fitting = video.average_rate, video.base_rate
    if mean:
        return mean, fitting is not None and abs(mean - fitting) <= fitting * _STEADY
    if fitting and fitting <= _FASTEST:
        return fitting, True
    return Fraction(30), False


def _video_stream(container: InputContainer, decoders: list[str]) -> VideoStream:
    """The first stream of moving pictures. A cover picture does not count."""
    streams = [each for each in container.streams.video if not each.disposition & Disposition.attached_pic]
    if not streams:
        raise ProbeRefusal("not_a_video", "There are no moving pictures in the file.")
    for stream in streams:
        if stream.codec_context is not None and stream.codec_context.codec.name in decoders:
            return stream
    raise ProbeRefusal(
        "unsupported_codec", "Its pictures are coded in a way that is not read here. Use H.264, for instance."
    )


def _audio_index(container: InputContainer, decoders: list[str]) -> int | None:
    """The first stream of sound that can be decoded. Other sound is left out: a silent video is better than none."""
    for stream in container.streams.audio:
        context = stream.codec_context
        if context is not None and context.codec.name in decoders and context.sample_rate > 0:
            return int(stream.index)
    return None


def _require_size(width: int, height: int, question: ProbeQuestion) -> None:
    side, pixels = question.largest_side, question.most_pixels
    if max(width, height) > side or width * height > pixels:
        raise ProbeRefusal(
            "video_too_large",
            f"Its pictures are {width} x {height}; at most {side} a side and {pixels} pixels are taken.",
        )


def _require_length(seconds: Fraction, question: ProbeQuestion) -> None:
    if seconds > question.longest_s:
        raise ProbeRefusal(
            "video_too_long", f"It lasts {_time(seconds)}, or says so; at most {_time(Fraction(question.longest_s))}."
        )


def _first_frame(container: InputContainer, video: VideoStream, question: ProbeQuestion) -> VideoFrame:
    video.codec_context.thread_count = 1
    video.codec_context.options = {"max_pixels": str(question.most_pixels)}
    try:
        for number, packet in enumerate(container.demux(video)):
            if number > _FIRST_PACKETS:
                break
            if (frame := _decoded(packet)) is not None:
                return frame
    except FFmpegError as error:
        raise _malformed(error) from None
    raise ProbeRefusal("malformed_video", "None of its first pictures can be decoded.")


def _decoded(packet: "Packet[VideoStream]") -> VideoFrame | None:
    try:
        return next((frame for frame in packet.decode() if isinstance(frame, VideoFrame)), None)
    except MemoryError:
        raise
    except FFmpegError:
        return None


def _shown_size(video: VideoStream, frame: VideoFrame) -> tuple[int, int]:
    """Width and height with square pixels, after the picture is turned as it is shown."""
    shape = video.sample_aspect_ratio or Fraction(1)
    width, height = round(frame.width * shape), frame.height
    return (height, width) if frame.rotation % 180 else (width, height)


def _end_near(container: InputContainer, claimed: Fraction, question: ProbeQuestion) -> Fraction | None:
    """Where the data end, read from a place shortly before the claimed end; None if the container cannot seek."""
    try:
        container.seek((container.start_time or 0) + int(claimed * _MICROSECONDS))
        return _last(container, claimed, question, _LAST_PACKETS)
    except FFmpegError:
        return None


def _last(container: InputContainer, claimed: Fraction, question: ProbeQuestion, most: int | None) -> Fraction | None:
    """The end of the latest packet, in seconds from the start."""
    start = Fraction(container.start_time or 0, _MICROSECONDS)
    end: Fraction | None = None
    try:
        for number, packet in enumerate(container.demux()):
            if (behind := _end_of(packet, start, claimed)) is not None:
                end = behind if end is None else max(end, behind)
            if number == most or (end is not None and end > question.longest_s):
                break
    except MemoryError:
        raise
    except FFmpegError:
        pass  # what was read until here counts
    return end


def _end_of(packet: Packet, start: Fraction, claimed: Fraction) -> Fraction | None:  # type: ignore[type-arg]
    at = packet.pts if packet.pts is not None else packet.dts
    if at is None or not packet.time_base:
        return None
    begins, lasts = at * packet.time_base - start, (packet.duration or 0) * packet.time_base
    # Some demuxers give packets absurd lengths: these are believed up to the claimed end, or for a while.
    return begins + min(lasts, max(claimed - begins, Fraction(0)) if claimed else _LONGEST_PACKET_S)


def _falls_short(end: Fraction, claimed: Fraction) -> bool:
    return end < claimed - max(_SLACK_S, claimed * _SLACK)


def _time(seconds: Fraction) -> str:
    return f"{float(seconds):.0f} s" if seconds < 7200 else f"{float(seconds) / 3600:.1f} h"


if __name__ == "__main__":
    main(sys.argv[1], ProbeQuestion(**json.loads(sys.argv[2])))
