"""Lists cut off by year, on the page: counts by system, then raw beside derived ranks."""

from __future__ import annotations

from judge.records.cut import Cut
from judge.reports.render.blocks import Block, Section, Table, Text, columns

_WHY = {
    "kept": "kept",
    "too_late": "too late",
    "year_unknown": "year unknown",
    "copy": "later copy",
}


def cut(part: Cut) -> list[Section]:
    """The section; one sentence where no query has a cut-off year."""
    blocks: list[Block] = [Text(part.summary)]
    if part.systems:
        blocks += [_systems(part), _moved(part)]
    return [Section("cut-off", "Lists cut off by year", 3, tuple(blocks))]


def _systems(part: Cut) -> Table:
    return Table(
        "cut-systems",
        "Hits of the raw and of the derived lists",
        columns(
            "System", "#Lists", "#Raw hits", "#Kept", "#Too late", "#Year unknown",
            "#Later copies", "#Lists cut off by the service",
        ),
        tuple(
            (
                one.system, str(one.lists), str(one.raw), str(one.kept), str(one.too_late),
                str(one.year_unknown), str(one.copies), str(one.filtered),
            )
            for one in part.systems
        ),
        "None.",
    )  # fmt: skip


def _moved(part: Cut) -> Table:
    return Table(
        "cut-ranks",
        "Hits within pool depth whose rank differs in the derived list",
        columns("Query", "System", "Record", "#Raw rank", "#Derived", "Why", "Year", "Said by"),
        tuple(
            (
                one.query_id,
                one.system,
                one.record_id,
                str(one.raw_rank),
                "–" if one.rank is None else str(one.rank),
                _WHY[one.why],
                one.year,
                one.year_from,
            )
            for one in part.moved
        ),
        "None.",
    )
