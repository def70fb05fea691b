"""A pool of decoders that are kept warm: one is taken for a question and given back after the answer.

The one that was used last is taken first, so that no more of them run than are needed at once. A child that takes too
long is killed, and the bytes are refused. A child that ends without an answer may have ended for another reason than
the bytes, such as a lack of memory: the question is asked once more, of a new one.

All functions block: call them in threads.
"""

import logging
from threading import Lock

import msgspec

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.decoding import child
from stowboard.media.images.decoding.child import (
    MEMORY,
    DecoderCrash,
    DecoderNotStarted,
    DecoderProcess,
    DecoderTimeout,
)
from stowboard.media.images.decoding.messages import (
    DecoderAnswer,
    DecoderQuestion,
    DecoderRefusal,
    DescriptionQuestion,
    too_heavy,
    too_slow,
)

log = logging.getLogger("stowboard.media")

_STOPPING = "The service is being stopped. Nothing was changed; retry."
_NOT_STARTED = "The decoder of images cannot be started. Nothing was changed; retry, or ask the operator."


class DecoderLimits(msgspec.Struct, frozen=True):
    #: Processor time for one question, and time by the clock, for a child that hangs without using the processor.
    cpu_s: int = 60
    wall_s: float = 180.0
    memory: int = MEMORY
    #: As of nice(1).
    niceness: int = 0
    #: A child is replaced after so many: libraries leak, and memory becomes fragmented.
    questions: int = 2000


class Decoders:
    def __init__(self, limits: DecoderLimits) -> None:
        self._limits = limits
        self._lock = Lock()
        self._idle: list[DecoderProcess] = []
        #: All of them, by process id.
        self._children: dict[int, DecoderProcess] = {}
        self._closed = False

    def ask(self, question: DecoderQuestion, descriptor: int) -> DecoderAnswer:
        """Raises InvalidMedia, ServiceUnavailable."""
        try:
            answer = self._ask(self._take(), question, descriptor)
        except DecoderCrash:
            if isinstance(question, DescriptionQuestion) and question.memory is not None:
                self._require_open()
                raise InvalidMedia(too_heavy(question)) from None  # it ran out of memory, and would again
            try:
                answer = self._ask(self._start(), question, descriptor)
            except DecoderCrash:
                self._require_open()
                raise InvalidMedia(too_heavy(question)) from None
        if isinstance(answer, DecoderRefusal):
            raise InvalidMedia(answer.message)
        return answer

    def end_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for each in idle:
            self._end(each)

    def close(self) -> None:
        """End them all; callers that wait for an answer are told to retry."""
        with self._lock:
            self._closed = True
            children = list(self._children.values())
        for each in children:
            each.process.kill()  # `ask` then raises in its own thread
        self.end_idle()

    def _ask(self, taken: DecoderProcess, question: DecoderQuestion, descriptor: int) -> DecoderAnswer:
        try:
            answer = taken.ask(question, descriptor, self._limits.wall_s)
        except DecoderTimeout:
            self._end(taken)
            self._require_open()
            raise InvalidMedia(too_slow(question)) from None
        except BaseException:
            self._end(taken)
            raise
        self._give_back(taken)
        return answer

    def _take(self) -> DecoderProcess:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._start()

    def _start(self) -> DecoderProcess:
        self._require_open()
        try:
            started = child.start(self._limits.memory, self._limits.niceness)
        except (DecoderNotStarted, OSError) as error:
            log.exception("a decoder of images cannot be started")
            raise ServiceUnavailable(_NOT_STARTED) from error
        with self._lock:
            self._children[started.process.pid] = started
        return started

    def _give_back(self, answered: DecoderProcess) -> None:
        with self._lock:
            keep = not self._closed and answered.asked < self._limits.questions
            if keep:
                self._idle.append(answered)
        if not keep:
            self._end(answered)

    def _end(self, ended: DecoderProcess) -> None:
        with self._lock:
            self._children.pop(ended.process.pid, None)
        ended.end()

    def _require_open(self) -> None:
        if self._closed:
            raise ServiceUnavailable(_STOPPING)
