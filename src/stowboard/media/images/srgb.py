"""Colours as screens without colour management show them: sRGB, for images that say they have another space."""

from stowboard.media.images.libvips import Image

#: In the profile that most cameras and editors embed. To convert it to itself would be half of the work on an image.
_SRGB = b"sRGB IEC61966-2.1"
_PROFILE = "icc-profile-data"
_OPAQUE_BANDS = {b"RGB ": 3, b"GRAY": 1}


def to_srgb(image: Image) -> Image:
    """For what `thumbnail` gives: eight bits, grey or red, green and blue, maybe with alpha.

    It has already dealt with CMYK and with sixteen bits, and has dropped profiles that are broken or do not fit; the
    profile of a CMYK image is still there.
    """
    if image.get_typeof(_PROFILE) == 0:
        return image
    profile = image.get(_PROFILE)
    fits = _OPAQUE_BANDS.get(profile[16:20]) == image.bands - (1 if image.hasalpha() else 0)
    return image.icc_transform("srgb", embedded=True, depth=8) if fits and _SRGB not in profile else image
