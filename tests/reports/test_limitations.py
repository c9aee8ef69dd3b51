"""Limitations from the data, and what was left out: true of the small study, with their counts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from judge.records.audit import LeakAudit
from judge.records.report import Report
from judge.records.source import SourceCheck
from judge.records.statement import FailureAnswer, Statement
from judge.reports.build import build
from tests.reports.declared import QUERIES
from tests.reports.studies import deal, item, plan, report_of, run, study

# Worked from the tables in `studies.py`: 16 pooled items, one record each.
HERE = {
    # q1 to q4 are ordinary: fewer than five, two in fa and two in fb.
    "Ordinary queries in the set: 4, fewer than 5. No interval is given for a mean over them.",
    "Families with fewer than 5 ordinary queries: 2 of 3, namely fa (2), fb (2). Their means have "
    "no interval.",
    # c1 was tested by q6, c2 by nothing.
    "Documented claims not verified here: 1 of 2. They are the services' own words.",
    # Of fourteen requests q3, q6 and q7 at K and q4 at S gave no list.
    "Lists from an index that was not shown to stand still: 10 of 14 counted requests. The study "
    "is dated, and nobody can ask the same index again.",
    "Ordinary queries without a list from K: 1 of 4. They have no P@k there.",
    "Ordinary queries without a list from S: 1 of 4. They have no P@k there.",
    "Rounds of requests: 1 (r1). How answers change from day to day was not measured.",
    "Pooled records not checked at their sources: 16 of 16. Retractions and preprints among them "
    "may have gone unseen.",
    "Pooled records without an abstract: 1 of 16.",
    # 12 (split) and 14 (nobody could judge) have no final judgement; 22 is uncertain to both.
    "Pooled items without a final judgement: 2 of 16. P@k of their queries is between bounds "
    "wherever they hold a scored rank.",
    "Pooled items whose final label is uncertain: 1 of 16.",
    # q2 was answered by K alone, q3 by S alone, q4 by K alone.
    "Queries that one system alone gave hits for: 3 of 4 pooled. Blinding is void for them.",
    "Assessors who were not asked which system found an item: 2 of 2. Whether blinding held for "
    "them was not measured.",
}


def here(**changes: Any) -> list[str]:
    return list(report_of(**changes).limitations.here)


def starts(said: list[str], words: str) -> list[str]:
    return [one for one in said if one.startswith(words)]


def test_every_limitation_of_the_small_study_with_its_count(report: Report) -> None:
    assert set(report.limitations.here) == HERE


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ("scripted", "Items with a label written in advance: 16 of 16."),
        ("imported", "Items with a label made elsewhere, not blinded here: 16 of 16."),
    ],
)
def test_labels_that_nobody_gave_blind_are_counted(origin: str, words: str) -> None:
    assert len(starts(here(origin=origin), words)) == 1
    assert not starts(here(), words.split(":")[0])
    # Nobody was blind, so there is nobody whose blinding could have been asked for.
    assert not starts(here(origin=origin), "Assessors who were not asked")


def test_items_labelled_once() -> None:
    first = item("q1", "1")
    once = msgspec.structs.replace(first, labels={"A": first.labels["A"]})
    items = (once, *study().items[1:])
    assert "Items labelled once: 1 of 16. Their agreement is not known." in here(items=items)


def test_few_queries_from_five_on() -> None:
    def ordinary(count: int) -> list[str]:
        queries = tuple(
            msgspec.structs.replace(QUERIES[0], id=f"x{number}") for number in range(count)
        )
        runs = tuple(run(one, system) for one in queries for system in ("K", "S"))
        plain = tuple(msgspec.structs.replace(one, outcome="empty", raw_results=()) for one in runs)
        return here(evaluation=queries, runs=plain, items=(), pool=(), agreement=(), deals=())

    assert starts(ordinary(4), "Ordinary queries in the set: 4, fewer than 5.")
    assert starts(ordinary(5), "Ordinary queries in the set: 5, fewer than 20.")
    assert starts(ordinary(19), "Ordinary queries in the set: 19, fewer than 20.")
    assert not starts(ordinary(20), "Ordinary queries in the set")
    assert not starts(ordinary(5), "Families with fewer")


def test_a_frozen_index_two_rounds_and_checked_records_take_their_sentences_away() -> None:
    runs = tuple(msgspec.structs.replace(one, index_digest="d") for one in study().runs)
    again = msgspec.structs.replace(runs[0], round="r2", run_id="r2-K-q1-1")
    checks = {
        one.record_id: SourceCheck(record_id=one.record_id, number=1, says=(), document=None)
        for one in study().pool
    }
    said = here(index_frozen=True, runs=(*runs, again), checks=checks, pool=study().pool)
    for words in ("Lists from an index", "Rounds of requests", "Pooled records not checked"):
        assert not starts(said, words), words
        assert starts(here(), words), words


def test_rounds_are_those_of_evaluation_queries() -> None:
    tried = msgspec.structs.replace(study().runs[0], query_id="d1", round="dev", run_id="dev-1")
    assert starts(here(runs=(*study().runs, tried)), "Rounds of requests: 1 (r1).")


def test_an_audit_without_power_is_said_and_one_with_power_is_not() -> None:
    audit = audited("A")
    strong = msgspec.structs.replace(audit, packet_id="p-B", assessor="B", permutations=1000)
    said = here(audits=(audit, strong))
    assert starts(said, "Packets whose leak audit had no power: 1 of 2.")
    assert not starts(here(audits=(strong,)), "Packets whose leak audit")


def test_one_system_leaves_nothing_to_blind() -> None:
    protocol = study().frozen.protocol
    alone = tuple(one for one in study().runs if one.system == "K")
    said = here(systems=protocol.systems[:1], comparisons=(), runs=alone)
    assert not starts(said, "Queries that one system alone")
    assert not starts(said, "Assessors who were not asked")


def test_a_plan_speaks_of_its_queries_and_claims_alone() -> None:
    said = build(plan(), version="0.0").limitations.here
    assert [one.split(":")[0] for one in said] == [
        "Ordinary queries in the set",
        "Families with fewer than 5 ordinary queries",
        "Documented claims not verified here",
    ]


def test_p_at_k_carries_its_limits_beside_it(report: Report) -> None:
    """R72: next to P@k, and again at the end."""
    beside = " ".join(report.precision.limits)
    for words in ("query set", "missed", "complete an index", "clinical suitability", "generated"):
        assert words in beside
    assert set(report.precision.limits) <= set(report.limitations.always)


# --- what was left out --------------------------------------------------------------------------


def left_out(report: Report) -> dict[str, tuple[int, str]]:
    return {row.what: (row.count, row.why) for row in report.left_out.rows}


def test_everything_left_out_of_the_small_study_with_its_number(report: Report) -> None:
    assert {what: count for what, (count, _) in left_out(report).items()} == {
        "development queries": 1,
        "no-match controls": 1,
        "documented guards": 1,
        "queries that are invalid by design": 1,
        "requests that gave no list: refused": 2,
        "requests that gave no list: rejected": 1,
        "requests that gave no list: timeout": 1,
        "ordinary queries left out of mean P@2 of K": 1,
        "ordinary queries left out of mean P@2 of S": 1,
        "ordinary queries left out of mean P@5 of K": 1,
        "ordinary queries left out of mean P@5 of S": 1,
    }
    assert report.left_out.said == ()


def audited(code: str) -> LeakAudit:
    """The audit of a packet that came back."""
    return LeakAudit(
        packet_id=f"p-{code}",
        assessor=code,
        kind="label",
        items=16,
        single=3,
        exchangeable=0,
        permutations=0,
        lines=(),
        said="The audit has no power.",
    )


def test_a_practice_packet_that_is_out_is_withheld_and_not_counted() -> None:
    found = left_out(report_of(deals=(deal("A"), deal("B"), deal("C", practice=True))))
    assert "practice packets" not in found


def test_excused_pairs_attempts_deep_hits_and_practice_are_counted() -> None:
    runs = tuple(one for one in study().runs if one.run_id != "r1-S-q4-1")
    earlier = msgspec.structs.replace(runs[0], attempt=0, run_id="r1-K-q1-0")
    depth = msgspec.structs.replace(study().frozen.protocol.depth, pool=4, cutoffs=(2,))
    report = report_of(
        runs=(earlier, *runs),
        pool=study().pool,
        excused={("q4", "S"): "the service was closed"},
        deals=(deal("A"), deal("B"), deal("C", practice=True)),
        audits=(audited("C"),),
        repeats={"A": (("relevant", "relevant"), ("uncertain", "relevant"))},
        depth=depth,
        statement=Statement(
            answers=(FailureAnswer(code="wrong-gene", answer="not_seen"),),
            left_out=("Titles of one publisher",),
        ),
    )
    found = left_out(report)
    assert found["requests that were not made"] == (1, "the service was closed")
    assert found["earlier attempts and other rounds"][0] == 1
    # Only the two lists of five, q1 and q2 at K, are deeper than four.
    assert found["hits below pool depth"] == (2, "only ranks 1 to 4 are judged")
    assert found["practice packets"][0] == 1
    assert found["second labels of hidden repeats"][0] == 2
    assert report.left_out.said == ("Titles of one publisher",)


def test_a_plan_leaves_out_queries_and_nothing_that_was_run() -> None:
    assert list(left_out(build(plan(), version="0.0"))) == [
        "development queries",
        "no-match controls",
        "documented guards",
        "queries that are invalid by design",
    ]
