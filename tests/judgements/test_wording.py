"""A length is content where one neutral source wrote all texts, and form where it was not so."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from judge.judgements.audit import has_power, leak_audit
from judge.judgements.visible import Shown
from judge.judgements.wording import aligned, one_neutral, source_of
from judge.records.audit import LeakAudit
from judge.records.run import Document, FoundAt, PooledRecord
from tests.judgements.audited import PACKET, clean

PUBMED = "PubMed, 2026-11-30T09:00:00Z, reply abc"


def lengths(table: LeakAudit) -> dict[str, tuple[str, bool]]:
    return {
        line.name: (line.kind, line.flagged)
        for line in table.lines
        if line.tells == "system" and line.name.endswith(" length")
    }


def longer_for_k(sources: dict[str, str]) -> list[Shown]:
    """K finds reviews with long abstracts, S finds letters: whole texts, from ``sources``."""
    source = random.Random(5)
    items = []
    for item in clean():
        words = source.randint(250, 400) if item.system == "K" else source.randint(30, 80)
        view = msgspec.structs.replace(item.view, abstract="Words. " * words)
        items.append(replace(item, view=view, source=sources[str(item.system)]))
    return items


def test_lengths_of_one_neutral_source_are_printed_and_never_refused() -> None:
    table = leak_audit(PACKET, longer_for_k({"K": "PubMed", "S": "PubMed"}))
    assert lengths(table) == {
        "title length": ("residual", False),
        "abstract length": ("residual", False),
    }
    assert not any(line.flagged for line in table.lines)
    (line,) = [one for one in table.lines if (one.name, one.tells) == ("abstract length", "system")]
    assert float(line.accuracy) > 0.9  # it tells, and the report says how well
    assert "Every text is from one source (PubMed), so its length is content" in table.said


@pytest.mark.parametrize(
    "sources",
    [
        {"K": "corpus", "S": "imported from S.csv"},
        {"K": "imported from K.csv", "S": "imported from S.csv"},
        {"K": "imported from runs.csv", "S": "imported from runs.csv"},
        {"K": "PubMed", "S": "Crossref"},
        {"K": "", "S": ""},
    ],
    ids=["import beside corpus", "an import each", "one import", "two sources", "not known"],
)
def test_lengths_refuse_where_a_service_may_have_made_them(sources: dict[str, str]) -> None:
    table = leak_audit(PACKET, longer_for_k(sources))
    assert lengths(table)["abstract length"] == ("form", True)
    assert "A length that tells the system is refused." in table.said


@pytest.mark.parametrize("source", ["PubMed", "corpus"])
def test_what_formatting_could_cause_refuses_whatever_the_source(source: str) -> None:
    """Missing fields, characters, hosts and shapes: under one neutral source, too (L4 to L6)."""
    spoilt: dict[str, dict[str, Any]] = {
        "missing fields": {"abstract": None},
        "title last character": {"title": "A title."},
        "year shape": {"year": "2020-Jan"},
        "link host": {"link": "https://lexisearch.example/1"},
    }
    for name, change in spoilt.items():
        items = [
            replace(
                item,
                source=source,
                view=msgspec.structs.replace(item.view, **change)
                if item.system == "K"
                else item.view,
            )
            for item in clean()
        ]
        assert name in {line.name for line in leak_audit(PACKET, items).lines if line.flagged}


def test_the_source_is_the_first_part_of_the_provenance() -> None:
    assert source_of(Document(record_id="pmid:1", provenance=PUBMED)) == "PubMed"
    assert source_of(Document(record_id="x", provenance="imported from K.csv")) == (
        "imported from K.csv"
    )
    assert one_neutral(["PubMed", "PubMed"]) == "PubMed"
    assert one_neutral(["PubMed", "Crossref"]) is None
    assert one_neutral(["imported from K.csv"]) is None
    assert one_neutral([]) is None


# --- too few for statistics ---------------------------------------------------------------------


def pool(*found: tuple[str, str]) -> tuple[list[PooledRecord], dict[str, Document]]:
    """A record for each (systems, source of its text)."""
    records, documents = [], {}
    for number, (systems, source) in enumerate(found):
        key = f"pmid:{number}"
        records.append(
            PooledRecord(
                query_id=f"q{number % 2}",
                record_id=key,
                found_by=tuple(FoundAt(system=one, run_id="r", rank=1) for one in systems),
            )
        )
        documents[key] = Document(record_id=key, title="T", provenance=source)
    return records, documents


IMPORT_S, IMPORT_K = "imported from S.csv", "imported from K.csv"


@pytest.mark.parametrize(
    ("found", "sources"),
    [
        ([("K", "corpus"), ("S", IMPORT_S), ("S", IMPORT_S)], [IMPORT_S]),
        ([("K", IMPORT_K), ("S", IMPORT_S)], [IMPORT_K, IMPORT_S]),
        ([("K", "corpus"), ("S", IMPORT_S), ("S", "corpus")], [IMPORT_S]),
        ([("K", "corpus"), ("S", "corpus")], []),
        ([("K", PUBMED), ("S", "Crossref, then, reply x")], []),  # by record, not by service
        ([("K", "imported from runs.csv"), ("S", "imported from runs.csv")], []),
        ([("K", IMPORT_S), ("S", IMPORT_S), ("K", "corpus")], []),
        ([("KS", IMPORT_S), ("K", "corpus"), ("S", "corpus")], []),
        ([("S", IMPORT_S), ("S", "corpus")], []),  # one system: nothing to tell
    ],
)
def test_a_text_that_came_with_one_systems_run_points_to_it(
    found: list[tuple[str, str]], sources: list[str]
) -> None:
    assert [problem.where for problem in aligned(*pool(*found))] == sources


def test_power_is_that_of_the_audit() -> None:
    """Thirty items of one system only, with both systems under one need: `LEAST`."""
    few, _ = pool(*[("KS"[n // 2 % 2], "corpus") for n in range(29)])
    enough, _ = pool(*[("KS"[n // 2 % 2], "corpus") for n in range(30)])
    apart, _ = pool(*[("KS"[n % 2], "corpus") for n in range(60)])  # q0 is K's, q1 is S's
    assert [has_power(one) for one in (few, enough, apart)] == [False, True, False]
