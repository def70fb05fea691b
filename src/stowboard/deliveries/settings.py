"""How often and how long deliveries are tried, and how many at once."""

import msgspec

#: How many destinations, and uploads by URL, a process serves at once, in all and of one owner; it mostly waits.
ADDRESSES_AT_ONCE, ADDRESSES_OF_ONE = 64, 4
#: Requests of a process to destinations at once, in all and for one owner.
REQUESTS_AT_ONCE, REQUESTS_OF_ONE = 128, 8
_MINUTE, _HOUR, _DAY = 60, 3600, 24 * 3600


class DeliverySettings(msgspec.Struct, frozen=True):
    #: From one attempt to the next, give or take a fifth; after the last one a delivery has failed: three days.
    pauses_s: tuple[float, ...] = (
        5, 5 * _MINUTE, 30 * _MINUTE, 2 * _HOUR, 5 * _HOUR, 10 * _HOUR, 14 * _HOUR, 20 * _HOUR, 24 * _HOUR
    )  # fmt: skip
    #: A whole request and its answer.
    seconds: float = 15.0
    #: Requests to one destination at once.
    at_once: int = 4
    #: After this many failures in a row a destination rests, then is sent one delivery at a time until one succeeds.
    patience: int = 3
    rest_s: float = 5.0
    longest_rest_s: float = 5 * _MINUTE
    #: The longest Retry-After that is respected.
    longest_wait_s: float = _DAY
    #: A destination is turned off after this time without a success.
    disabled_after_s: float = 5 * _DAY
    #: One turn of a destination; then others are served before it goes on.
    turn_s: float = 10.0
