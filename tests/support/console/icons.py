"""Makes the icons of the installed console out of its logo: `python -m support.console.icons` in `tests/`."""

from pathlib import Path

import pyvips

PUBLIC = Path(__file__).parents[3] / "console" / "public"


def main() -> None:
    logo = (PUBLIC / "icon.svg").read_text()
    # Systems cut their own shape out of a square one, whose bars lie within the safe zone.
    square = logo.replace(' rx="5"', "")
    # The sign in a phone's status line: its shape alone counts.
    bars = logo.replace('<rect width="24" height="24" rx="5" fill="#0b6e6e"/>', "")
    for name, drawing, size in (
        ("icon-192", logo, 192),
        ("icon-512", logo, 512),
        ("icon-maskable", square, 512),
        ("apple-touch-icon", square, 180),
        ("badge", bars, 96),
    ):
        image = pyvips.Image.svgload_buffer(drawing.encode(), scale=size / 24)
        image.write_to_file(str(PUBLIC / f"{name}.png"), palette=True)


if __name__ == "__main__":
    main()
