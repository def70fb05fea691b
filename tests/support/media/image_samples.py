"""A picture of 300 by 200 in a file of every extension that the service takes as an image."""

from collections.abc import Callable
from pathlib import Path

from support.media.heic import heic
from support.media.pictures import corners, saved


def heic_sample(folder: Path) -> bytes:
    return heic(corners(300, 200).write_to_memory(), 300, 200, folder)


def heif_sample(folder: Path) -> bytes:
    """The same picture from a program that names the container alone and not its codec."""
    return heic_sample(folder).replace(b"heic\0\0\0\0mif1heic", b"mif1\0\0\0\0mif1miaf", 1)


def saved_sample(suffix: str) -> Callable[[Path], bytes]:
    return lambda _: saved(corners(300, 200), suffix)


SAMPLES: dict[str, Callable[[Path], bytes]] = {
    "IMG_1.JPG": saved_sample(".jpg"),
    "a.jpeg": saved_sample(".jpg"),
    "a.jpe": saved_sample(".jpg"),
    "a.jfif": saved_sample(".jpg"),
    "a.png": saved_sample(".png"),
    "a.apng": saved_sample(".png"),
    "a.gif": saved_sample(".gif"),
    "a.webp": saved_sample(".webp"),
    "a.avif": saved_sample(".avif"),
    "a.avifs": saved_sample(".avif"),
    "IMG_1.HEIC": heic_sample,
    "a.heif": heif_sample,
    "a.tif": saved_sample(".tif"),
    "a.tiff": saved_sample(".tif"),
}
