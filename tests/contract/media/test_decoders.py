"""Images are decoded in children: one that hangs, grows or crashes is ended, the image is refused, and others go on."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.base.classes import TransformClasses
from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.decoding.pool import DecoderLimits
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import recipe_for
from stowboard.media.images.works import BackgroundWorks, ImageWorks
from support.media.decoders import decoders_of, held_decoders
from support.media.pictures import noise, plain, saved
from support.processes.confined import is_alive
from support.waiting import until, wait_until

PICTURE = saved(plain(80, 60), ".jpg")


@asynccontextmanager
async def opened(slots: int = 1, limits: DecoderLimits | None = None, **options: float) -> AsyncIterator[ImageWorks]:
    works = ImageWorks(slots, limits, **options)
    try:
        yield works
    finally:
        await works.close()


async def test_no_decoder_runs_before_the_first_image_and_one_is_asked_again_and_again() -> None:
    async with opened(2) as works:
        assert decoders_of(works) == []
        for _ in range(3):
            await works.inspect(PICTURE)
        assert len(decoders_of(works)) == 1


async def test_a_decoder_that_hangs_is_killed_and_the_next_image_is_decoded() -> None:
    async with opened(limits=DecoderLimits(wall_s=20)) as works:
        await works.inspect(PICTURE)
        works._decoders._limits = DecoderLimits(wall_s=0.2)
        [held] = held_decoders(works)
        with pytest.raises(InvalidMedia, match="longer to decode"):
            await works.inspect(PICTURE)
        assert not is_alive(held)
        works._decoders._limits = DecoderLimits()
        assert (await works.inspect(PICTURE)).width == 80


async def test_an_image_that_takes_too_long_on_the_processor_is_refused() -> None:
    hard = saved(noise(16, 16).replicate(200, 200), ".png", compression=1)
    recipe = recipe_for(TransformClasses(["huge=8192"]).get("huge"), None)
    async with opened(limits=DecoderLimits(cpu_s=0)) as works:
        with pytest.raises(InvalidMedia, match="longer to decode"):
            await works.derive(hard, recipe, ImageFormat.AVIF)
        assert decoders_of(works) == []


async def test_an_image_that_wants_too_much_memory_is_refused_and_others_are_decoded() -> None:
    heavy = saved(noise(16, 16).bandjoin(255).replicate(440, 440), ".png", interlace=True, compression=1)
    async with opened(limits=DecoderLimits(memory=300 << 20)) as works:
        await works.inspect(PICTURE)
        with pytest.raises(InvalidMedia, match="more memory than it may have"):
            await works.inspect(heavy)
        assert (await works.inspect(PICTURE)).width == 80


async def test_what_a_decoder_died_of_is_not_the_next_image_s() -> None:
    async with opened() as works:
        await works.inspect(PICTURE)
        [killed] = decoders_of(works)
        os.kill(killed, signal.SIGKILL)
        assert (await works.inspect(PICTURE)).width == 80
        assert decoders_of(works) != [killed]


async def test_an_image_whose_decoders_die_twice_is_refused() -> None:
    async with opened() as works:
        await works.inspect(PICTURE)
        [first] = held_decoders(works)
        asked = asyncio.create_task(works.inspect(PICTURE))
        os.kill(first, signal.SIGKILL)
        await until(lambda: first not in decoders_of(works) and bool(decoders_of(works)))
        for pid in decoders_of(works):
            os.kill(pid, signal.SIGKILL)
        [ended] = await asyncio.gather(asked, return_exceptions=True)
        # The second may have answered before it was hit.
        assert not isinstance(ended, BaseException) or "crashed" in str(ended)


async def test_a_decoder_that_is_not_used_makes_room() -> None:
    async with opened(idle_s=0.01) as works:
        await works.inspect(PICTURE)
        await until(lambda: decoders_of(works) == [])
        assert (await works.inspect(PICTURE)).width == 80


async def test_a_decoder_is_asked_only_so_often() -> None:
    async with opened(limits=DecoderLimits(questions=2)) as works:
        seen = set()
        for _ in range(4):
            await works.inspect(PICTURE)
            seen.update(decoders_of(works))
        assert len(seen) == 2


async def test_decoders_of_jobs_give_way_to_those_of_requests() -> None:
    jobs = BackgroundWorks(1)
    try:
        async with opened() as works:
            await works.inspect(PICTURE)
            await jobs.inspect(PICTURE)
            [asked], [patient] = decoders_of(works), decoders_of(jobs)
            assert os.getpriority(os.PRIO_PROCESS, asked) == os.getpriority(os.PRIO_PROCESS, 0)
            lower = min(os.getpriority(os.PRIO_PROCESS, asked) + 1, 19)  # nothing is lower than 19
            assert os.getpriority(os.PRIO_PROCESS, patient) >= lower
    finally:
        await jobs.close()


async def test_closing_ends_a_decoder_in_the_middle_of_its_work_and_blames_no_image() -> None:
    works = ImageWorks(1)
    await works.inspect(PICTURE)
    held = held_decoders(works)
    asked = asyncio.create_task(works.inspect(PICTURE))
    await asyncio.sleep(0.1)
    await works.close()
    with pytest.raises(ServiceUnavailable):
        await asked
    assert not any(map(is_alive, held))


SERVING = f"""
import asyncio
from stowboard.media.images.works import ImageWorks

async def main():
    works = ImageWorks(1)
    await works.inspect({PICTURE!r})
    print(*works._decoders._children, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def test_a_decoder_dies_with_a_process_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVING], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        decoder = int(process.stdout.readline())
        assert is_alive(decoder)
        process.kill()
    wait_until(lambda: not is_alive(decoder))


async def test_a_decoder_has_no_secrets_no_network_and_no_file_to_write() -> None:
    async with opened() as works:
        await works.inspect(PICTURE)
        [pid] = decoders_of(works)
        proc = Path(f"/proc/{pid}")
        environment = proc.joinpath("environ").read_bytes()
        limits = proc.joinpath("limits").read_text()
        status = proc.joinpath("status").read_text()
    assert b"STOWBOARD" not in environment
    assert any(line.startswith("Max file size") and line.split()[3] == "0" for line in limits.splitlines())
    assert "NoNewPrivs:\t1" in status
