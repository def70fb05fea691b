"""Captions of videos: given, replaced, taken away, and where players find them."""

from urllib.parse import urljoin

import httpx2
import pytest

from stowboard_client import Client, Video
from support.api.answers import data_of, error_of, message_of
from support.media.video_files import video_file
from support.servers.stowboard import Server
from support.stored.rows import rows

VIDEOS = "/api/v1/media/videos"
VTT = "WEBVTT\n\n00:00:00.500 --> 00:00:00.900\nGood morning.\n"


@pytest.fixture
def video(client: Client) -> Video:
    return client.videos.create("Harbour")


def test_captions_are_given_replaced_listed_and_taken_away(server: Server, admin: httpx2.Client, video: Video) -> None:
    at = f"{VIDEOS}/{video.id}/captions"
    made = data_of(admin.post(at, json={"language": "PT-br", "label": " Português ", "text": VTT}), 201)
    assert (made["language"], made["label"], made["cues"]) == ("pt-BR", "Português", 1)
    two = VTT + "\n00:00:01.000 --> 00:00:02.000\nTea?\n"
    again = data_of(admin.post(at, json={"language": "pt-BR", "text": two}))
    assert (again["label"], again["cues"]) == ("Português", 2)
    data_of(admin.post(at, json={"language": "en", "text": VTT}), 201)
    assert [each["language"] for each in data_of(admin.get(at))] == ["en", "pt-BR"]
    assert data_of(admin.get(f"{VIDEOS}/{video.id}"))["captions"] == ["en", "pt-BR"]
    assert data_of(admin.delete(f"{at}/pt-br")) == {"id": "pt-BR", "deleted": True}
    assert error_of(admin.delete(f"{at}/pt-br")) == (404, "not_found")
    told = rows(server, f"SELECT count(*) FROM event WHERE type = 'media.video.updated' AND subject = '{video.id}'")
    assert told == [(4,)]
    data_of(admin.delete(f"{VIDEOS}/{video.id}"))
    assert rows(server, f"SELECT count(*) FROM video_caption WHERE video_id = '{video.id}'") == [(0,)]


def test_what_is_no_captions_is_refused_with_the_line(admin: httpx2.Client, video: Video) -> None:
    at = f"{VIDEOS}/{video.id}/captions"
    refused = admin.post(at, json={"language": "en", "text": "WEBVTT\n\nhello\n"})
    assert error_of(refused) == (400, "invalid_media")
    assert "line 3" in message_of(refused)
    for wrong in (
        {"language": "english!", "text": VTT},
        {"language": "en\n", "text": VTT},
        {"language": "en", "text": VTT, "label": 'a"b'},
        {"language": "en", "text": VTT, "label": "   "},
        {"language": "en", "text": ""},
        {"language": "en"},
    ):
        assert error_of(admin.post(at, json=wrong)) == (400, "validation_failed")
    data_of(admin.post(at, json={"language": "en", "text": VTT, "label": "Same"}), 201)
    assert error_of(admin.post(at, json={"language": "de", "text": VTT, "label": "Same"})) == (400, "validation_failed")
    missing = admin.post(f"{VIDEOS}/vid_01kbr2x4q8e9w6y3t7n5m1c0vz/captions", json={"language": "en", "text": VTT})
    assert error_of(missing) == (404, "not_found")


def test_players_find_captions_poster_storyboard_and_a_file_to_save(client: Client, web: httpx2.Client) -> None:
    video = client.videos.upload(video_file(container="webm"), 'Harbour "at" dawn/ü', wait=120)
    client.videos.put_captions(video.id, "de", VTT, label="Deutsch")
    links = client.videos.signed_url(video.provider_video_id)
    assert links.hls_url is not None
    master = web.get(links.hls_url).text
    assert '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",LANGUAGE="de"' in master
    assert master.count('SUBTITLES="captions"') == 2
    assert master.rstrip().endswith("\naudio.m3u8")
    playlist = web.get(urljoin(links.hls_url, "captions-de.m3u8"))
    assert playlist.headers["content-type"] == "application/vnd.apple.mpegurl"
    assert "\ncaptions-de.vtt\n" in playlist.text
    track = web.get(urljoin(links.hls_url, "captions-de.vtt"))
    assert (track.text, track.headers["content-type"]) == (VTT, "text/vtt; charset=utf-8")
    assert error_of(web.get(urljoin(links.hls_url, "captions-fr.vtt"))) == (404, "not_found")
    sound = web.get(urljoin(links.hls_url, "audio.mp4"))
    assert sound.content[4:8] == b"ftyp"

    assert links.storyboard_url is not None
    board = web.get(links.storyboard_url).text
    assert board.startswith("WEBVTT\n\n00:00:00.000 --> 00:00:0")
    assert "\nstoryboard.jpg#xywh=0,0,64,36\n" in board
    assert web.get(urljoin(links.storyboard_url, "storyboard.jpg")).content[:2] == b"\xff\xd8"

    assert links.download_url is not None
    saved = web.get(links.download_url)
    assert saved.headers["content-type"] == "video/mp4"
    assert saved.content[4:8] == b"ftyp"
    assert saved.headers["content-disposition"].startswith('attachment; filename="Harbour _at_ dawn_u.mp4"')
    for url in (links.download_url, links.storyboard_url, urljoin(links.hls_url, "captions-de.vtt")):
        forged = url.replace("/stream/", "/stream/9")
        assert error_of(web.get(forged)) == (404, "not_found")
    client.videos.delete(video.id)
    assert error_of(web.get(links.download_url)) == (404, "not_found")
