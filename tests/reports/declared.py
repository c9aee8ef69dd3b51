"""What the small study of `studies.py` declares: its protocol and its queries."""

from __future__ import annotations

from typing import Any

import msgspec

from judge.records.protocol import (
    Choices,
    Claim,
    Depth,
    Family,
    People,
    Protocol,
    Reason,
    Rubric,
    Stratum,
    System,
    UnacceptableFailure,
)
from judge.records.query import ControlCheck, GoldPaper, Query, Translation

FREEZE_ID = "f" * 64
CUTOFFS = (2, 5)

QUERIES = (
    Query(
        id="q1",
        family="fa",
        need="Papers on one",
        text="one",
        expected="ordinary",
        strata={"organism": "human"},
        gold=(
            GoldPaper(pmid="3"),
            GoldPaper(doi="10.1000/ABC"),
            GoldPaper(title="A T-cell study, (part 2)"),
            GoldPaper(pmid="999"),
        ),
    ),
    Query(
        id="q2",
        family="fa",
        need="Papers on two",
        text="two",
        expected="ordinary",
        translations={"S": Translation(text="about two", note="S reads sentences")},
    ),
    Query(id="q3", family="fb", need="Papers on three", text="three", expected="ordinary"),
    Query(
        id="q4",
        family="fb",
        need="Papers on four",
        text="four",
        expected="ordinary",
        gold=(GoldPaper(pmid="31"), GoldPaper(pmid="400")),
    ),
    Query(
        id="q5",
        family="fc",
        need="Nothing",
        text="zzyzx",
        expected="no_match_control",
        control_check=ControlCheck(how="all titles read", on="2026-11-01", by="D"),
    ),
    Query(
        id="q6",
        family="fc",
        need="Everything",
        text="the",
        expected="documented_guard",
        tests=("c1",),
    ),
    Query(id="q7", family="fc", need="Broken", text='"open', expected="invalid_by_design"),
)


def protocol(**changes: Any) -> Protocol:
    """The protocol of the study; ``changes`` are fields of it or of its choices."""
    choices = {
        "uncertain": "bounds",
        "failed_request": "that_system",
        "duplicates": "first_counts",
        "same_record": ("same_id",),
        "gaps": "bounds",
    }
    choices |= {name: changes.pop(name) for name in list(changes) if name in choices}
    plain = Protocol(
        title="Two systems",
        decision="Which system to open first.",
        intended_users="Information specialists",
        source_scope="PubMed records",
        index_frozen=False,
        families=(
            Family(code="fa", task_type="known_item", need="One item"),
            Family(code="fb", task_type="mechanism_survey", need="A survey"),
            Family(code="fc", task_type="no_match_control", need="Behaviour"),
        ),
        unacceptable_failures=(UnacceptableFailure(code="wrong-gene", text="Another gene first"),),
        systems=(_system("K", "keyword"), _system("S", "semantic")),
        depth=Depth(requested=5, pool=5, cutoffs=CUTOFFS),
        rubric=Rubric(
            version="1",
            target_entity="as named",
            organism="any",
            mechanism="any",
            evidence_type="any",
            evidence_level="abstract",
            note="optional",
        ),
        reasons=(Reason(code="on", key="a", labels=("relevant",), text="On it", clause="1"),),
        choices=msgspec.convert(choices, Choices),
        measures=(
            "precision_at_k",
            "precision_over_returned",
            "agreement",
            "comparison",
            "failure_categories",
            "bioasq_recall",
        ),
        comparisons=(("K", "S"),),
        people=People(
            assessors=("A", "B"),
            adjudicator="D",
            adjudication="third_person",
            run_by="Code R",
            judged_by="Codes A and B",
            ties="none",
        ),
        strata=(Stratum(name="organism", values=("human", "mouse")),),
        largest_entity_share="1/2",
        resampling_seed=1,
        claims=(
            Claim(
                id="c1",
                system="K",
                behaviour="refusal",
                text="Refuses very broad queries",
                address="https://example.org/help",
                read_on="2026-11-01",
            ),
            Claim(
                id="c2",
                system="S",
                behaviour="operators",
                text="Ignores operators",
                address="https://example.org/help",
                read_on="2026-11-02",
            ),
        ),
    )
    return msgspec.structs.replace(plain, **changes)


def _system(code: str, mode: str) -> System:
    return System(
        code=code,
        service="example",
        mode=mode,
        endpoint=f"https://example.org/{mode}",
        operators=(),
        quotes_joined_by_and=False,
    )
