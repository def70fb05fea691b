"""The renditions of a video's ladder, for any video that there can be."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.videos.ffmpeg.clip import LARGEST_SIDE, LEAST_SIDE, VideoClip
from stowboard.media.videos.ffmpeg.ladder import RenditionPlan, frame_rate, ladder, plan_renditions


def clip(
    width: int, height: int, rate: tuple[int, int] = (30, 1), *, steady: bool = True, sound: bool = True
) -> VideoClip:
    return VideoClip(
        demuxer="mov", duration_ms=1000, width=width, height=height, video_index=0, audio_index=1 if sound else None,
        rate=rate, steady=steady,
    )  # fmt: skip


sides = st.integers(LEAST_SIDE, LARGEST_SIDE) | st.integers(LEAST_SIDE, 400)
rates = st.tuples(st.integers(1, 240_000), st.sampled_from([1, 1000, 1001]))
clips = st.builds(clip, sides, sides, rates, steady=st.booleans(), sound=st.booleans())


@given(clips)
def test_no_step_is_larger_than_the_source_and_all_sides_are_even(clip: VideoClip) -> None:
    for plan in ladder(clip):
        assert 2 <= plan.width <= clip.width
        assert 2 <= plan.height <= clip.height
        assert plan.width % 2 == plan.height % 2 == 0


@given(clips)
def test_steps_ascend_and_have_names_of_their_own(clip: VideoClip) -> None:
    plans = ladder(clip)
    assert plans
    assert len({plan.name for plan in plans}) == len(plans)
    for lower, higher in pairwise(plans):
        assert lower.width <= higher.width
        assert lower.height <= higher.height
        assert lower.bandwidth <= higher.bandwidth
        assert lower.level <= higher.level


@given(clips)
def test_the_shape_is_kept_to_a_pixel_or_two(clip: VideoClip) -> None:
    for plan in ladder(clip):
        wanted = Fraction(clip.width, clip.height)
        assert Fraction(plan.width - 2, plan.height + 2) <= wanted <= Fraction(plan.width + 2, max(1, plan.height - 2))


@given(clips)
def test_a_portrait_has_the_steps_of_the_landscape_that_it_is_on_its_side(clip: VideoClip) -> None:
    turned = [(plan.name, plan.height, plan.width) for plan in ladder(_turned(clip))]
    assert [(plan.name, plan.width, plan.height) for plan in ladder(clip)] == turned


@given(clips)
def test_the_picture_rate_is_one_that_players_take(clip: VideoClip) -> None:
    rate = frame_rate(clip)
    assert 10 <= rate <= 60
    if clip.steady and 10 <= Fraction(*clip.rate) <= 60:
        assert rate == Fraction(*clip.rate)
    assert all(plan.rate == str(rate) for plan in ladder(clip))


@pytest.mark.parametrize(
    ("width", "height", "names"),
    [
        (1920, 1080, ["240p", "360p", "480p", "720p", "1080p"]),
        (2560, 1440, ["240p", "360p", "480p", "720p", "1080p", "1440p"]),
        (3840, 2160, ["240p", "360p", "480p", "720p", "1080p", "1440p", "2160p"]),
        (7680, 4320, ["240p", "360p", "480p", "720p", "1080p", "1440p", "2160p"]),
        (1080, 1920, ["240p", "360p", "480p", "720p", "1080p"]),
        (1280, 720, ["240p", "360p", "480p", "720p"]),
        (1920, 800, ["240p", "360p", "480p", "720p", "800p"]),
        (1364, 768, ["240p", "360p", "480p", "768p"]),
        (320, 240, ["240p"]),
        (321, 241, ["240p"]),
        (64, 64, ["64p"]),
    ],
)
def test_the_top_step_is_the_source_itself_or_2160p(width: int, height: int, names: list[str]) -> None:
    assert [plan.name for plan in ladder(clip(width, height))] == names


@pytest.mark.parametrize(
    ("rate", "steady", "expected"),
    [
        ((30000, 1001), True, Fraction(30000, 1001)),
        ((120, 1), True, Fraction(60)),
        ((1, 1), True, Fraction(10)),
        ((2961, 100), False, Fraction(30)),
        ((2397, 100), False, Fraction(24)),
        ((97, 1), False, Fraction(60)),
        ((3, 1), False, Fraction(24)),
        ((1, 3600), False, Fraction(10)),
    ],
)
def test_a_rate_that_varies_becomes_the_usual_one_above_its_mean(
    rate: tuple[int, int], steady: bool, expected: Fraction
) -> None:
    assert frame_rate(clip(640, 360, rate, steady=steady)) == expected


def test_codecs_name_the_profile_the_level_and_the_sound() -> None:
    assert _top(clip(1920, 1080)).codecs == "avc1.640028,mp4a.40.2"
    assert _top(clip(1280, 720, sound=False)).codecs == "avc1.64001f"
    assert _top(clip(1920, 1080, (60, 1))).codecs == "avc1.64002a,mp4a.40.2"


def test_the_sound_alone_is_a_step_where_there_is_one() -> None:
    assert [plan.name for plan in plan_renditions(clip(320, 240))] == ["audio", "240p"]
    assert [plan.name for plan in plan_renditions(clip(320, 240, sound=False))] == ["240p"]


def _top(clip: VideoClip) -> RenditionPlan:
    return ladder(clip)[-1]


def _turned(original: VideoClip) -> VideoClip:
    return clip(
        original.height, original.width, original.rate, steady=original.steady, sound=original.audio_index is not None
    )
