"""Writes a release's bill of materials (CycloneDX 1.6) and its report of licences.

Python packages are those that the locked environment has for the service and the client. A wheel may carry libraries of
other projects: those in its `.libs` folder are listed by their files, those in a bill of its own (PEP 770) as it says.
The console's packages are those in its bundle. A licence that nobody has agreed to fails the release.
"""

import json
import re
import uuid
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from build_steps import console
from build_steps.release.packages import version
from build_steps.release.running import ReleaseFailure, say

#: Licences that a dependency may have, as packages name them; the table of the report says what each asks of whom.
AGREED = re.compile(
    r"(0BSD|MIT(-0|-CMU| License)?|BSD(-[23]-Clause)?|Apache(-2\.0| License, Version 2\.0)|ISC|PSF-2\.0|Zlib"
    r"|any-OSI|LGPL-3\.0-or-later|BSD-3-Clause, Apache-2\.0, dependency licenses)( (OR|AND) |$)"
)
#: Programs and libraries inside wheels that have another licence than their wheel. A wheel of ours only depends on
#: them; an image has them in it, and with them the duty to say where their sources are.
INSIDE = {
    "av": ("FFmpeg with libx264 and libx265, in av.libs", "GPL-2.0-or-later", "https://github.com/PyAV-Org/pyav-ffmpeg"),
    "imageio-ffmpeg": ("the program ffmpeg", "GPL-3.0-or-later", "https://github.com/imageio/imageio-binaries"),
    "pi-heif": ("libheif and libde265, in pi_heif.libs", "LGPL-3.0-or-later", "https://github.com/bigcat88/pillow_heif"),
    "pypdfium2": ("PDFium", "Apache-2.0", "https://github.com/bblanchon/pdfium-binaries"),
    "pyvips-binary": ("libvips and what it reads", "LGPL-3.0-or-later", "https://github.com/kleisauke/libvips-packaging"),
}  # fmt: skip
_LIBRARY = re.compile(r"(?P<name>lib[\w+-]+?)-[0-9a-f]{8}\.so(?P<version>[\d.]*)$")
_BUNDLED = re.compile(r"^## (?P<name>\S+) - (?P<version>\S+) \((?P<licence>[^)]+)\)$", re.MULTILINE)


def write_bills(out: Path) -> None:
    say("Listing what the packages are made of, and under which licences")
    needed = find_needed("stowboard", "stowboard-client")
    bundled = [match.groupdict() for match in _BUNDLED.finditer((console.FOLDER / "THIRD-PARTY.md").read_text())]
    refused = find_refused(needed, bundled)
    if refused:
        raise ReleaseFailure(
            f"licences that nobody has agreed to: {', '.join(refused)}. See build_steps/release/bill.py."
        )
    name = f"stowboard-{version()}"
    (out / f"{name}.cdx.json").write_text(json.dumps(make_bill(needed, bundled), indent=1) + "\n")
    (out / f"{name}-licences.md").write_text(make_report(needed, bundled))


def find_needed(*names: str) -> dict[str, Distribution]:
    """The packages that these ones need on this system, each with what it needs, without these ones."""
    found: dict[str, Distribution] = {}
    waiting = [*names]
    while waiting:
        name = canonicalize_name(waiting.pop())
        try:
            found.setdefault(name, distribution(name))
        except PackageNotFoundError:
            raise ReleaseFailure(f"{name} is not installed here. Run `make release`, which installs it.") from None
        wanted = [Requirement(text) for text in found[name].requires or ()]
        here = [each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
        waiting += [each for each in here if canonicalize_name(each) not in found]
    return {name: found[name] for name in sorted(found) if name not in names}


def find_refused(needed: dict[str, Distribution], bundled: list[dict[str, str]]) -> list[str]:
    licences = {name: licence_of(package) for name, package in needed.items()}
    licences |= {package["name"]: package["licence"] for package in bundled}
    return [f"{name} ({licence or 'none named'})" for name, licence in licences.items() if not AGREED.match(licence)]


def licence_of(package: Distribution) -> str:
    texts = package.metadata.json
    stated = str(texts.get("license_expression") or texts.get("license") or "")
    classified = [text.rpartition(" :: ")[2] for text in texts.get("classifier", []) if "License ::" in text]
    return stated.splitlines()[0] if stated else "MIT" if classified == ["MIT License"] else ", ".join(classified)


def make_bill(needed: dict[str, Distribution], bundled: list[dict[str, str]]) -> dict[str, object]:
    """The same for the same packages: its number is made from them."""
    components = [component for package in needed.values() for component in _components(package)]
    components += [_component(each["name"], each["version"], each["licence"], "npm") for each in bundled]
    ours = {"type": "application", "name": "stowboard", "version": version(), "licenses": _licences("Apache-2.0")}
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([ours, components]))
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{number}", "version": 1,
        "metadata": {"component": {**ours, "bom-ref": "stowboard"}}, "components": components,
    }  # fmt: skip


def make_report(needed: dict[str, Distribution], bundled: list[dict[str, str]]) -> str:
    rows = [f"| {name} | {each.version} | {licence_of(each)} |" for name, each in needed.items()]
    rows += [f"| {each['name']} (console) | {each['version']} | {each['licence']} |" for each in bundled]
    inside = [f"| {name} | {what} | {licence} | <{sources}> |" for name, (what, licence, sources) in INSIDE.items()]
    return "\n".join([
        f"# Licences of what Stowboard {version()} needs", "",
        "Stowboard itself is under the Apache License 2.0.", "",
        "| package | version | licence, as the package names it |", "|---|---|---|", *rows, "",
        "## Inside these packages", "",
        "Programs and libraries of other projects. The last column says where their sources are.",
        "", "| package | has in it | licence | sources |", "|---|---|---|---|", *inside, "",
    ])  # fmt: skip


def _components(package: Distribution) -> Iterator[dict[str, object]]:
    name = canonicalize_name(package.name)
    component = _component(name, package.version, licence_of(package), "pypi")
    inside = [dict(each) for each in _inside(package)]
    yield component | ({"components": inside} if inside else {})


def _inside(package: Distribution) -> Iterator[dict[str, object]]:
    seen: set[tuple[str, str]] = set()
    for file in package.files or ():
        if "sboms" in file.parts and file.suffix == ".json":
            for each in json.loads(file.read_text()).get("components", []):
                if (each["name"], each.get("version", "")) not in seen:
                    seen.add((each["name"], each.get("version", "")))
                    yield {key: each[key] for key in ("type", "name", "version", "purl") if key in each}
        elif match := _LIBRARY.match(file.name):
            yield {"type": "library", "name": match["name"], "version": match["version"].strip(".") or "unknown"}


def _component(name: str, number: str, licence: str, kind: str) -> dict[str, object]:
    reference = f"pkg:{kind}/{name.replace('@', '%40')}@{number}"
    return {
        "type": "library", "bom-ref": reference, "name": name, "version": number, "purl": reference,
        "licenses": _licences(licence),
    }  # fmt: skip


def _licences(text: str) -> list[dict[str, object]]:
    if re.fullmatch(r"[\w.-]+( (OR|AND) [\w.-]+)+", text):
        return [{"expression": text}]
    return [
        {"license": {"id": text} if re.fullmatch(r"(MIT|ISC|0BSD|[A-Za-z]+-[\d.]+[\w.-]*)", text) else {"name": text}}
    ]
