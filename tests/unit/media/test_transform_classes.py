"""Which sizes there are, and what a picture becomes in each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import BUILT_IN, Fit, TransformClass, TransformClasses, output_size
from stowboard.media.base.errors import UnknownTransformClass
from stowboard.media.base.settings import MediaSettings
from stowboard.media.images.transforms.recipe import recipe_for

SIDES = st.integers(1, 16_384)
CLASSES = TransformClasses(["tall=10x400", "banner=1600x500", "dot=1", "wide=8192"])


@pytest.mark.parametrize(
    ("name", "size", "becomes"),
    [
        ("original", (4000, 3000), (4000, 3000)),
        ("thumbnail", (4000, 3000), (200, 200)),
        ("thumb", (4000, 3000), (200, 200)),
        ("small", (4000, 3000), (320, 240)),
        ("medium", (4000, 3000), (768, 576)),
        ("large", (3000, 4000), (1280, 1707)),
        ("xlarge", (4000, 3000), (1920, 1440)),
        ("square", (4000, 3000), (512, 512)),
        ("og", (4000, 3000), (1200, 630)),
        # Nothing is enlarged.
        ("small", (100, 3000), (100, 3000)),
        ("small", (320, 1), (320, 1)),
        ("large", (16384, 2), (1280, 1)),
        # Smaller than the box: the shape of it, at the picture's own size.
        ("thumbnail", (150, 5000), (150, 150)),
        ("thumbnail", (1, 5000), (1, 1)),
        ("square", (400, 300), (300, 300)),
        ("og", (600, 600), (600, 315)),
        ("og", (1, 1), (1, 1)),
        ("banner", (800, 800), (800, 250)),
        ("tall", (5, 5), (1, 5)),
    ],
)
def test_a_picture_becomes(name: str, size: tuple[int, int], becomes: tuple[int, int]) -> None:
    assert output_size(CLASSES.get(name), *size) == becomes


@given(st.sampled_from(CLASSES.all()), SIDES, SIDES)
def test_it_is_never_enlarged_nor_larger_than_its_class(
    transform_class: TransformClass, width: int, height: int
) -> None:
    new_width, new_height = output_size(transform_class, width, height)
    assert 1 <= new_width <= width
    assert 1 <= new_height <= height
    assert transform_class.width is None or new_width <= transform_class.width
    assert transform_class.height is None or new_height <= transform_class.height


@given(st.sampled_from([each for each in CLASSES.all() if each.fit is Fit.INSIDE]), SIDES, SIDES)
def test_scaling_keeps_the_shape(transform_class: TransformClass, width: int, height: int) -> None:
    new_width, new_height = output_size(transform_class, width, height)
    assert abs(new_height - new_width * height / width) <= 0.5 * height / width + 1


def test_the_operators_own_classes_come_after_the_built_in_ones() -> None:
    assert [each.name for each in CLASSES.all()][len(BUILT_IN) :] == ["tall", "banner", "dot", "wide"]
    assert (CLASSES.get("banner").fit, CLASSES.get("dot").fit) == (Fit.COVER, Fit.INSIDE)


@pytest.mark.parametrize("name", ["nope", "", "Thumbnail", "../original", "200x200"])
def test_an_unknown_name_is_answered_with_those_that_exist(name: str) -> None:
    with pytest.raises(UnknownTransformClass, match=r"original, thumbnail, .*banner"):
        CLASSES.get(name)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        (["thumbnail=100x100"], "defines 'thumbnail', which exists already"),
        (["thumb=100"], "defines 'thumb', which exists already"),
        (["original=100"], "defines 'original', which exists already"),
        (["a=1", "a=2"], "defines 'a', which exists already"),
        (["a=0"], "has 'a=0'; expected name=WIDTHxHEIGHT"),
        (["a=8193"], "sides of 1 to 8192"),
        (["a=10x0"], "has 'a=10x0'"),
        (["A=10"], "has 'A=10'"),
        (["a"], "has 'a'"),
        (["a=\N{ARABIC-INDIC DIGIT ONE}"], "has 'a="),
        ([f"c{n}=10" for n in range(101)], "100 classes at most"),
    ],
)
def test_a_wrong_setting_is_told_before_the_start(own: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=rf"STOWBOARD_TRANSFORM_CLASSES .*{message}"):
        MediaSettings(transform_classes=tuple(own)).validate()


def test_a_recipe_names_all_that_changes_the_result_and_nothing_else() -> None:
    thumbnail, small = CLASSES.get("thumbnail"), CLASSES.get("small")
    assert str(recipe_for(thumbnail, None)) == str(recipe_for(thumbnail, FocalPoint(0.5, 0.5)))
    assert str(recipe_for(thumbnail, FocalPoint(0.5, 0.25))) == "1:cover:200x200:0.5,0.25"
    assert str(recipe_for(small, FocalPoint(0.1, 0.1))) == str(recipe_for(small, None)) == "1:inside:320"


def test_of_an_original_nothing_is_made() -> None:
    with pytest.raises(ValueError, match="as it is"):
        recipe_for(CLASSES.get("original"), None)
