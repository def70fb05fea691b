"""Do background work only: beside servers that have STOWBOARD_JOBS_IN_SERVER=false, or in addition to servers."""

from argparse import Namespace

from stowboard.cli.serving.memory import loaded_for_good
from stowboard.settings import Settings


def run(settings: Settings, _: Namespace) -> None:
    with loaded_for_good():
        from stowboard.cli.serving.background import work_alone
    work_alone(settings)
