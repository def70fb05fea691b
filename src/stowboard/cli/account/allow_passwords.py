"""Allow passwords for some hours although STOWBOARD_PASSWORD_SIGN_IN is off: for when the provider is away."""

from argparse import ArgumentParser, Namespace

from stowboard.access.accounts import password_sign_in
from stowboard.cli.on_database import in_transaction
from stowboard.cli.running import number_between
from stowboard.cli.times import minute_of
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--hours",
        type=number_between(0, 8760),
        default=24,
        metavar="N",
        help="default: 24; 0 ends it now",
    )


def run(settings: Settings, given: Namespace) -> None:
    until = in_transaction(settings, password_sign_in.allow, OPERATOR, given.hours)
    if settings.access.password_sign_in:
        print("Passwords sign people in anyway: STOWBOARD_PASSWORD_SIGN_IN is on.")
    elif given.hours:
        print(f"Passwords sign people in until {minute_of(until)}.")
    else:
        print("Passwords sign nobody in.")
