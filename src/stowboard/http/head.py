"""Checks of a request's head: bounded in size, and with one Host (RFC 9112, 3.2).

Granian itself refuses a head of more than 256 KiB, with its own answer. It also drops a Content-Length beside
Transfer-Encoding before we see it, and reads the chunks. So bytes after a chunked body on the same connection may not
be a real request: the answer ends the connection (RFC 9112, 6.1).
"""

from stowboard.core.errors import HeadersTooLarge, InvalidParameter
from stowboard.http.exchange import Exchange

LONGEST_LINE = 16 * 1024
LONGEST_HEAD = 64 * 1024
CLOSE = ("connection", "close")


def check_head(exchange: Exchange) -> None:
    """Raises HeadersTooLarge or InvalidParameter. On the path of every request: one list, one join."""
    values = exchange.header_values()
    if len("".join(values)) > LONGEST_LINE:
        _check_lengths([len(value) for value in values])
    if exchange.header_count("host") != 1:
        _check_host(exchange)


def _check_lengths(lengths: list[int]) -> None:
    if max(lengths) > LONGEST_LINE:
        raise HeadersTooLarge(f"A header has more than {LONGEST_LINE} bytes. Send less in it.", (CLOSE,))
    if sum(lengths) > LONGEST_HEAD:
        raise HeadersTooLarge(headers=(CLOSE,))


def _check_host(exchange: Exchange) -> None:
    if exchange.header_count("host") > 1:
        raise InvalidParameter("Host was sent more than once.", (CLOSE,))
    if exchange.version == "1.1" and not exchange.has_header("host"):  # one that is not ASCII is not counted
        raise InvalidParameter("Host is missing, which HTTP/1.1 requires.", (CLOSE,))
