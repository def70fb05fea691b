"""Send files, folders, patterns, or - for standard input.

What the server has already, by its checksum, is not sent again. If it is cut off, by Ctrl-C, a crash or the network,
the same command goes on where it was, for a day.
"""

import os
import sys
import uuid
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

import msgspec

from stowboard_cli.exits import INTERRUPTED, OK, PARTLY, USAGE, Ended, ending_of
from stowboard_cli.media.found_files import Found, find_files, spooled_stdin
from stowboard_cli.media.sending import Library, Wishes, send
from stowboard_cli.media.watching import look, watch
from stowboard_cli.output.progress import Progress
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="give each asset this tag")
    parser.add_argument("--protected", action="store_true", help="only for who has a signed address")
    parser.add_argument("--name", help="the filename, for - or a single file")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="how many at once, 4 by default")
    parser.add_argument("--again", action="store_true", help="send also what is there already")
    parser.add_argument("--watch", action="store_true", help="go on, and send what appears in the folders")


def run(stow: Stow, given: Namespace) -> int:
    wishes = Wishes(given.tag, "protected" if given.protected else None, uuid.uuid4().hex if given.again else "")
    library = Library(stow.client)
    sent = look(given.paths) if given.watch else {}  # before: what appears while files are sent is none of them
    code = _send_all(stow, library, _files(given), wishes, given.jobs)
    if not given.watch:
        return code
    stow.say("Watching. Ctrl-C ends it.")
    for found in watch(given.paths, sent):
        code = max(code, _send_all(stow, library, found, wishes, given.jobs))
    return code


def _files(given: Namespace) -> list[Found]:
    if "-" in given.paths:
        if given.paths != ["-"] or not given.name:
            raise Ended(USAGE, "Standard input is sent alone, and needs a --name.")
        return [spooled_stdin(given.name)]
    found = find_files(given.paths, given.name)
    if given.name and len(found) != 1:
        raise Ended(USAGE, "--name is for a single file.")
    return found


def _send_all(stow: Stow, library: Library, files: Sequence[Found], wishes: Wishes, jobs: int) -> int:
    progress = Progress(len(files), sum(file.size for file in files), stow.quiet)
    endings: list[Ended] = []
    pool = ThreadPoolExecutor(max(1, jobs))
    try:
        begun = {pool.submit(_send_one, library, file, wishes, progress): file for file in files}
        for future in as_completed(begun):
            file, error = begun[future], future.exception()
            if error is None:
                outcome, asset = future.result()
                progress.finished(str(file.path), outcome, file.size)
                shown = {"outcome": outcome, "path": str(file.path), **msgspec.to_builtins(asset)}
                stow.list([shown], ["outcome", "id", "filename", "url"])
            else:
                endings.append(_failed(file, error))
    except KeyboardInterrupt:
        progress.end()
        sys.stderr.write("Stopped. The same command goes on where it was.\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)  # the threads are in the middle of a piece, and nobody waits for them
    finally:
        progress.end()
    pool.shutdown()
    if len(endings) < len(files):
        return PARTLY if endings else OK
    return endings[0].code if endings else OK


def _send_one(library: Library, file: Found, wishes: Wishes, progress: Progress) -> tuple[str, object]:
    return send(library, file, wishes, lambda sent: progress.reached(str(file.path), sent))


def _failed(file: Found, error: BaseException) -> Ended:
    ending = ending_of(error) if isinstance(error, Exception) else None
    if ending is None:
        raise error
    sys.stderr.write(f"stow: {file.path}: {ending}\n")
    return ending
