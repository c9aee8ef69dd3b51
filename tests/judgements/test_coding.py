"""What a coder may name, and what the records say alone (R73-R78)."""

from __future__ import annotations

import pytest

from judge.judgements.coding import allowed, code_fault
from judge.judgements.failure_facts import (
    hit_facts,
    is_preprint,
    records_of_hits,
    request_facts,
)
from judge.records.failure import AutomaticFact
from judge.records.protocol import Claim
from judge.records.run import Document, Hit, Notice, Outcome, RunRecord


def run(outcome: Outcome, *hits: Hit, **changes: object) -> RunRecord:
    fields: dict[str, object] = {
        "status": "executed",
        "query_id": "q1",
        "information_need": "Aspirin.",
        "query": "aspirin",
        "mode": "keyword",
        "cutoffs": (2,),
        "raw_results": hits if outcome in ("answered", "empty") else None,
        "errors_and_notices": (),
        "run_id": "r1/K/q1/1",
        "round": "r1",
        "system": "K",
        "service": "one",
        "endpoint": "e",
        "requested": 5,
        "outcome": outcome,
        **changes,
    }
    return RunRecord(**fields)  # type: ignore[arg-type]


REFUSES = Claim(
    id="c1",
    system="K",
    behaviour="refusal",
    text="Broad queries are refused.",
    address="https://docs.example/",
    read_on="2026-11-30",
)


def facts(outcome: Outcome, *claims: Claim, **changes: object) -> list[tuple[str, str]]:
    return [(fact.code, fact.text) for fact in request_facts(run(outcome, **changes), claims)]


def test_refusal_outage_and_timeout_are_told_apart_by_their_evidence() -> None:
    said = (Notice(kind="refusal", text="too broad"),)
    assert facts("timeout", elapsed_ms=30000) == [
        ("timeout", "the request ended as timeout after 30000 ms")
    ]
    assert facts("unavailable", http_status=503) == [
        ("service_unavailable", "the request ended as unavailable, HTTP 503")
    ]
    # Only where a documented claim announces it is a refusal the documented one (R76).
    refused = "the request ended as refused: too broad"
    assert facts("refused", REFUSES, errors_and_notices=said) == [("broad_query_refusal", refused)]
    assert facts("refused", errors_and_notices=said) == [("refused", refused)]


@pytest.mark.parametrize("outcome", ["answered", "empty", "rejected", "quota", "in_doubt"])
def test_no_other_outcome_is_a_category_by_itself(outcome: Outcome) -> None:
    assert facts(outcome, REFUSES) == []


def test_problems_of_hits_come_from_the_records_alone() -> None:
    hits = (
        Hit(rank=1, record_id="1", pmid="1", link="https://one.example/1", source_type="preprint"),
        Hit(rank=2, record_id="2", pmid="2", link=None),
        Hit(rank=3, record_id="3", pmid="3", link="https://one.example/3"),
        Hit(rank=4, record_id="4", pmid="4", link="https://one.example/4", source_type="article"),
        Hit(rank=5, record_id="2", pmid="2", link="https://one.example/2"),
    )
    documents = {
        "pmid:1": Document(record_id="pmid:1", type="Preprint", provenance="t"),
        "pmid:3": Document(record_id="pmid:3", retracted=True, provenance="t"),
        "pmid:4": Document(record_id="pmid:4", preprint_of="pmid:9", provenance="t"),
    }
    asked = run("answered", *hits)
    keys = records_of_hits(asked, {})
    assert keys == {1: "pmid:1", 2: "pmid:2", 3: "pmid:3", 4: "pmid:4", 5: "pmid:2"}
    found = hit_facts(asked, documents, ("same_id",), keys)
    assert {rank: [fact.code for fact in said] for rank, said in found.items()} == {
        2: ["missing_link"],
        3: ["retracted"],
        4: ["preprint_as_article"],
        5: ["duplicate_record"],
    }
    assert found[5] == (
        AutomaticFact(code="duplicate_record", text="the same work stands at rank 2 already"),
    )
    assert not is_preprint(None)


def test_what_may_be_named_follows_the_evidence() -> None:
    assert "timeout" in allowed(hit=False, outcome="timeout")
    assert "broad_query_refusal" not in allowed(hit=False, outcome="timeout")  # R75
    assert "service_unavailable" in allowed(hit=False, outcome="quota")
    assert "wrong_literal_match" not in allowed(hit=False, outcome="answered")
    assert "timeout" not in allowed(hit=True, outcome="timeout")
    assert "missing_link" not in allowed(hit=True, outcome="answered")


@pytest.mark.parametrize(
    ("categories", "note", "said"),
    [
        ((), "", None),
        (("wrong_literal_match", "near_semantic_match"), "", None),
        (("other",), "It is a poem.", None),
        (("other",), "  ", "'other' without a note"),
        (("timeout",), "", "timeout cannot be named here"),
        (("bad",), "", "bad cannot be named here"),
        (("near_semantic_match", "wrong_literal_match"), "", "categories out of order or twice"),
        (("other", "other"), "x", "categories out of order or twice"),
    ],
)
def test_a_code_names_a_problem_from_the_list(
    categories: tuple[str, ...], note: str, said: str | None
) -> None:
    fault = code_fault(categories, note, allowed(hit=True, outcome="answered"))
    assert (fault and fault[0]) == said
