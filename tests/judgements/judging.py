"""From what a packet holds to judged items in one call, as the study's own steps do it in two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.judgements.items import items_of, units_of
from judge.protocol.rubric import UNCHANGED, Rubrics
from judge.records.judgement import Deal, ImportedLabel, JudgedItem, LabelEvent, Packet
from judge.records.life import UnitStep
from judge.records.protocol import Protocol
from judge.records.run import PooledRecord


def judged_items(
    pool: Iterable[PooledRecord],
    deals: Iterable[Deal],
    packets: Mapping[str, Packet],
    events: Iterable[LabelEvent],
    imported: Iterable[ImportedLabel],
    protocol: Protocol,
    *,
    steps: Iterable[UnitStep] = (),
    rubrics: Rubrics = UNCHANGED,
    families: Mapping[str, str] | None = None,
) -> tuple[JudgedItem, ...]:
    """The pooled records with what was said of them: `units_of`, each brought to its state."""
    units = units_of(deals, packets, events, imported, steps, families)
    return items_of(pool, units, protocol, rubrics)
