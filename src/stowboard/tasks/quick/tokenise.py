"""A line cut at its spaces into tokens, and the words of which phrases are made.

Text in double quotes is one token with its spaces, and no word: it always stays in the title. A quote that is
not closed is a sign like any other. A priority is no word either.
"""

import re
from collections.abc import Sequence

import msgspec

#: No phrase of the grammar is longer.
LONGEST_PHRASE = 24

#: Each sign is looked at once: a quote that is not closed is the last one of its line.
_TOKEN = re.compile(r'(?:"[^"]*"|“[^”]*”|\S)+')
_AROUND = "()[]{}.,;:!?"
_ENDING = (";", ":", "?", "!", ")")
#: The one word that has a sign: counted from each completion.
EVERY_TIME = "every!"
_PRIORITY = re.compile(r"!([1-3])[.,;:?)]*")


class LineToken(msgspec.Struct, frozen=True):
    start: int
    end: int
    text: str
    #: The text in lower case, without punctuation around it; empty if it is quoted or a priority.
    word: str


def tokenise(text: str) -> list[LineToken]:
    return [LineToken(found.start(), found.end(), found[0], _word(found[0])) for found in _TOKEN.finditer(text)]


def phrase_at(tokens: Sequence[LineToken], at: int) -> list[str]:
    """The words from here on that may belong together: up to a quote, or the sign at the end of a sentence."""
    words: list[str] = []
    for token in tokens[at : at + LONGEST_PHRASE]:
        if not token.word:
            break
        words.append(token.word)
        if token.text.endswith(_ENDING) and token.word != EVERY_TIME:
            break
    return words


def _word(text: str) -> str:
    if '"' in text or "“" in text or read_priority(text):
        return ""
    return EVERY_TIME if text.lower() == EVERY_TIME else text.strip(_AROUND).lower()


def read_priority(text: str) -> str | None:
    """`!1`, `!2` or `!3`, the most urgent. It is a sign and no word: `dec !2` is not the second of December."""
    found = _PRIORITY.fullmatch(text)
    return found[1] if found else None
