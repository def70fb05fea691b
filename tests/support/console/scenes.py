"""Pictures worth looking at, drawn the same each time: a sky, hills and a sun, in the colours of a day."""

from typing import Any

import pyvips

vips: Any = pyvips

#: Name, colours of the sky from above to the horizon, of the hills and the sun, and the shape.
SCENES: list[tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, int]]] = [
    ("harbour-at-dawn.jpg", (38, 60, 110), (250, 176, 120), (52, 58, 88), (1280, 860)),
    ("north-ridge.jpg", (96, 150, 200), (226, 238, 244), (62, 96, 84), (1280, 860)),
    ("late-snow.jpg", (150, 178, 205), (240, 240, 246), (120, 138, 158), (900, 1200)),
    ("poppies.jpg", (120, 180, 226), (250, 226, 190), (180, 66, 48), (1280, 860)),
    ("night-walk.jpg", (12, 16, 40), (62, 54, 104), (18, 18, 34), (1280, 860)),
    ("desert-road.jpg", (70, 130, 190), (250, 214, 160), (196, 128, 72), (1280, 720)),
    ("lagoon.jpg", (24, 110, 150), (190, 240, 226), (22, 120, 110), (1280, 860)),
    ("first-frost.jpg", (180, 196, 214), (246, 236, 230), (92, 104, 112), (1000, 1000)),
    ("vineyard.jpg", (110, 160, 190), (248, 230, 170), (92, 120, 50), (1280, 860)),
    ("storm-front.jpg", (44, 50, 62), (150, 158, 166), (36, 46, 44), (1280, 860)),
    ("cliff-path.jpg", (90, 170, 220), (236, 244, 240), (140, 120, 90), (900, 1200)),
    ("old-mill.jpg", (200, 140, 110), (252, 220, 170), (88, 60, 60), (1280, 860)),
]


def draw(number: int, grain: int = 1) -> tuple[str, bytes]:
    """A name and the bytes of a JPEG. One takes half a second; with a `grain` of 4 it is as large, and soon drawn."""
    name, above, below, hills, (width, height) = SCENES[number % len(SCENES)]
    width, height = width // grain, height // grain
    ramp = vips.Image.xyz(width, height)[1] / height
    scene = (1 - ramp) * list(above) + ramp * list(below)
    sun = vips.Image.gaussmat(height / 14, 0.01)
    glow = vips.Image.black(width, height).insert(sun, width * (2 + number % 5) // 8, height // 3) / 255
    scene = scene + glow * 0.9 * [255, 240, 200]
    for layer in range(3):
        x = vips.Image.xyz(width, height)[0]
        wave = (x * (360 / width) * (1.3 + layer * 0.9) + number * 70 + layer * 130).sin() * (height * 0.06)
        wave += (x * (360 / width) * (4.1 + layer) + number * 40).cos() * (height * 0.018)
        mask = (vips.Image.xyz(width, height)[1] > wave + height * (0.56 + layer * 0.14)).gaussblur(1.2) / 255
        shade = 1.25 - layer * 0.3
        scene = mask * [min(255, part * shade) for part in hills] + (1 - mask) * scene
    noise = vips.Image.gaussnoise(width, height, sigma=2.2, mean=0, seed=number)
    picture = (scene + noise).cast("uchar").copy(interpretation="srgb").zoom(grain, grain)
    stem = name if number < len(SCENES) else name.replace(".jpg", f"-{number // len(SCENES) + 1}.jpg")
    return stem, bytes(picture.jpegsave_buffer(Q=82))
