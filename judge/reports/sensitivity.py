"""What P@k would be under other rules, gathered in one section after every declared figure."""

from __future__ import annotations

from collections.abc import Mapping

from judge.records.measured import SensitivitySection, VariantTable
from judge.reports.labellings import final_labels
from judge.reports.material import Material
from judge.reports.returned import returned_section
from judge.reports.scores import why_none
from judge.reports.standing import RankedList, standings
from judge.reports.variants import bounds_table, duplicates_table, labelling_table

_NONE = VariantTable(note="", names=(), rows=())


def sensitivity_section(
    material: Material, absent: str, lists: Mapping[tuple[str, str], RankedList]
) -> SensitivitySection:
    """Bounds, duplicates, labels, and precision over returned; with ``absent`` the reason alone."""
    protocol = material.frozen.protocol
    reason = why_none(material, absent)
    labels = final_labels(material.items)
    placed = [
        standings(material, k, labels, lists, protocol.choices)
        for k in (() if absent else protocol.depth.cutoffs)
    ]
    return SensitivitySection(
        absent_reason=reason,
        bounds=_NONE if reason else bounds_table(material, lists, labels),
        duplicates=_NONE if reason else duplicates_table(material, lists, labels),
        labellings=_NONE if reason else labelling_table(material, lists),
        over_returned=returned_section(material, absent, placed),
    )
