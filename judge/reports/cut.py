"""Lists cut off at each query's year, for services that cannot: raw and derived ranks together."""

from __future__ import annotations

from judge.records.cut import Cut, CutHit, CutSystem
from judge.reports.material import Material
from judge.reports.standing import scored_runs
from judge.runs.cutoff import CutList, cut, filtered, tally

NO_YEAR = "No query has a cut-off year."


def cut_section(material: Material) -> Cut:
    """Every scored list of a query with a cut-off year, as `judge cutoff-year` cuts it (R35)."""
    if all(query.max_year is None for query in material.evaluation):
        return Cut(summary=NO_YEAR)
    runs = scored_runs(material)
    systems: list[CutSystem] = []
    moved: list[CutHit] = []
    for system in material.frozen.protocol.systems:
        dated = [
            (runs[query.id, system.code], query.max_year)
            for query in material.evaluation
            if query.max_year is not None
            and (query.id, system.code) in runs
            and runs[query.id, system.code].gave_list()
        ]
        lists = [cut(run, year, material.documents) for run, year in dated if not filtered(run)]
        systems.append(tally(system.code, lists, len(dated) - len(lists)))
        for one in lists:
            moved += _moved(one, material.frozen.protocol.depth.pool)
    return Cut(
        summary=(
            "Lists of services that cannot cut off by year, cut off afterwards and renumbered. "
            "The raw ranks stand: every score of this report is of the raw lists."
        ),
        systems=tuple(systems),
        moved=tuple(moved),
    )


def _moved(found: CutList, depth: int) -> list[CutHit]:
    return [
        CutHit(
            query_id=found.run.query_id,
            system=found.run.system,
            record_id=one.key,
            raw_rank=one.hit.rank,
            rank=one.rank,
            why=one.why,
            year=one.year or "unknown",
            year_from=one.year_from or "nobody",
        )
        for one in found.placed
        if one.hit.rank <= depth and one.rank != one.hit.rank
    ]
