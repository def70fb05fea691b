"""An OCI image, made without a daemon or a registry: a Debian base, and the wheel with its locked packages.

mmdebstrap makes the base from Debian's packages, with Debian's ffmpeg. The second layer, its manifest and its
configuration are written here, with sorted names and fixed times and owners, so the same packages give the same bytes.
`docker load` (25 or newer) and `podman load` take the archive. It runs as user 10001 and needs no writable file system
but its volume and /tmp.

Every package keeps its copyright notice in /usr/share/doc; /usr/share/doc/stowboard has the report of licences, which
says where the sources of the GPL and LGPL parts are.
"""

import gzip
import hashlib
import json
import platform
import shutil
import stat
import sys
import tarfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from build_steps.release.packages import commit_time, version
from build_steps.release.running import ROOT, ReleaseFailure, python, run, say

SUITE, SUITES_PYTHON = "bookworm", (3, 11)
MOST_BYTES = 200_000_000
USER = 10001
DATA = "/var/lib/stowboard"
_PACKAGES = ["python3-minimal", "libpython3-stdlib", "ca-certificates", "ffmpeg", "media-types", "tini"]
#: Manuals and translations; notices of licences are kept.
_LEFT_OUT = ["/usr/share/man/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/doc/*"]
#: Nothing needs these once all is installed: Perl, drivers of displays and of Intel's encoder, voices for speech,
#: tables for sounds in a room, log-in, fonts, manuals, what packages are built with, libraries that nothing here loads.
_REMOVED = [
    "usr/share/perl*", "usr/bin/perl*", "usr/lib/*/perl", "usr/lib/*/perl-base", "usr/lib/*/libperl.so*",
    "usr/share/X11", "usr/share/mime", "usr/share/libmysofa", "usr/lib/*/dri", "usr/lib/*/libLLVM*",
    "usr/lib/*/libGLX_mesa.so*", "usr/lib/*/mfx", "usr/share/mfx", "usr/lib/*/libmfxhw64.so*",
    "usr/lib/*/libmfx-tracer.so*", "usr/lib/*/libflite_cmu_time_awb.so*", "usr/lib/*/libflite_cmu_grapheme_*",
    "usr/lib/*/libz3.so*", "usr/lib/*/gconv", "usr/lib/*/security", "usr/lib/python3*/pydoc_data",
    "usr/lib/python3*/test", "usr/lib/*/libicui18n.so*", "usr/lib/*/libicutu.so*", "usr/lib/*/libhwy_contrib.so*",
    "usr/lib/*/libjackserver.so*", "usr/lib/*/libtiff.so*", "usr/lib/*/libLerc.so*", "usr/lib/*/libtheora.so*",
    "usr/bin/openssl", "usr/bin/localedef", "usr/share/libthai", "usr/share/fonts", "usr/share/alsa",
    "usr/share/openal", "usr/share/bash-completion", "usr/share/lintian", "usr/share/gcc", "usr/share/bug",
    "var/lib/dpkg/info/*.symbols", "var/cache/*", "var/log/*",
]  # fmt: skip
#: Where a Debian machine says which mirrors it uses; the image is made of the same ones.
_SOURCES = [Path("/etc/apt/sources.list.d/debian.sources"), Path("/etc/apt/sources.list")]
#: Parts of packages that only their makers use; and Pillow's own formats: we decode HEIC with it, into plain pixels.
_UNUSED = [
    "apsw/sqlite_extra_binaries", "apsw/tests", "PIL/_avif.*", "PIL/_webp.*", "PIL/_imagingft.*", "PIL/_imagingcms.*",
    "pillow.libs/libavif-*", "pillow.libs/libwebp*", "pillow.libs/libsharpyuv-*", "pillow.libs/libfreetype-*",
    "pillow.libs/libharfbuzz-*", "pillow.libs/libpng16-*", "pillow.libs/libbrotli*", "pillow.libs/liblcms2-*",
]  # fmt: skip
#: The image has Debian's ffmpeg, and builds nothing.
_NOT_INSTALLED = (
    "imageio_ffmpeg", "hatchling", "editables", "packaging", "pathspec", "pluggy", "tomlkit", "trove_classifiers",
    "markdown_it", "mdurl", "stowboard_client", "stowboard_cli", "bin",
)  # fmt: skip
_PLACE = "usr/local/lib/python3.11/dist-packages"
_COMMAND = '#!/bin/sh\nexec /usr/bin/python3 -m stowboard "$@"\n'
_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def build(out: Path, folder: Path) -> Path:
    """The image of the wheel in `out`, written there. Raises ReleaseFailure."""
    check_tools()
    say(f"Making the image: Debian {SUITE} with ffmpeg, then the service with its locked packages")
    folder.mkdir(parents=True)
    layers = [_base(folder), _service(out, folder)]
    target = out / f"stowboard-{version()}-{_architecture()}.oci.tar"
    write_archive(target, layers, configuration())
    size = target.stat().st_size
    if size > MOST_BYTES:
        raise ReleaseFailure(f"the image has {size / 1e6:.0f} MB packed, and may have {MOST_BYTES / 1e6:.0f}")
    say(f"  {target.name}: {size / 1e6:.0f} MB packed")
    return target


def check_tools() -> None:
    missing = [name for name in ("mmdebstrap", "strip") if shutil.which(name) is None]
    if missing:
        raise ReleaseFailure(
            f"the image needs {' and '.join(missing)}. Install mmdebstrap and binutils, or run `make release IMAGE=no`."
        )
    if sys.version_info[:2] != SUITES_PYTHON:
        raise ReleaseFailure("the image has Python 3.11, and needs the same here: make PYTHON=python3.11 clean release")


def configuration() -> dict[str, Any]:
    """How the image is run, as OCI says it."""
    return {
        "User": str(USER),
        "Env": [
            "PATH=/usr/local/bin:/usr/bin:/bin", "PYTHONUNBUFFERED=1", f"HOME={DATA}", "STOWBOARD_HOST=0.0.0.0",
            f"STOWBOARD_DATA_DIR={DATA}", "STOWBOARD_FFMPEG=/usr/bin/ffmpeg",
        ],
        "Entrypoint": ["/usr/bin/tini", "--", "/usr/local/bin/stowboard"],
        "Cmd": ["serve"],
        "WorkingDir": DATA,
        "Volumes": {DATA: {}},
        "ExposedPorts": {"8080/tcp": {}},
        "StopSignal": "SIGTERM",
        "Labels": {
            "org.opencontainers.image.title": "Stowboard",
            "org.opencontainers.image.version": version(),
            "org.opencontainers.image.licenses": "Apache-2.0",
        },
    }  # fmt: skip


def write_archive(target: Path, layers: list[Path], config: dict[str, Any]) -> None:
    """An OCI layout in one tar: layers as they are, configuration, manifest, index."""
    blobs = [{"mediaType": _LAYER, **_descriptor(layer.read_bytes())} for layer in layers]
    contents = [hashlib.sha256(gzip.decompress(layer.read_bytes())).hexdigest() for layer in layers]
    config_bytes = _json({
        "created": _created(), "architecture": _architecture(), "os": "linux", "config": config,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest in contents]},
    })  # fmt: skip
    manifest = _json({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": {"mediaType": "application/vnd.oci.image.config.v1+json", **_descriptor(config_bytes)},
        "layers": blobs,
    })  # fmt: skip
    # podman reads the first one, docker the second.
    names = ("org.opencontainers.image.ref.name", "io.containerd.image.name")
    name = dict.fromkeys(names, f"stowboard:{version()}")
    index = _json({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [{
            "mediaType": "application/vnd.oci.image.manifest.v1+json", **_descriptor(manifest), "annotations": name,
        }],
    })  # fmt: skip
    files = {"oci-layout": _json({"imageLayoutVersion": "1.0.0"}), "index.json": index}
    for data in (config_bytes, manifest, *(layer.read_bytes() for layer in layers)):
        files[f"blobs/sha256/{hashlib.sha256(data).hexdigest()}"] = data
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in sorted(files.items()):
            _add(tar, tarfile.TarInfo(path), 0o644, data)


def _base(folder: Path) -> Path:
    tar = folder / "base.tar"
    exclude = [f"--dpkgopt=path-exclude={pattern}" for pattern in _LEFT_OUT]
    run([
        "mmdebstrap", "--quiet", "--variant=essential", f"--include={','.join(_PACKAGES)}",
        '--aptopt=APT::Install-Recommends "false"', *exclude, "--dpkgopt=path-include=/usr/share/doc/*/copyright",
        f"--customize-hook=cd \"$1\" && rm -rf {' '.join(_REMOVED)}", SUITE, tar, _sources(),
    ], SOURCE_DATE_EPOCH=str(commit_time()))  # fmt: skip
    return _packed(tar)


def _sources() -> Path:
    for path in _SOURCES:
        if path.exists() and SUITE in path.read_text():
            return path
    raise ReleaseFailure(f"the image is made of Debian {SUITE}, which apt's sources on this machine do not name.")


def _service(out: Path, folder: Path) -> Path:
    """The wheel and its packages where Debian's Python looks for them, compiled, with the notices."""
    root = folder / "root"
    place, notices = root / _PLACE, root / "usr/share/doc/stowboard"
    [wheel] = out.glob("stowboard-*.whl")
    install: list[str | Path] = [python(), "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps"]
    install += ["--target", place]
    run([*install, "--require-hashes", "-r", ROOT / "requirements" / "run.txt"])
    run([*install, wheel])
    for path in place.iterdir():
        if path.name.startswith(_NOT_INSTALLED):
            shutil.rmtree(path)
    for pattern in [*_UNUSED, "**/*.pyi", "**/*.pyx"]:  # the last two are for type checkers and compilers
        for path in sorted(place.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    # Symbols for debuggers are a third of the extension modules. What lies in `.libs` was moved by its wheel's maker.
    modules = [path for path in sorted(place.rglob("*.so")) if not path.parent.name.endswith(".libs")]
    run(["strip", "--strip-unneeded", *modules])
    run([python(), "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "-s", root, "-p", "/", place])
    notices.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", notices / "copyright")
    for report in out.glob("*-licences.md"):
        shutil.copy(report, notices)
    command = root / "usr/local/bin/stowboard"
    command.parent.mkdir(parents=True)
    command.write_text(_COMMAND)
    command.chmod(0o755)
    tar = folder / "service.tar"
    with tarfile.open(tar, "w", format=tarfile.PAX_FORMAT) as layer:
        for path in sorted(root.rglob("*")):
            _add_file(layer, path, path.relative_to(root).as_posix())
        data = tarfile.TarInfo(DATA.strip("/"))
        data.type, data.uid, data.gid = tarfile.DIRTYPE, USER, USER
        _add(layer, data, 0o700, b"")
    return _packed(tar)


def _add_file(tar: tarfile.TarFile, path: Path, name: str) -> None:
    info = tarfile.TarInfo(name)
    if path.is_symlink():
        info.type, info.linkname = tarfile.SYMTYPE, str(path.readlink())
        _add(tar, info, 0o777, b"")
    elif path.is_dir():
        info.type = tarfile.DIRTYPE
        _add(tar, info, 0o755, b"")
    else:
        _add(tar, info, 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644, path.read_bytes())


def _add(tar: tarfile.TarFile, info: tarfile.TarInfo, mode: int, data: bytes) -> None:
    info.mode, info.size, info.mtime = mode, len(data), commit_time()
    tar.addfile(info, BytesIO(data))


def _packed(tar: Path) -> Path:
    target = tar.with_suffix(".tar.gz")
    with tar.open("rb") as source, target.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        shutil.copyfileobj(source, packed, 1 << 20)
    return target


def _descriptor(data: bytes) -> dict[str, Any]:
    return {"digest": f"sha256:{hashlib.sha256(data).hexdigest()}", "size": len(data)}


def _json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def _created() -> str:
    return datetime.fromtimestamp(commit_time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _architecture() -> str:
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
