"""Captions as people have them, read and written again; and texts that are no captions, or want to be more."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stowboard.media.videos.captions.routes import ENDPOINTS, PutCaptionsBody
from stowboard.media.videos.captions.vtt import MOST_CUES, CaptionCue, NoCaptions, read_cues, write_vtt

SRT = (
    "1\r\n00:00:01,000 --> 00:00:04,500\r\nGood <i>morning</i>.\r\nAll.\r\n\r\n"
    "2\r\n00:01:00,5 --> 01:00:01,000\r\nTea?\r\n"
)


def test_an_srt_file_becomes_webvtt() -> None:
    assert write_vtt(read_cues("\ufeff" + SRT)) == (
        "WEBVTT\n\n00:00:01.000 --> 00:00:04.500\nGood <i>morning</i>.\nAll.\n\n00:01:00.500 --> 01:00:01.000\nTea?\n"
    )


def test_times_places_and_voices_of_webvtt_are_kept_and_the_rest_is_left_out() -> None:
    text = (
        "WEBVTT - harbour\nKind: captions\n\nNOTE by me\n\nSTYLE\n::cue { background: url(https://evil.example/) }\n\n"
        "REGION\nid:fred\n\nintro\n00:01.000 --> 00:02.000 line:0 align:start position:10%,line-left region:fred\n"
        "<v.loud Ann>Hi &amp; <c.red>welcome</c><00:01.500> <script>alert(1)</script>\n"
    )
    assert read_cues(text) == [
        CaptionCue(1000, 2000, "<v Ann>Hi &amp; welcome alert(1)", "line:0 align:start position:10%,line-left")
    ]


def test_captions_are_in_the_order_of_their_times() -> None:
    late_first = "00:05.000 --> 00:06.000\nlater\n\n00:01.000 --> 00:02.000\nsooner\n"
    assert [cue.text for cue in read_cues(late_first)] == ["sooner", "later"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no caption"),
        ("WEBVTT\n\n", "no caption"),
        ("Dear diary", "line 1"),
        ("<html><script>alert(1)</script></html>", "line 1"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nok\n\n\nnothing", "line 7"),
        ("00:02.000 --> 00:01.000\nbackwards", "end after it begins"),
        ("00:01.000 --> 00:61.000\nno such second", "line 1"),
        ("1\n999:00:01.000 --> 999:00:02.000\nfar away", "end after it begins"),
        ("00:01.000 --> 00:02.000\n" + "x" * 5001, "at most 5000"),
        ("00:01.000 --> 00:02.000\nx\0y", "character 0"),
        ("00:01.000 --> 00:02.000\nx\n\n" * (MOST_CUES + 1), "more than 20000"),
    ],
)
def test_what_is_no_captions_is_refused_with_the_place(text: str, reason: str) -> None:
    with pytest.raises(NoCaptions, match=reason):
        read_cues(text)


@given(st.text(st.sampled_from("<>&;#-/\n\r\tabivAMPltg01 \u2028\x85")))
@example("&#10;&#10;00:09.000 --&gt; 00:10.000&#10;smuggled")
@example("a --> b")
def test_whatever_a_caption_says_it_is_one_caption_without_other_tags(text: str) -> None:
    said = f"00:01.000 --> 00:02.000\nx{text.replace(chr(10), ' ').replace(chr(13), ' ')}"
    written = write_vtt(read_cues(said))
    assert written.count("-->") == 1
    assert written.count("\n\n") == 1
    assert read_cues(written) == read_cues(said)
    for tag in written.split("<")[1:]:
        assert tag.partition(">")[0].lstrip("/").split()[0] in ("b", "i", "u", "v")


async def test_captions_are_written_again_before_the_transaction() -> None:
    """It takes up to 70 ms, which the event loop must not wait for; what is prepared is made in a thread."""
    call: Any = SimpleNamespace(body=PutCaptionsBody(language="en", text=SRT))
    (prepare,) = [each.prepare for each in ENDPOINTS if each.prepare is not None]
    assert await prepare(call, "vid_1") == (write_vtt(read_cues(SRT)), 2)
