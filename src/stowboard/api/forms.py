"""A form with a file in it (multipart/form-data, RFC 7578), read as the JSON body that says the same.

The file becomes base64 while it arrives, so an operation knows nothing of forms: limits, answers and idempotency are
those of its JSON body. A retry is the same request, whatever boundary it has.

The part `file` is the file. The other members are fields of their own, or together in the part `json`. An empty field
counts as left out, since a browser sends every field of a form.
"""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pybase64
from multipart import MultipartError, PushMultipartParser, parse_options_header

from stowboard.core.errors import PayloadTooLarge, ValidationFailed

FORM = "multipart/form-data"
FILE, JSON_PART, KEY = "file", "json", "idempotencyKey"
#: Bytes of a body beside the file: fields, headers and boundaries.
BESIDE_FILE = 256 * 1024
_LONGEST_FIELD = 64 * 1024
_MOST_PARTS = 100
_LONGEST_BOUNDARY = 70
_PLAIN = (None, "binary", "8bit", "7bit")


class FormFile(msgspec.Struct, frozen=True):
    """How an operation takes a form: the member that gets the file, and the types of the others that are not text."""

    member: str
    max_bytes: int
    #: Members that are lists of texts without commas. A field may be repeated, or have commas.
    lists: tuple[str, ...] = ()
    #: Members whose field is JSON.
    json: tuple[str, ...] = ()


class ReadForm(msgspec.Struct, frozen=True):
    body: bytes
    #: The field `idempotencyKey`, for forms that cannot send a header.
    key: str | None


def is_form(content_type: str | None) -> bool:
    return content_type is not None and content_type.partition(";")[0].strip().lower() == FORM


async def read_form(content_type: str, chunks: AsyncIterator[bytes], form: FormFile) -> ReadForm:
    """Raises ValidationFailed, or PayloadTooLarge for a file above the limit."""
    reader = _FormReader(form)
    try:
        with _parser(content_type) as parser:
            async for chunk in chunks:
                for event in parser.parse(chunk):
                    reader.take(event)
    except MultipartError as error:
        raise ValidationFailed(f"The body is not a whole multipart/form-data form: {error}.") from None
    return reader.read()


def _parser(content_type: str) -> PushMultipartParser:
    boundary = parse_options_header(content_type)[1].get("boundary", "")
    if not 0 < len(boundary) <= _LONGEST_BOUNDARY:
        raise ValidationFailed(f"The Content-Type of a form names its boundary, 1 to {_LONGEST_BOUNDARY} characters.")
    return PushMultipartParser(boundary, max_segment_count=_MOST_PARTS, strict=True)


class _FormReader:
    """Takes what the parser finds: a part's head, pieces of its content, and None at its end."""

    def __init__(self, form: FormFile) -> None:
        self._form = form
        self._name = ""
        self._filename: str | None = None
        self._has_file = False
        self._content = bytearray()
        self._size = 0
        self._body = bytearray(f'{{"{form.member}":"'.encode())
        self._fields: dict[str, list[str]] = {}

    def take(self, event: Any) -> None:
        if event is None:
            self._end()
        elif isinstance(event, bytes | bytearray):
            self._add(event)
        else:
            self._begin(event)

    def _begin(self, part: Any) -> None:
        if part.header("Content-Transfer-Encoding") not in _PLAIN:
            raise ValidationFailed(f"{part.name}: the bytes of a part are sent as they are, without an encoding.")
        self._name, self._size = part.name, 0
        if part.name == FILE:
            if self._has_file:
                raise ValidationFailed("file: a form has one; send each file in a request of its own.")
            self._has_file, self._filename = True, part.filename

    def _add(self, piece: bytes | bytearray) -> None:
        self._size += len(piece)
        self._content += piece
        if self._name != FILE:
            if self._size > _LONGEST_FIELD:
                raise ValidationFailed(f"{self._name}: a field has at most {_LONGEST_FIELD:,} bytes.")
            return
        if self._size > self._form.max_bytes:
            raise PayloadTooLarge(f"file has more than the {self._form.max_bytes} bytes that this operation takes.")
        whole = len(self._content) // 3 * 3
        self._body += pybase64.b64encode(self._content[:whole])
        del self._content[:whole]

    def _end(self) -> None:
        if self._name == FILE:
            if not self._size:
                raise ValidationFailed("file: it is empty; expected at least one byte.")
            self._body += pybase64.b64encode(self._content)
        else:
            try:
                text = self._content.decode()
            except UnicodeDecodeError:
                raise ValidationFailed(f"{self._name}: expected text in UTF-8.") from None
            self._fields.setdefault(self._name, []).append(text)
        self._content.clear()

    def read(self) -> ReadForm:
        if not self._has_file:
            raise ValidationFailed("file: the form has no part of this name.")
        members: dict[str, Any] = {"filename": self._filename} if self._filename else {}
        key = None
        for name, texts in self._fields.items():
            given = [text for text in texts if text]
            if name in self._form.lists:
                members[name] = [part.strip() for text in given for part in text.split(",")]
            elif len(given) > 1:
                raise ValidationFailed(f"{name} was given twice; give it once.")
            elif name == KEY:
                key = given[0] if given else None
            elif given and name == JSON_PART:
                members |= _object(given[0])
            elif given:
                members[name] = _json(name, given[0]) if name in self._form.json else given[0]
        if self._form.member in members:
            raise ValidationFailed(f"{self._form.member}: in a form the bytes are in the part `file`.")
        rest = msgspec.json.encode(members, order="sorted")
        return ReadForm(bytes(self._body + b'"' + (b"," if members else b"") + rest[1:]), key)


def _object(text: str) -> dict[str, Any]:
    members = _json(JSON_PART, text)
    if not isinstance(members, dict):
        raise ValidationFailed(f"{JSON_PART}: expected an object with the members of the JSON body.")
    return members


def _json(name: str, text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        raise ValidationFailed(f"{name}: expected JSON.") from None
