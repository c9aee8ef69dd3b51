"""The small study of `studies.py`, and its report."""

from __future__ import annotations

import pytest

from judge.records.report import Report
from judge.reports.build import build
from judge.reports.material import Material
from tests.reports.studies import study


@pytest.fixture
def material() -> Material:
    return study()


@pytest.fixture
def report(material: Material) -> Report:
    return build(material, version="0.0")
