"""A planned study prints PLAN ONLY and no figure of a result, in any form (R01)."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from rich.console import Console

from judge.records.protocol import Criterion, Threshold
from judge.records.report import Report
from judge.records.statement import CriterionAnswer, FailureAnswer, Statement
from judge.reports.build import build
from judge.reports.render.data import report_json
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.reports.render.terminal import print_summary
from tests.reports.render.pages import read_html
from tests.reports.studies import plan

# What the plan itself declares: the threshold, and the tool's version.
DECLARED = {"3/5", "0.60", "0.0"}
NUMBER = re.compile(r"\d+(?:\.\d+)+|\d+/\d+|\d+ ?%")


@pytest.fixture
def report() -> Report:
    """A plan of a team that has filled in its statement before it has run anything."""
    material = plan()
    threshold = Threshold(measure="precision_at_k", system="K", cutoff=5, at_least="3/5")
    criteria = (
        Criterion(code="t", text="Enough", reason="Five are read", threshold=threshold),
        Criterion(code="w", text="Usable", reason="The desk says so"),
    )
    protocol = msgspec.structs.replace(material.frozen.protocol, criteria=criteria)
    frozen = msgspec.structs.replace(material.frozen, protocol=protocol)
    statement = Statement(
        answers=(FailureAnswer(code="wrong-gene", answer="not_seen", text="Never in 7/9"),),
        criteria=(CriterionAnswer(code="w", met="met", text="In 8 of 9, which is 0.8889"),),
        conclusions=("K has 0.77 here.",),
    )
    return build(dataclasses.replace(material, frozen=frozen, statement=statement), version="0.0")


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


def forms(report: Report) -> dict[str, str]:
    page = io.StringIO()
    print_summary(report, Console(file=page, width=80))
    return {
        "json": "\n".join(texts(json.loads(report_json(report)))),
        "markdown": render_markdown(report),
        "html": "\n".join(read_html(render_html(report)).text),
        "terminal": page.getvalue(),
    }


@pytest.mark.parametrize("form", ["json", "markdown", "html", "terminal"])
def test_a_plan_prints_no_share_decimal_or_per_cent_that_it_did_not_declare(
    report: Report, form: str
) -> None:
    shown = forms(report)[form]
    assert "PLAN ONLY" in shown
    assert set(NUMBER.findall(shown)) <= DECLARED


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_plan_answers_nothing_and_concludes_nothing(report: Report, form: str) -> None:
    shown = forms(report)[form]
    assert "none yet" in shown
    for words in ("Never in", "which is", "K has", "not seen,"):
        assert words not in shown
    assert "No conclusion is stated." in shown


def test_a_plan_draws_nothing(report: Report) -> None:
    assert not {tag for tag, _ in read_html(render_html(report)).tags} & {"svg", "figure"}
