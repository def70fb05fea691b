"""Long texts are cut into words in a thread, before the transaction that stores them begins.

The words wait here until the transaction asks for them, for at most 100 texts (a batch). If they are gone by then, for
instance because the transaction is run twice, it reads the text itself.
"""

import asyncio
from collections.abc import Iterable
from threading import Lock

from stowboard.search.words import words_of

#: A text of more characters is long.
LONG = 4_000
#: The first words of a text, this many, are indexed. Later words are not found.
MOST_WORDS = 10_000
_MOST_WAITING = 100
_waiting: dict[str, str] = {}
_lock = Lock()


async def read_ahead(texts: Iterable[str | None]) -> None:
    for text in texts:
        if text is not None and len(text) > LONG:
            words = await asyncio.to_thread(_read, text)
            with _lock:
                _waiting[text] = words
                while len(_waiting) > _MOST_WAITING:
                    del _waiting[next(iter(_waiting))]


def words_in(text: str) -> str:
    """The words of a text with spaces between them."""
    if len(text) > LONG:
        with _lock:
            words = _waiting.pop(text, None)
        if words is not None:
            return words
    return _read(text)


def _read(text: str) -> str:
    return " ".join(words_of(text, MOST_WORDS))
