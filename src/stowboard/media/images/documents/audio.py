"""Duration and waveform of audio.

The duration is that of the data, whatever the header claims; recordings of browsers have none in the header. So all
packets are read first, and then decoded: all of a short recording, and runs of half an hour in all of a long one. Only
decoders import this.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import av
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet as AnyPacket

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.libvips import Image, vips

Packet: TypeAlias = "AnyPacket[AudioStream]"

#: The number of bars of the waveform.
PEAKS = 96
_LOUDEST = 32768
_HEARD_S = 1800
#: Packets of a run, decoded one after the other; the first may be garbled.
_RUN = 50
_MOST_PACKETS = 20_000_000
_RATE = 8000
_DECODERS = (
    "aac,alac,flac,mp1,mp1float,mp2,mp2float,mp3,mp3float,opus,libopus,vorbis,speex,adpcm_ms,adpcm_ima_wav,pcm_alaw"
    ",pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,pcm_mulaw,pcm_s16be,pcm_s16le,pcm_s24be,pcm_s24le,pcm_s32be,pcm_s32le"
    ",pcm_s8,pcm_u8"
)
_UNREADABLE = (
    "The audio is damaged or in an unknown format, so its length and waveform cannot be shown. It can be downloaded as"
    " it is."
)
_SIDE = 960
_BAR, _GAP = 6, 4
_HIGHEST, _LOWEST = _SIDE // 2, 6
_COLOR = [74, 124, 178]


def read_audio(path: Path, demuxer: str) -> tuple[int, list[float]]:
    """The duration in milliseconds, and the peak of each part, 0 to 1. Raises InvalidMedia."""
    try:
        with _open(path, demuxer) as container:
            length = _length(container, _stream(container))
        if length <= 0:
            raise InvalidMedia(_UNREADABLE)
        with _open(path, demuxer) as container:
            peaks = _peaks(container, _stream(container), length)
    except (FFmpegError, ValueError) as error:
        raise InvalidMedia(_UNREADABLE) from error
    return max(1, round(length * 1000)), peaks


def _open(path: Path, demuxer: str) -> InputContainer:
    options = {"protocol_whitelist": "file", "format_whitelist": demuxer, "codec_whitelist": _DECODERS}
    return av.open(f"file:{path}", format=demuxer, options=options, metadata_errors="ignore")


def _stream(container: InputContainer) -> AudioStream:
    stream = next(iter(container.streams.audio), None)
    if stream is None or stream.codec_context.name not in _DECODERS.split(","):
        raise InvalidMedia(_UNREADABLE)
    stream.codec_context.thread_type = "NONE"
    return stream


def _length(container: InputContainer, stream: AudioStream) -> Fraction:
    first: int | None = None
    end = 0
    for packet in _packets(container, stream):
        if packet.pts is not None:
            first = packet.pts if first is None else first
            end = max(end, packet.pts + (packet.duration or 0))
    return (end - (first or 0)) * (stream.time_base or Fraction(0))


def _peaks(container: InputContainer, stream: AudioStream, length: Fraction) -> list[float]:
    resampler = AudioResampler(format="s16", layout="mono", rate=_RATE)
    peaks, heard_at_all = [0] * PEAKS, False
    per_peak, every = float(length) * _RATE / PEAKS, -(-length // _HEARD_S)
    start, unit = stream.start_time or 0, float(stream.time_base or 0) * _RATE
    for number, packet in enumerate(_packets(container, stream)):
        if packet.pts is None or (number // _RUN) % every:
            continue
        for at, peak in _loudness(resampler, packet, max(1, int(per_peak))):
            place = max(0, min(PEAKS - 1, int(((packet.pts - start) * unit + at) / per_peak)))
            peaks[place] = max(peaks[place], peak)
            heard_at_all = True
    if not heard_at_all:
        raise InvalidMedia(_UNREADABLE)
    return [peak / _LOUDEST for peak in peaks]


def _packets(container: InputContainer, stream: AudioStream) -> Iterator[Packet]:
    for number, packet in enumerate(container.demux(stream)):
        if number == _MOST_PACKETS:
            raise InvalidMedia(_UNREADABLE)
        if packet.size:
            yield packet


def _loudness(resampler: AudioResampler, packet: Packet, step: int) -> Iterator[tuple[int, int]]:
    """Positions and peaks of every `step` samples; damaged packets give none."""
    at = 0
    try:
        for frame in packet.decode():
            for plain in resampler.resample(frame):
                values = memoryview(plain.planes[0])[: plain.samples * 2].cast("h")
                for first in range(0, len(values), step):
                    part = values[first : first + step]
                    yield at + first, max(max(part), -min(part))
                at += len(values)
    except (FFmpegError, ValueError):
        return


def waveform(peaks: list[float]) -> Image:
    """The picture: a bar for each peak, as high as it is loud. The number of peaks must fill the side.

    It is square with the bars in its middle half, so that neither a thumbnail nor a strip twice as wide as high cuts
    a bar off. It is transparent around the bars, for light and for dark pages.
    """
    loudest = max(peaks) or 1.0
    heights = [max(_LOWEST, round(_HIGHEST * peak / loudest)) for peak in peaks]
    columns = [height if at < _BAR else 0 for height in heights for at in range(_BAR + _GAP)]
    from_middle = (vips.Image.xyz(len(columns), _SIDE)[1] - _SIDE / 2).abs()
    bars = from_middle * 2 < vips.Image.new_from_array([columns]).replicate(1, _SIDE)
    return bars.new_from_image(_COLOR).bandjoin(bars).copy(interpretation="srgb").copy_memory()
