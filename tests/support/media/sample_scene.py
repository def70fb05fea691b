"""Draws the scene that the documentation shows in each transform class, and writes docs/api/pictures again.

Run it when classes, crops or formats change: `python tests/support/media/sample_scene.py`. It gives the same pixels
each time.
"""

from pathlib import Path
from typing import Any

import pyvips

from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import TransformClasses
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.pipeline import derive_image
from stowboard.media.images.transforms.recipe import recipe_for

FOLDER = Path(__file__).parents[3] / "docs" / "api" / "pictures"
SHOWN = ["thumbnail", "small", "square", "og"]
WIDTH, HEIGHT, HORIZON = 1280, 852, 520
#: The boat.
FOCUS = FocalPoint(0.72, 0.62)

vips: Any = pyvips


def draw() -> Any:
    """A boat before hills, at sunset."""
    sky = blend((36, 52, 110), (250, 170, 110), HORIZON)
    water = blend((222, 140, 110), (18, 34, 74), HEIGHT - HORIZON)
    scene = sky.join(water, "vertical")
    scene = scene.draw_circle([255, 226, 160], 390, 400, 62, fill=True).gaussblur(2)
    scene = shape(scene, ridge(90, 5, 420), (84, 66, 110))
    scene = shape(scene, ridge(60, 11, 470), (48, 42, 84))
    scene = shape(scene, ripples(), (250, 190, 140), strength=0.35)
    scene = shape(scene, triangle(930, 300, 930, 520, 1040), (244, 238, 226))
    scene = shape(scene, triangle(918, 340, 918, 520, 840), (226, 92, 70))
    return shape(scene, hull(), (40, 26, 30)).cast("uchar").copy(interpretation="srgb").copy_memory()


def blend(above: tuple[int, ...], below: tuple[int, ...], height: int) -> Any:
    part = vips.Image.xyz(WIDTH, height)[1] / height
    return (part * [b - a for a, b in zip(above, below, strict=True)] + list(above)).cast("float")


def shape(scene: Any, mask: Any, color: tuple[int, ...], strength: float = 1.0) -> Any:
    edge = mask.gaussblur(0.8) / 255 * strength
    soft = edge.bandjoin([edge, edge])
    return scene * (soft * -1 + 1) + soft * list(color)


def ridge(size: int, seed: int, base: int) -> Any:
    """All below a line that wanders, down to the water."""
    line = vips.Image.perlin(WIDTH, 1, cell_size=220, seed=seed) * size + base
    y = vips.Image.xyz(WIDTH, HEIGHT)[1]
    return (y > line.resize(1, vscale=HEIGHT, kernel="nearest")) & (y < HORIZON)


def ripples() -> Any:
    waves = vips.Image.perlin(WIDTH, HEIGHT, cell_size=24, seed=3).resize(1, vscale=0.25).resize(1, vscale=4)
    x, y = vips.Image.xyz(WIDTH, HEIGHT).bandsplit()
    return (waves > 0.22) & (y > HORIZON) & ((x - 390).abs() < (y - HORIZON) * 0.5 + 30)


def triangle(x: int, top: int, left: int, bottom: int, right: int) -> Any:
    across, down = vips.Image.xyz(WIDTH, HEIGHT).bandsplit()
    part = (down - top) / (bottom - top)
    near, far = part * (left - x) + x, part * (right - x) + x
    inside = (across >= near) & (across <= far) if right > left else (across <= near) & (across >= far)
    return inside & (down >= top) & (down <= bottom)


def hull() -> Any:
    across, down = vips.Image.xyz(WIDTH, HEIGHT).bandsplit()
    slope = (down - 521) * 0.9
    return (down > 521) & (down < 572) & (across > slope + 810) & (across < slope * -1 + 1070)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    scene = draw()
    (FOLDER / "original.webp").write_bytes(scene.webpsave_buffer(Q=70, effort=6, keep="none"))
    source = scene.pngsave_buffer()
    for name in SHOWN:
        made = derive_image(source, recipe_for(TransformClasses().get(name), FOCUS), ImageFormat.WEBP)
        (FOLDER / f"{name}.webp").write_bytes(made.data)


if __name__ == "__main__":
    main()
