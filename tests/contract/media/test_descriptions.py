"""PDFs and audio are described, in a child process: good ones, and ones that were made to hurt."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.decoding.child import DecoderProcess
from stowboard.media.images.decoding.messages import DecoderAnswer, DecoderQuestion, DescriptionQuestion
from stowboard.media.images.decoding.pool import DecoderLimits
from stowboard.media.images.works import ImageWorks
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from support.media.decoders import held_decoders
from support.media.documents import LOCK, pdf, pdf_of_forms, wav
from support.media.pictures import is_near, opened, pixel
from support.processes.confined import is_alive

PDF = "application/pdf"


@pytest.fixture(scope="module")
def works() -> Iterator[ImageWorks]:
    """One for all: to start a decoder takes longer than a test."""
    works = ImageWorks(1)
    yield works
    asyncio.run(works.close())


async def test_a_pdf_has_pages_and_a_picture_of_the_first(works: ImageWorks) -> None:
    found = await works.describe(pdf(3), PDF)
    assert (found.pages, found.duration_ms) == (3, None)
    assert found.picture is not None
    assert (found.picture.width, found.picture.height) == (1131, 1600)
    for x, y, color in ((0.1, 0.9, (255, 0, 0)), (0.9, 0.1, (0, 0, 255)), (0.1, 0.1, (255, 255, 255))):
        assert is_near(pixel(found.picture.data, x, y), color)
    assert found.placeholder.dominant_color == "#ffffff"


@pytest.mark.parametrize(
    ("data", "pages", "size"),
    [
        (pdf(100_000), 100_000, (1131, 1600)),
        (pdf(size=(100_000_000, 100_000_000)), 1, (1600, 1600)),
        (pdf(size=(1, 100_000)), 1, (1, 1600)),
        (pdf(size=(10, 20)), 1, (20, 40)),
        (pdf(2).replace(b"startxref\n", b"startxref\n9"), 2, (1131, 1600)),
        (pdf(content=b"q " * 200_000 + b"0 0 m " * 200_000), 1, (1131, 1600)),
        (pdf(content=b"nonsense [ ( << "), 1, (1131, 1600)),
    ],
    ids=["100,000 pages", "huge page", "thin page", "tiny page", "xref elsewhere", "deep content", "broken content"],
)
async def test_an_odd_pdf_is_shown_within_limits(
    works: ImageWorks, data: bytes, pages: int, size: tuple[int, int]
) -> None:
    found = await works.describe(data, PDF)
    assert found.picture is not None
    assert (found.pages, found.picture.width, found.picture.height) == (pages, *size)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pdf(trailer=LOCK), "password"),
        (pdf(0), "damaged"),
        (pdf()[:180], "damaged"),
        (pdf().replace(b"xref", b"ferx").replace(b"trailer", b"retrail"), "damaged"),
        (b"%PDF-1.7\n" + bytes(100_000), "damaged"),
        (b"PK\x03\x04" + bytes(1000), "damaged"),
        (b"", "damaged"),
    ],
    ids=["encrypted", "no pages", "half", "no xref", "zeros", "zip", "nothing"],
)
async def test_a_pdf_that_cannot_be_shown_says_why(works: ImageWorks, data: bytes, reason: str) -> None:
    with pytest.raises(InvalidMedia, match=reason) as refused:
        await works.describe(data, PDF)
    assert "downloaded" in refused.value.message
    assert (await works.describe(pdf(), PDF)).pages == 1


async def test_a_pdf_that_grows_is_given_up() -> None:
    bomb = pdf(content=b"% nothing at all\n" * 12_000_000)
    assert len(bomb) < 1_000_000
    works = ImageWorks(1, DecoderLimits(memory=400 << 20))
    try:
        assert (await works.describe(pdf(), PDF)).pages == 1
        with pytest.raises(InvalidMedia, match="needed more memory"):
            await works.describe(bomb, PDF)
    finally:
        await works.close()


async def test_a_page_that_draws_for_ever_is_given_up_once(works: ImageWorks, monkeypatch: pytest.MonkeyPatch) -> None:
    questions: list[DecoderQuestion] = []
    ask = DecoderProcess.ask

    def counted(self: DecoderProcess, question: DecoderQuestion, descriptor: int, wall_s: float) -> DecoderAnswer:
        questions.append(question)
        return ask(self, question, descriptor, wall_s)

    monkeypatch.setattr(DecoderProcess, "ask", counted)
    with pytest.raises(InvalidMedia, match=r"more memory|takes longer"):
        await works.describe(pdf_of_forms(), PDF)
    assert questions == [DescriptionQuestion(10, PDF, 512 << 20)], "what ran out is not tried again"
    assert (await works.describe(pdf(), PDF)).pages == 1


async def test_a_decoder_that_hangs_on_a_pdf_is_killed_and_the_next_is_shown(works: ImageWorks) -> None:
    assert (await works.describe(pdf(), PDF)).pages == 1
    [held] = held_decoders(works)
    before = works._decoders._limits
    works._decoders._limits = DecoderLimits(wall_s=0.2)
    with pytest.raises(InvalidMedia, match="takes longer than it may"):
        await works.describe(pdf(), PDF)
    works._decoders._limits = before
    assert not is_alive(held)
    assert (await works.describe(pdf(), PDF)).pages == 1


async def test_a_sound_has_a_length_and_a_waveform(works: ImageWorks) -> None:
    """Which begins low and ends high."""
    found = await works.describe(wav(2.5), "audio/wav")
    assert (found.pages, found.duration_ms) == (None, 2500)
    assert found.picture is not None
    picture = opened(found.picture.data)
    assert picture.width == picture.height
    highs = [_height(picture, part) for part in (0.02, 0.25, 0.5, 0.75, 0.98)]
    assert highs == sorted(highs)
    assert highs[0] < 0.05
    assert 0.4 < highs[-1] <= 0.5


async def test_silence_and_very_short_sounds_have_a_waveform(works: ImageWorks) -> None:
    assert (await works.describe(wav(1, rising=False), "audio/wav")).duration_ms == 1000
    assert (await works.describe(wav(0.01), "audio/wav")).duration_ms == 10


FORMATS = {
    "audio/mpeg": ("a.mp3", []),
    "audio/flac": ("a.flac", []),
    "audio/ogg": ("a.ogg", ["-c:a", "libopus"]),
    "audio/mp4": ("a.m4a", []),
    "audio/aac": ("a.aac", []),
    # As browsers record: no length in the header.
    "audio/webm": ("a.webm", ["-c:a", "libopus", "-live", "1"]),
}


@pytest.mark.parametrize("mime_type", FORMATS)
async def test_sounds_of_every_kind_are_heard(works: ImageWorks, tmp_path: Path, mime_type: str) -> None:
    name, codec = FORMATS[mime_type]
    (tmp_path / "a.wav").write_bytes(wav(2, 48000))
    command = [get_ffmpeg(None), "-v", "error", "-i", str(tmp_path / "a.wav"), *codec, str(tmp_path / name)]
    subprocess.run(command, check=True, timeout=120)
    found = await works.describe(tmp_path / name, mime_type)
    assert found.duration_ms is not None
    assert 1950 < found.duration_ms < 2150


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [
        (b"RIFF\xff\xff\xff\xffWAVE" + b"\xff" * 3000, "audio/wav"),
        (wav(1)[:44], "audio/wav"),
        (b"ID3\x04\0\0\x7f\x7f\x7f\x7f" + bytes(5000), "audio/mpeg"),
        (b"fLaC" + b"\xff" * 5000, "audio/flac"),
        (b"OggS" + bytes(5000), "audio/ogg"),
        (b"\0\0\0\x20ftypM4A " + b"\xff" * 5000, "audio/mp4"),
        (b"#EXTM3U\nfile:///etc/passwd\n", "audio/mpeg"),
        (b"", "audio/mpeg"),
    ],
    ids=["wav", "no samples", "id3", "flac", "ogg", "m4a", "playlist", "nothing"],
)
async def test_a_sound_with_a_broken_header_says_why(works: ImageWorks, data: bytes, mime_type: str) -> None:
    with pytest.raises(InvalidMedia, match="audio is damaged"):
        await works.describe(data, mime_type)


async def test_a_header_that_lies_about_the_length_is_not_believed(works: ImageWorks) -> None:
    data = bytearray(wav(1))
    data[4:8] = data[40:44] = b"\xf0\xff\xff\x7f"
    assert (await works.describe(bytes(data), "audio/wav")).duration_ms == 1000


def _height(picture: object, part: float) -> float:
    """The height of the bar there, as a part of the side."""
    left = int(part * 96) * 10 + 3
    column = picture.crop(left, 0, 1, picture.height).extract_band(3)  # type: ignore[attr-defined]
    return float(column.avg()) / 255
