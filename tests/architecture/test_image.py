"""The image, built from Debian's packages and run as a container runs it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from build_steps.release import bill, image, image_run
from build_steps.release.running import ROOT

DIST = ROOT / "dist"


@pytest.mark.soak
def test_the_image_starts_without_root_and_read_only_and_serves_media(tmp_path: Path) -> None:
    """The image of `make release` if there is one; else it is built, which takes some minutes."""
    archives = sorted(DIST.glob("*.oci.tar"))
    if not archives:
        if shutil.which("mmdebstrap") is None or sys.version_info[:2] != image.SUITES_PYTHON:
            pytest.skip("NOT TESTED: the image was not built; it takes mmdebstrap, binutils and Python 3.11")
        out = tmp_path / "out"
        out.mkdir()
        words = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(out), str(ROOT)]
        subprocess.run(words, check=True, capture_output=True)
        bill.write_bills(out)
        archives = [image.build(out, tmp_path / "image")]
    folder = tmp_path / "run"
    folder.mkdir()
    try:
        image_run.try_image(archives[0], folder)
    except image_run.CannotRun as reason:
        pytest.skip(f"NOT TESTED HERE: the image was not run: {reason}")


def test_the_image_runs_as_a_user_by_number_and_keeps_its_data_in_a_volume() -> None:
    config = image.configuration()
    assert config["User"].isdecimal()
    assert config["Volumes"] == {image.DATA: {}}
    assert f"STOWBOARD_DATA_DIR={image.DATA}" in config["Env"]
    assert "STOWBOARD_FFMPEG=/usr/bin/ffmpeg" in config["Env"]
