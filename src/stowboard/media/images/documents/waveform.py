"""The picture of audio: a bar for each part, as high as the part is loud.

It is square with the bars in its middle half, so that neither a thumbnail nor a strip twice as wide as high cuts one
off. It is transparent around the bars, for light and for dark pages.
"""

from stowboard.media.images.libvips import Image, vips

_SIDE = 960
_BAR, _GAP = 6, 4
_HIGHEST, _LOWEST = _SIDE // 2, 6
_COLOR = [74, 124, 178]


def waveform(peaks: list[float]) -> Image:
    """The picture; the number of peaks must fill the side."""
    loudest = max(peaks) or 1.0
    heights = [max(_LOWEST, round(_HIGHEST * peak / loudest)) for peak in peaks]
    columns = [height if at < _BAR else 0 for height in heights for at in range(_BAR + _GAP)]
    from_middle = (vips.Image.xyz(len(columns), _SIDE)[1] - _SIDE / 2).abs()
    bars = from_middle * 2 < vips.Image.new_from_array([columns]).replicate(1, _SIDE)
    return bars.new_from_image(_COLOR).bandjoin(bars).copy(interpretation="srgb").copy_memory()
