"""Run the image as a container would: not root, a read-only file system, one volume; and try it.

umoci unpacks it, and runc runs it, or bwrap where the kernel lets no container be made. What is tried: the start, an
image with a thumbnail, a video up to its first rendition, a stop, and a second start that still knows both.
"""

import json
import os
import shutil
import signal
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from build_steps.release.image import DATA, USER
from build_steps.release.packages import version
from build_steps.release.running import ReleaseFailure, free_port, run, say

_TOKEN = "a-token-of-the-image-that-lives-for-a-minute"  # noqa: S105 - of an installation that lives for a minute
_LONGEST_SECONDS = 300


class CannotRun(Exception):
    """This machine runs no container; the text says why."""


def try_image(archive: Path, folder: Path) -> None:
    """Raises ReleaseFailure if the image does not work, CannotRun if it could not be run here."""
    from stowboard_client import Client

    bundle, data = unpack(archive, folder), folder / "volume"
    data.mkdir()
    os.chown(data, USER, USER)
    picture, clip = _make_files(folder)
    with _running(bundle, data, folder) as origin, Client(origin, _TOKEN) as client:
        asset = client.upload(picture, tags=["tried"])
        thumbnail = client.delivery.resolve(asset.id, transform_class="thumbnail").url
        with urlopen(thumbnail, timeout=60) as answer:  # noqa: S310 - a server of ours
            answer.read()
        video = client.videos.wait_until_ready(client.videos.upload(clip, title="tried").id, _LONGEST_SECONDS)
    with _running(bundle, data, folder) as origin, Client(origin, _TOKEN) as client:
        found = [each.id for each in client.assets.list(tags=["tried"])]
        if found != [asset.id] or client.videos.get(video.id).status != "ready":
            raise ReleaseFailure("the image forgot what it had stored before it was stopped")
    say(f"  {archive.name}: started without root, read-only; an image, a video, a stop, a second start")


def unpack(archive: Path, folder: Path) -> Path:
    """A bundle for runc, with the file system in `rootfs`."""
    if os.geteuid() != 0 or shutil.which("umoci") is None:
        raise CannotRun("it takes umoci, and root to give files to another user")
    layout, bundle = folder / "layout", folder / "bundle"
    with tarfile.open(archive) as tar:
        tar.extractall(layout, filter="data")
    # umoci takes no name with a colon.
    index = layout / "index.json"
    index.write_text(index.read_text().replace(f'"stowboard:{version()}"', '"tried"'))
    run(["umoci", "unpack", "--image", f"{layout}:tried", bundle])
    return bundle


@contextmanager
def _running(bundle: Path, data: Path, folder: Path) -> Iterator[str]:
    """The address of the service. It is stopped by SIGTERM, and has to end with 0."""
    port = free_port()
    log = folder / "image.log"
    words = _by_runc(bundle, data, port) if shutil.which("runc") else _by_bwrap(bundle, data, port)
    with log.open("wb") as output:
        process = subprocess.Popen(words, cwd=bundle, stdout=output, stderr=subprocess.STDOUT)
    try:
        _wait_for(f"http://127.0.0.1:{port}/readyz", process, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(timeout=120)
    if code != 0:
        raise ReleaseFailure(f"the image ended with {code}:\n{log.read_text()[-2000:]}")


def _settings(port: int) -> dict[str, str]:
    return {"STOWBOARD_PORT": str(port), "STOWBOARD_BOOTSTRAP_TOKEN": _TOKEN}


def _by_runc(bundle: Path, data: Path, port: int) -> list[str]:
    """umoci's own description of the container, with the network of this machine and the volume."""
    original = bundle / "as-unpacked.json"
    if not original.exists():
        shutil.copy(bundle / "config.json", original)
    config = json.loads(original.read_text())
    config["process"]["terminal"] = False
    config["process"]["env"] += [f"{name}={value}" for name, value in _settings(port).items()]
    config["root"]["readonly"] = True
    config["linux"]["namespaces"] = [each for each in config["linux"]["namespaces"] if each["type"] != "network"]
    config["mounts"] = [each for each in config["mounts"] if each["destination"] != DATA] + [
        {"destination": DATA, "type": "bind", "source": str(data), "options": ["rbind", "rw"]},
        {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "mode=1777"]},  # noqa: S108
    ]
    (bundle / "config.json").write_text(json.dumps(config))
    return ["runc", "run", f"stowboard-tried-{os.getpid()}-{port}"]


def _by_bwrap(bundle: Path, data: Path, port: int) -> list[str]:
    if shutil.which("bwrap") is None:
        raise CannotRun("neither runc nor bwrap is installed")
    config = json.loads((bundle / "config.json").read_text())["process"]
    env = dict(text.split("=", 1) for text in config["env"]) | _settings(port)
    named = [word for name, value in env.items() for word in ("--setenv", name, value)]
    places = ["--ro-bind", str(bundle / "rootfs"), "/", "--bind", str(data), DATA, "--tmpfs", "/tmp"]  # noqa: S108
    as_user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    return [*as_user, "bwrap", *places, "--proc", "/proc", "--dev", "/dev", "--clearenv", *named, *config["args"]]


def _wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(_LONGEST_SECONDS * 2):
        if process.poll() is not None:
            said = log.read_text()[-2000:]
            refused = any(word in said for word in ("cgroup", "operation not permitted", "Operation not permitted"))
            raise (CannotRun if refused and "stowboard" not in said else ReleaseFailure)(
                f"the image did not start:\n{said}"
            )
        try:
            with urlopen(url, timeout=5):  # noqa: S310 - a server of ours
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise ReleaseFailure(f"{url} never answered")


def _make_files(folder: Path) -> tuple[Path, Path]:
    import imageio_ffmpeg

    picture, clip = folder / "picture.png", folder / "clip.mp4"
    program = str(imageio_ffmpeg.get_ffmpeg_exe())  # type: ignore[attr-defined,no-untyped-call]
    source = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x240:r=10:d=1"]
    run([program, *source, "-frames:v", "1", picture])
    run([program, *source, "-pix_fmt", "yuv420p", clip])
    return picture, clip
