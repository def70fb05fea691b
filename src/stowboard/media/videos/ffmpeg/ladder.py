"""The renditions that a video gets, by what its file is.

They are named and sized by the short side, so that a portrait has the same ones as a landscape. None is larger than the
source; if the source ends between two of them, or below the first, its own size is the top. Sides are even, because
H.264 with half-size colour knows no others.
"""

from fractions import Fraction

import msgspec

from stowboard.media.videos.ffmpeg.clip import VideoClip

SHORT_SIDES = (240, 360, 480, 720, 1080, 1440, 2160)
#: The rendition without pictures.
AUDIO = "audio"
#: A rendition that is nearly as large as the top would cost time and space for nothing.
_NEAR = 0.9
#: Limits pictures that are extremely wide or high; more is beyond many decoders.
_LARGEST_SIDE = 4096
AUDIO_BITS = 128_000
_FASTEST, _SLOWEST = Fraction(60), Fraction(10)
_USUAL_RATES = (24, 25, 30, 50, 60)
#: Five megabits a second for 1080p at up to 30 pictures a second, half as much again beyond.
_BITS_1080P, PIXELS_1080P = 5_000_000, 1920 * 1080
#: Level of H.264, and the macroblocks of a picture and of a second that it allows (ITU-T H.264, table A-1).
_LEVELS = (
    (30, 1_620, 40_500), (31, 3_600, 108_000), (32, 5_120, 216_000), (40, 8_192, 245_760), (42, 8_704, 522_240),
    (50, 22_080, 589_824), (51, 36_864, 983_040), (52, 36_864, 2_073_600),
)  # fmt: skip


class RenditionPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One rendition. The one of the sound alone has sides of 0."""

    name: str
    width: int
    height: int
    #: Pictures a second, as ffmpeg writes it.
    rate: str
    #: Most bits a second of the pictures alone.
    video_bits: int
    #: Of H.264, times ten.
    level: int
    #: As in the master playlist (RFC 6381).
    codecs: str

    @property
    def has_pictures(self) -> bool:
        return self.name != AUDIO

    @property
    def bandwidth(self) -> int:
        """The most that it may need; the finished file tells exactly."""
        return self.video_bits + AUDIO_BITS

    @property
    def frame_rate(self) -> str | None:
        """The pictures a second, as the master playlist says them."""
        return f"{float(Fraction(self.rate)):.3f}" if self.has_pictures else None


_SOUND_ALONE = RenditionPlan(name=AUDIO, width=0, height=0, rate="0", video_bits=0, level=0, codecs="mp4a.40.2")


def plan_renditions(clip: VideoClip) -> list[RenditionPlan]:
    """All renditions of the video, in this order: the sound alone if there is sound, then the pictures."""
    return ([_SOUND_ALONE] if clip.audio_index is not None else []) + ladder(clip)


def ladder(clip: VideoClip) -> list[RenditionPlan]:
    """The renditions with pictures, smallest first; at least one."""
    top = min(min(clip.width, clip.height), SHORT_SIDES[-1])
    sides = [side for side in SHORT_SIDES if side <= top * _NEAR] + [top]
    rate = frame_rate(clip)
    sizes = {size: None for side in sides for size in [_scaled(clip, side)]}
    return [_plan_of(width, height, rate, with_sound=clip.audio_index is not None) for width, height in sizes]


def frame_rate(clip: VideoClip) -> Fraction:
    """The clip's rate if that is steady, else the usual one above its mean: stills that seldom change need no more."""
    rate = Fraction(*clip.rate)
    if not clip.steady and rate >= 1:
        rate = Fraction(next((usual for usual in _USUAL_RATES if usual >= rate * Fraction(49, 50)), _FASTEST))
    return min(max(rate, _SLOWEST), _FASTEST)


def _scaled(clip: VideoClip, short_side: int) -> tuple[int, int]:
    factor = min(
        Fraction(short_side, min(clip.width, clip.height)), Fraction(_LARGEST_SIDE, max(clip.width, clip.height))
    )
    return _even(clip.width * factor), _even(clip.height * factor)


def _even(side: Fraction) -> int:
    return max(2, int(side) // 2 * 2)


def _plan_of(width: int, height: int, rate: Fraction, *, with_sound: bool) -> RenditionPlan:
    level = _level(width, height, rate)
    return RenditionPlan(
        name=f"{min(width, height)}p",
        width=width,
        height=height,
        rate=str(rate),
        video_bits=_bits(width * height, rate),
        level=level,
        codecs=f"avc1.6400{level:02x}" + (",mp4a.40.2" if with_sound else ""),
    )


def _bits(pixels: int, rate: Fraction) -> int:
    """Larger pictures need fewer bits for each of their pixels."""
    bits = _BITS_1080P * (pixels / PIXELS_1080P) ** 0.75
    return max(100_000, int(bits * (1.5 if rate > 30 else 1.0)))


def _level(width: int, height: int, rate: Fraction) -> int:
    across, down = -(-width // 16), -(-height // 16)
    blocks = across * down
    for level, most_blocks, most_a_second in _LEVELS:
        if blocks <= most_blocks and blocks * rate <= most_a_second and max(across, down) ** 2 <= 8 * most_blocks:
            return level
    return _LEVELS[-1][0]
