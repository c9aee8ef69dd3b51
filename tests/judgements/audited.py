"""A packet in which nothing of an item depends on who found it, for tests to spoil."""

from __future__ import annotations

import random
from collections.abc import Sequence

from judge.judgements.audit import Known
from judge.judgements.visible import Shown
from judge.records.judgement import Packet, View
from judge.records.run import FoundAt, PooledRecord

WORDS = (
    "aspirin",
    "stroke",
    "mice",
    "outcome",
    "trial",
    "in",
    "of",
    "risk",
    "enzyme",
    "zinc",
    "liver",
)

PACKET = Packet(
    packet_id="00112233445566778899aabbccddeeff",
    kind="label",
    assessor="A",
    origin="blind",
    study_title="A small study",
    freeze_id="f" * 64,
    rubric_version="1",
    rubric="# Criteria\n\nA keyword in the title alone does not count.\n",
    reasons=(),
    evidence_level="abstract",
    note="optional",
    items=0,
    dealt_on="2026-11-30",
)

KNOWN = Known(
    names=("keyword", "semantic", "lexisearch"),
    hosts=("api.lexisearch.example",),
    run_ids=("r1/lexisearch/q1/1",),
    submitted={"q0": ('"aspirin" AND stroke', "aspirin stroke")},
    needs={f"q{need}": f"Papers on aspirin and stroke, part {need}." for need in range(9)},
)


def clean(
    size: int = 80, *, seed: int = 0, needs: int = 4, systems: Sequence[str] = ("K", "S")
) -> list[Shown]:
    """A packet as it should be: nothing of an item depends on who found it."""
    source = random.Random(seed)
    items = []
    for index in range(size):
        number = source.randrange(10_000_000, 40_000_000)
        need = f"q{index * needs // size}"
        title = " ".join(source.choices(WORDS, k=source.randint(4, 15))).capitalize()
        items.append(
            Shown(
                f"{source.getrandbits(64):016x}",
                index + 1,
                View(
                    need=KNOWN.needs[need],
                    title=title + source.choice(["", "", ".", "?"]),
                    journal=source.choice(["Stroke", "J Biol Chem", "Lancet"]),
                    year=str(source.randint(1990, 2025)),
                    type="article",
                    abstract="Words. " * source.randint(20, 300) if source.random() < 0.9 else None,
                    link=f"https://pubmed.ncbi.nlm.nih.gov/{number}/",
                ),
                PooledRecord(
                    query_id=need,
                    record_id=f"pmid:{number}",
                    found_by=(
                        FoundAt(
                            system=source.choice(systems),
                            run_id="r1/x",
                            rank=source.randint(1, 20),
                        ),
                    ),
                ),
            )
        )
    return items
