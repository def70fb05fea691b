"""Send files, folders, patterns, or - for standard input.

A file that the server has already, by its checksum, is not sent again. If the command is cut off, by Ctrl-C, a crash or
the network, the same command goes on where it was, for a day. Without --space, files go to the Library, which everybody
sees.
"""

import uuid
from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import USAGE, CommandFailure
from stowboard_cli.media.found_files import LocalFile, find_files, spooled_stdin
from stowboard_cli.media.sending import Wishes
from stowboard_cli.media.sending_all import send_all
from stowboard_cli.media.watching import look, watch
from stowboard_cli.stow import Stow


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="give each asset this tag")
    parser.add_argument("--protected", action="store_true", help="reached only by signed addresses")
    parser.add_argument("--name", help="the filename, for - or a single file")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="how many at once, 4 by default")
    parser.add_argument("--again", action="store_true", help="send also what is there already")
    parser.add_argument("--watch", action="store_true", help="go on, and send what appears in the folders")


def run(stow: Stow, given: Namespace) -> int:
    wishes = Wishes(given.tag, "protected" if given.protected else None, uuid.uuid4().hex if given.again else "")
    # The folders are looked at before anything is sent: files that appear meanwhile are sent later.
    sent = look(given.paths) if given.watch else {}
    code = send_all(stow, _files(given), wishes, given.jobs)
    if not given.watch:
        return code
    stow.say("Watching. Ctrl-C ends it.")
    for found in watch(given.paths, sent):
        code = max(code, send_all(stow, found, wishes, given.jobs))
    return code


def _files(given: Namespace) -> list[LocalFile]:
    if "-" in given.paths:
        if given.paths != ["-"] or not given.name:
            raise CommandFailure(USAGE, "Standard input is sent alone, and needs a --name.")
        return [spooled_stdin(given.name)]
    found = find_files(given.paths, given.name)
    if given.name and len(found) != 1:
        raise CommandFailure(USAGE, "--name is for a single file.")
    return found
