"""Why a decoder gave up what it was asked, in words for people."""

from stowboard.media.images.decoding.messages import DecoderQuestion, DescriptionQuestion

_STORE = "as it is, it can be stored with POST /media/upload/file."
_DOWNLOAD = "It can be downloaded as it is."


def too_heavy(question: DecoderQuestion) -> str:
    if isinstance(question, DescriptionQuestion):
        return (
            "The file cannot be shown: what reads it crashed, or wanted more memory than it may have, as happens with"
            f" damaged files. {_DOWNLOAD}"
        )
    return (
        "The image cannot be decoded: its decoder crashed, or wanted more memory than it may have. Save it anew with"
        f" another program; {_STORE}"
    )


def too_slow(question: DecoderQuestion) -> str:
    if isinstance(question, DescriptionQuestion):
        return f"The file cannot be shown: to read it takes longer than it may. {_DOWNLOAD}"
    return (
        "The image takes longer to decode than an image may, and was given up. Save it anew, smaller or in another"
        f" format; {_STORE}"
    )
