"""Run the service, until it is interrupted or terminated.

The first start of an empty data folder prints an admin token and a link that makes the first account.
"""

from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from stowboard import __version__
from stowboard.cli.serving.memory import loaded_for_good
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on; default: 127.0.0.1")
    parser.add_argument("--port", type=int, metavar="PORT", help="port to listen on; default: 8080")
    parser.add_argument("--workers", type=int, metavar="N", help="server processes; more than one with PostgreSQL")
    parser.add_argument("--metrics-file", type=Path, help=SUPPRESS)  # given by a supervisor to its processes


def run(settings: Settings, given: Namespace) -> None:
    if given.metrics_file is None:
        # Before the rest is loaded, which takes seconds on a slow machine.
        print(f"  Stowboard {__version__} is starting", flush=True)
    if given.metrics_file is None and settings.workers > 1:
        from stowboard.cli.serving.supervise import supervise

        supervise(settings)
        return
    with loaded_for_good():
        from stowboard.cli.serving.server import serve_alone, serve_as_child
    if given.metrics_file is not None:
        serve_as_child(settings, given.metrics_file)
    else:
        serve_alone(settings)
