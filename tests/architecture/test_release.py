"""`make release` makes files that fit their sums, a bill of everything, and only licences that were agreed to."""

import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from build_steps.release import bill, checksums, packages
from build_steps.release.running import ReleaseFailure

NEEDED = bill.find_needed("stowboard", "stowboard-client")


def test_a_file_that_does_not_fit_its_checksum_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"as it was")
    checksums.write_sums(tmp_path)
    checksums.check_sums(tmp_path)
    (tmp_path / "a.whl").write_bytes(b"another")
    with pytest.raises(ReleaseFailure, match=r"a\.whl is not the file .* Do not install it"):
        checksums.check_sums(tmp_path)
    (tmp_path / "a.whl").unlink()
    with pytest.raises(ReleaseFailure, match=r"a\.whl is named in SHA256SUMS and is not there"):
        checksums.check_sums(tmp_path)


def test_two_builds_that_differ_name_the_file_that_does(tmp_path: Path) -> None:
    for name in ("one", "other"):
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as wheel:
            wheel.writestr("same.py", "1")
            wheel.writestr("built/stamp", name)
        (tmp_path / "stamp").write_text(name)
        with tarfile.open(tmp_path / f"{name}.tar.gz", "w:gz") as sdist:
            sdist.add(tmp_path / "stamp", "built/stamp")
    for suffix in ("whl", "tar.gz"):
        pair = (tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}")
        assert packages.differences(*pair) == ["built/stamp"]


@pytest.mark.parametrize(
    ("python", "npm"), [("0.2.0", "0.2.0"), ("0.3.0rc1", "0.3.0-rc.1"), ("1.0.0b12", "1.0.0-b.12")]
)
def test_npm_is_told_the_same_version_in_its_own_form(python: str, npm: str) -> None:
    assert packages.npm_version(python) == npm


def test_every_dependency_has_a_licence_that_was_agreed_to() -> None:
    assert bill.find_refused(NEEDED, []) == []
    assert bill.find_refused({}, [{"name": "x", "version": "1", "licence": "SSPL-1.0"}]) == ["x (SSPL-1.0)"]


def test_the_bill_names_every_package_and_the_libraries_inside_it() -> None:
    made = bill.make_bill(NEEDED, [{"name": "@scope/x", "version": "1.0.0", "licence": "MIT"}])
    assert made == bill.make_bill(NEEDED, [{"name": "@scope/x", "version": "1.0.0", "licence": "MIT"}])
    components = made["components"]
    assert isinstance(components, list)
    by_name = {component["name"]: component for component in components}
    assert {canonicalize_name(package.name) for package in NEEDED.values()} | {"@scope/x"} == by_name.keys()
    assert by_name["@scope/x"]["purl"] == "pkg:npm/%40scope/x@1.0.0"
    assert {"libx264", "libavcodec"} <= {inside["name"] for inside in by_name["av"]["components"]}
    assert bill.INSIDE.keys() <= by_name.keys()
