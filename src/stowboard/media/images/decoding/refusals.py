"""Messages for people: why a decoder gave up."""

from stowboard.media.images.decoding.messages import DecoderQuestion, DescriptionQuestion

_STORE = "as it is, it can be stored with POST /media/upload/file."
_DOWNLOAD = "It can be downloaded as it is."


def too_heavy(question: DecoderQuestion) -> str:
    if isinstance(question, DescriptionQuestion):
        return (
            "The file cannot be shown: its reader crashed or needed more memory than it may have, as happens with"
            f" damaged files. {_DOWNLOAD}"
        )
    return (
        "The image cannot be decoded: its decoder crashed, or wanted more memory than it may have. Save it again with"
        f" another program; {_STORE}"
    )


def too_slow(question: DecoderQuestion) -> str:
    if isinstance(question, DescriptionQuestion):
        return f"The file cannot be shown: reading it takes longer than it may. {_DOWNLOAD}"
    return (
        "The image takes longer to decode than an image may, and was given up. Save it again, smaller or in another"
        f" format; {_STORE}"
    )
