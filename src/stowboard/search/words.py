"""The words of a text, the same whichever database keeps them: neither has to fold anything itself.

Width and compatibility forms, case and accents make no difference. Scripts without spaces between words, and Korean,
are taken by twos: each character with its neighbour, the last of a run alone, so that any part of a run is found.

Whatever the text, folding takes time in proportion to its length. Runs of marks are cut, since normalising would sort
them. A text is folded piece by piece until the result is too long (U+FDFA alone becomes 18 characters).
"""

import re
import unicodedata
from itertools import islice

from stowboard.core.plain_text import stream_safe

#: A longer word is cut, in texts and in queries.
LONGEST_WORD = 64

#: Capitals become small letters, and whatever is no letter or digit becomes a space.
_ASCII = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256))
_ACCENTS = re.compile("[\u0300-\u036f]")
#: All accents but the iota subscript, which folds to a letter.
_LEFT_OUT_FIRST = re.compile("[\u0300-\u0344\u0346-\u036f]")
#: Characters that are folded at a time; and the length of a folded text from which on the rest is left out.
_PIECE, _LONGEST_FOLDED = 1024, 100_000
#: Kana, ideographs, Hangul; Thai, Lao, Burmese, Khmer.
_BY_TWOS = (
    "\u3005-\u3007\u3041-\u3096\u3099-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1780-\u17d3"
)
#: Vowel signs and points: no letters to Python, but parts of words in Hebrew, Arabic and the scripts of India.
_SIGNS = "\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963\u0971-\u0dff"
_PIECES = re.compile(f"([{_BY_TWOS}]+)|(?:(?![{_BY_TWOS}])(?:[^\\W_]|[{_SIGNS}]))+")


def fold(text: str) -> str:
    """The text without differences of width, case and accents."""
    if text.isascii():
        return text.lower()
    plain = stream_safe(_LEFT_OUT_FIRST.sub("", text))
    if len(plain) <= _PIECE:
        return _folded(plain)
    folded, length, begin = [], 0, 0
    while begin < len(plain) and length < _LONGEST_FOLDED:
        end = begin + _PIECE
        while end < len(plain) and unicodedata.combining(plain[end]):
            end += 1
        folded.append(_folded(plain[begin:end]))
        length, begin = length + len(folded[-1]), end
    return "".join(folded)


def words_of(text: str, most: int | None = None) -> list[str]:
    """The first `most` words, in their order."""
    folded = text if text.isascii() else fold(text)
    if folded.isascii():
        words = folded.encode().translate(_ASCII).decode().split()[:most]
    else:
        words = list(islice((word for piece in _PIECES.finditer(folded) for word in _words(piece)), most))
    return words if len(folded) <= LONGEST_WORD else [word[:LONGEST_WORD] for word in words]


def ends_in_twos(word: str) -> bool:
    """True if a longer run of the same script may go on behind this word."""
    return _TWOS_AT_END.search(word) is not None


_TWOS_AT_END = re.compile(f"[{_BY_TWOS}]$")


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", apart))


def _words(piece: re.Match[str]) -> list[str]:
    run = piece[1]
    return [piece[0]] if run is None else [run[at : at + 2] for at in range(len(run))]
