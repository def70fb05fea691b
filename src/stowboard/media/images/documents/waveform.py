"""The picture of a sound: a bar for each of its parts, as high as that is loud.

It is square and the bars are in its middle half, so that a thumbnail shows all of it, and a strip that is twice as wide
as high cuts nothing off. Around the bars it is transparent, for light and for dark pages.
"""

from stowboard.media.images.libvips import Image, vips

_SIDE = 960
_BAR, _GAP = 6, 4
_HIGHEST, _LOWEST = _SIDE // 2, 6
_COLOR = [74, 124, 178]


def waveform(peaks: list[float]) -> Image:
    """Of as many peaks as make the side full."""
    loudest = max(peaks) or 1.0
    heights = [max(_LOWEST, round(_HIGHEST * peak / loudest)) for peak in peaks]
    columns = [height if at < _BAR else 0 for height in heights for at in range(_BAR + _GAP)]
    from_middle = (vips.Image.xyz(len(columns), _SIDE)[1] - _SIDE / 2).abs()
    bars = from_middle * 2 < vips.Image.new_from_array([columns]).replicate(1, _SIDE)
    return bars.new_from_image(_COLOR).bandjoin(bars).copy(interpretation="srgb").copy_memory()
