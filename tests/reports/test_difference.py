"""Two dated reports of one protocol, worked by hand on the small study (cutoffs 2 and 5).

The later round: K answers q1 with 1 9 3 2 instead of 1 2 3 4 5, gives no list for q4, and S turns
the two hits of q3 round. Record 9 has no label yet.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from judge.cli import run as judge
from judge.errors import Refused
from judge.records.difference import Difference
from judge.records.run import RunRecord
from judge.reports.build import build
from judge.reports.difference import difference
from judge.reports.material import Material
from tests.reports.studies import hit, study
from tests.steps.acts import at


def later() -> Material:
    """The study a month on."""

    def turned(one: RunRecord) -> RunRecord:
        changes: dict[str, object] = {"retrieved_at_utc": "2026-12-30T09:02:00Z"}
        lists = {("q1", "K"): "1 9 3 2", ("q3", "S"): "22 21"}
        if (one.query_id, one.system) in lists:
            pmids = lists[one.query_id, one.system].split()
            changes["raw_results"] = tuple(hit(rank, pmid) for rank, pmid in enumerate(pmids, 1))
        if (one.query_id, one.system) == ("q4", "K"):
            changes |= {"raw_results": None, "outcome": "timeout"}
        return msgspec.structs.replace(one, **changes)

    return study(runs=tuple(map(turned, study().runs)))


def runs(made: Material) -> dict[str, RunRecord]:
    return {one.run_id: one for one in made.runs}


@pytest.fixture(scope="module")
def found() -> Difference:
    first, second = study(), later()
    return difference(
        build(first, version="0"), build(second, version="0"), runs(first), runs(second)
    )


def test_what_appeared_in_a_list_and_what_left_it(found: Difference) -> None:
    assert found.depth == 5
    told = {(one.query_id, one.system): (one.appeared, one.left, one.stayed) for one in found.lists}
    assert told == {
        ("q1", "K"): (("pmid:9",), ("pmid:4", "pmid:5"), 3),
        ("q3", "S"): ((), (), 2),
        ("q4", "K"): ((), ("pmid:31", "pmid:32"), 0),
    }
    outcomes = {one.query_id: (one.outcome_before, one.outcome_after) for one in found.lists}
    assert outcomes["q4"] == ("answered", "timeout")
    # Seven queries at two systems, three lists are others.
    assert found.same_lists == 11


def test_which_figures_are_others(found: Difference) -> None:
    changed = {
        (one.where, one.system, one.cutoff): (one.before, one.after) for one in found.queries
    }
    # q1, K at 5: R N R R N 3/5; then R ? R N, one open rank: 2/5 to 3/5.
    before, after = changed["q1", "K", 5]
    assert before.startswith("0.60 ")
    assert "between 0.40 and 0.60" in after
    assert ("q2", "K", 5) not in changed
    assert found.before == "2026-11-30"
    assert found.after == "2026-12-30"


def test_a_report_and_itself_differ_in_nothing() -> None:
    made = study()
    report = build(made, version="0")
    same = difference(report, report, runs(made), runs(made))
    assert (same.means, same.queries, same.lists, same.same_lists) == ((), (), (), 14)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda made: dataclasses.replace(made, freeze_id="0" * 64), "of two protocols"),
        (lambda made: dataclasses.replace(made, runs=()), "does not hold the runs"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    change: Callable[[Material], Material], said: str
) -> None:
    made, other = study(), change(study())
    report = build(dataclasses.replace(other, runs=made.runs), version="0")
    with pytest.raises(Refused, match=said):
        difference(build(made, version="0"), report, runs(made), runs(other))


def test_the_command_reads_reports_where_they_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = at("judged", tmp_path).study.root
    assert judge(["report", "--study", str(root)]) == 0
    (report,) = (root / "reports").glob("2*")
    capsys.readouterr()
    assert judge(["diff", str(report), str(report / "report.json")]) == 0
    out = capsys.readouterr().out
    assert "Neither corrects the other." in out
    assert "correction" not in out
    # Three queries at two systems.
    assert "Lists to rank 4: 6 the same, 0 others" in out
    assert judge(["diff", str(report), str(tmp_path)]) == 3
    assert "there is no report here" in capsys.readouterr().err
