"""Thresholds of acceptance criteria speak only of what the protocol declares (R59, R80)."""

from __future__ import annotations

import pytest

from judge.decode import read_toml
from judge.protocol.lint import lint
from judge.records.protocol import Protocol
from tests.steps.studies import PROTOCOL, RUBRIC

CRITERION = (
    'criteria = [{code = "c", text = "Enough", reason = "Four are read", threshold = {'
    'measure = "precision_at_k", system = "K", cutoff = 4, at_least = "3/5", family = ""}}]'
)


def problems(old: str, new: str) -> list[str]:
    assert old in CRITERION
    text = PROTOCOL.replace("strata = []", f"strata = []\n{CRITERION.replace(old, new)}")
    protocol = read_toml(text.encode(), "protocol.toml", Protocol)
    return [str(problem) for problem in lint(protocol, RUBRIC)]


@pytest.mark.parametrize("family", ["", "f"])
@pytest.mark.parametrize("share", ["3/5", "0", "1"])
def test_a_threshold_of_what_is_declared_has_no_problem(family: str, share: str) -> None:
    assert problems('"3/5", family = ""', f'"{share}", family = "{family}"') == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('system = "K"', 'system = "Z"', "criteria[1].threshold.system: Z; one of K, S"),
        ("cutoff = 4", "cutoff = 3", "criteria[1].threshold.cutoff: 3; one of 2, 4"),
        ('family = ""', 'family = "zz"', "criteria[1].threshold.family: zz; one of f"),
        ('"3/5"', '"7/5"', "criteria[1].threshold.at_least: '7/5'; a share as"),
        ('"3/5"', '"0.6"', "criteria[1].threshold.at_least: '0.6'; a share as"),
        ('"3/5"', '""', "criteria[1].threshold.at_least: ''; a share as"),
        ('reason = "Four are read"', 'reason = ""', "criteria[1].reason: empty; each needs both"),
    ],
)
def test_what_is_not_declared_is_named_with_what_is(old: str, new: str, said: str) -> None:
    found = problems(old, new)
    assert len(found) == 1
    assert found[0].startswith(said), found


def test_a_measure_that_is_not_declared_decides_nothing() -> None:
    text = PROTOCOL.replace("strata = []", f"strata = []\n{CRITERION}").replace(
        'measures = ["precision_at_k", "agreement"]', 'measures = ["agreement"]'
    )
    protocol = read_toml(text.encode(), "protocol.toml", Protocol)
    assert "criteria[1].threshold.measure: precision_at_k; one of agreement" in [
        str(problem) for problem in lint(protocol, RUBRIC)
    ]
