"""The lines that `make mutants` breaks are still there: a renamed one would be broken no more."""

from pathlib import Path

import pytest

from mutants.lines import MUTANTS, Mutant

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "stowboard"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.promise)
def test_the_line_stands_once_in_its_file_and_its_tests_exist(mutant: Mutant) -> None:
    assert (SOURCE / mutant.file).read_text().count(mutant.line) == 1
    words = mutant.tests.split(" -k ")[0].split()
    assert [word for word in words if not (TESTS / word).exists()] == []
