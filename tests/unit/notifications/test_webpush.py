"""Web Push, by the values of RFC 8291, section 5; and the senders that push services take."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from stowboard.notifications.settings import NotificationSettings, is_among
from stowboard.notifications.webpush import PushKey, is_point, seal
from support.notifications.browser import base64url, from_base64url

TEXT = b"When I grow up, I want to be a watermelon"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_a_text_is_sealed_as_the_standard_has_it() -> None:
    sender = ec.derive_private_key(int.from_bytes(from_base64url(SENDER), "big"), ec.SECP256R1())
    sealed = seal(from_base64url(RECEIVER), from_base64url(AUTH), TEXT, sender, from_base64url(SALT))
    assert base64url(sealed) == SEALED


def test_each_sealing_is_another_one() -> None:
    sealed = {seal(from_base64url(RECEIVER), from_base64url(AUTH), TEXT) for _ in range(3)}
    assert len({each[:16] for each in sealed}) == 3
    assert len({each[21:86] for each in sealed}) == 3


@pytest.mark.parametrize(
    "public", [b"", b"\x04" + bytes(64), from_base64url(RECEIVER)[:64], b"\x02" + from_base64url(RECEIVER)[1:33]]
)
def test_a_key_that_is_no_point_of_the_curve_is_known(public: bytes) -> None:
    assert not is_point(public)
    assert is_point(from_base64url(RECEIVER))


@pytest.mark.parametrize("secret", [bytes(32), b"\xff" * 32, bytes(range(32))])
def test_any_32_bytes_make_a_key_and_always_the_same(secret: bytes) -> None:
    assert PushKey(secret).public == PushKey(secret).public
    assert is_point(from_base64url(PushKey(secret).public))


@pytest.mark.parametrize(
    ("mail_from", "public_url", "subject"),
    [
        (None, None, None),
        ("stow@example.org", None, "mailto:stow@example.org"),
        ("stow@example.org", "https://stow.example.org", "mailto:stow@example.org"),
        (None, "https://stow.example.org", "https://stow.example.org"),
        (None, "http://stow.example.org", None),
        (None, "https://localhost:8443", None),
        (None, "https://stow.local", None),
        (None, "https://192.0.2.7", None),
        (None, "https://stow", None),
        ("root@box.invalid", "https://stow.example.org", "https://stow.example.org"),
    ],
)
def test_push_needs_a_sender_that_push_services_take(
    mail_from: str | None, public_url: str | None, subject: str | None
) -> None:
    assert NotificationSettings(mail_from=mail_from, public_url=public_url).push_subject == subject


def test_a_host_is_among_others_by_its_whole_name_or_below_a_star() -> None:
    hosts = ("fcm.googleapis.com", "*.push.apple.com")
    assert is_among("fcm.googleapis.com", hosts)
    assert is_among("web.push.apple.com", hosts)
    for other in ("evil-fcm.googleapis.com", "push.apple.com", "web.push.apple.com.evil.net", "xpush.apple.com"):
        assert not is_among(other, hosts)
