"""Base64 as clients write it becomes the bytes they meant, or a refusal."""

import base64
import binascii

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.core.errors import PayloadTooLarge
from stowboard.media.base.errors import InvalidBase64
from stowboard.media.uploads.base64_text import MAX_TEXT, decode_base64


@given(st.binary(min_size=1, max_size=2000))
async def test_what_was_encoded_is_decoded(data: bytes) -> None:
    text = base64.b64encode(data).decode()
    assert await decode_base64("data", text) == data
    assert await decode_base64("data", text.rstrip("=")) == data
    assert await decode_base64("data", f"data:image/png;base64,{text}") == data
    assert await decode_base64("data", base64.encodebytes(data).decode()) == data


@pytest.mark.parametrize("size", [49_152, 49_153, 200_000, 3 * 256 * 1024 - 1, 1_000_001])
async def test_long_texts_are_decoded_in_pieces_that_fit(size: int) -> None:
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    assert await decode_base64("data", base64.b64encode(data).decode()) == data


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "=", "====", "A", "A===", "AAAAA", "QQ==QQ==", "Q=Q=", "QU-_", "Q Q\u00a0==", "é", "!!!!", "<html>",
        "data:image/png,QUJD", "data:image/png;base64,", "QUJD\0", "QUJD%3D", "QUJD=QUJD",
    ],
)  # fmt: skip
async def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidBase64, match="imageData"):
        await decode_base64("imageData", text)


async def test_padding_in_the_middle_of_a_long_text_is_refused() -> None:
    piece = "A" * (256 * 1024 - 4)
    with pytest.raises(InvalidBase64):
        await decode_base64("data", piece + "AA==" + "AAAA")


@given(st.text(st.sampled_from("AZaz09+/=-_ \n"), max_size=40))
async def test_nothing_is_decoded_that_the_standard_would_not(text: str) -> None:
    bare = "".join(text.split())
    try:
        decoded = await decode_base64("data", text)
    except InvalidBase64:
        return
    assert set(bare) <= set("AZaz09+/=")
    assert decoded == binascii.a2b_base64(bare.rstrip("=") + "==")


async def test_the_limit_is_in_characters_as_they_came() -> None:
    assert len(await decode_base64("data", "A" * MAX_TEXT)) == MAX_TEXT // 4 * 3
    with pytest.raises(PayloadTooLarge, match="POST /media/upload/presigned"):
        await decode_base64("data", "A" * MAX_TEXT + " ")
