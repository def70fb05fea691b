"""How commands end: a code for scripts, and a sentence for people."""

from typing import NoReturn

OK, ERROR, USAGE = range(3)
INTERRUPTED = 130


class CommandFailure(Exception):
    """The command cannot go on; the text says why, and what to do."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def fail(sentence: str, code: int = ERROR) -> NoReturn:
    """End the command. The code is USAGE for a wrong option or setting."""
    raise CommandFailure(sentence, code)
