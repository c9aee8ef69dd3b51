"""What every test of the project shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: how long an example takes is a fact about the machine. The same examples on every
# run in continuous integration, so that a red run there can be repeated here.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_report_header() -> str:
    """Say at the top of a run whether the tests on real input take part in it."""
    folder = os.environ.get("JUDGE_REAL_DATA")
    return (
        f"real data: {folder or 'none (JUDGE_REAL_DATA is not set; the tests on it are skipped)'}"
    )


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real runs, judgements and replies; the test is skipped where there is none."""
    folder = os.environ.get("JUDGE_REAL_DATA")
    if not folder:
        pytest.skip("needs real data: set JUDGE_REAL_DATA to its folder")
    return Path(folder)
