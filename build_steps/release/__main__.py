"""Make a release in dist/: build each package twice, list what is in it, make the image, try every artefact.

It releases what is committed. Nothing is sent anywhere: the files of dist/ are uploaded by whoever publishes them.
`--without-image` leaves the image out, where mmdebstrap is not installed or no Debian mirror can be reached.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from build_steps.release import bill, checksums, image, packages, tried
from build_steps.release.running import ROOT, ReleaseFailure, run, say

DIST = ROOT / "dist"


def main(words: list[str]) -> None:
    began = time.monotonic()
    if run(["git", "status", "--porcelain"]):
        say("Note: there are changes that are not committed, and they are not released")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory(prefix="stowboard-release-") as name:
        folder = Path(name)
        packages.build_twice(folder, DIST)
        bill.write_bills(DIST)
        if "--without-image" not in words:
            image.build(DIST, folder / "image")
        checksums.write_sums(DIST)
        checksums.check_sums(DIST)
        tried.try_all(DIST, folder)
    say(f"The release is in {DIST}, made and tried in {time.monotonic() - began:.0f} s:")
    for path in sorted(DIST.iterdir()):
        print(f"  {path.stat().st_size / 1e6:8.1f} MB  {path.name}")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ReleaseFailure as failure:
        sys.exit(f"No release: {failure}")
