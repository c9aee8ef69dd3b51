"""Precision on the page: per query, per family, as means, and every frozen query accounted for."""

from __future__ import annotations

from collections.abc import Iterable

from judge.records.measured import (
    LeftOut,
    MeanRow,
    PrecisionSection,
    QueryRow,
)
from judge.reports.render.blocks import Block, Section, Table, Text, columns
from judge.reports.render.cells import fractions


def _count(value: int | None, of: int | None = None) -> str:
    if value is None:
        return "–"
    return str(value) if of is None else f"{value} of {of}"


def precision(part: PrecisionSection) -> list[Section]:
    """R69: per query, then per family, then means; then the account of the frozen set."""
    if part.absent_reason:
        return [
            Section("precision", "Precision at fixed depth", 2, (Text(part.absent_reason, "note"),))
        ]
    intro: list[Block] = [
        Text(part.definition),
        Text(" ".join(part.limits), "note"),
        Text(part.handling),
        Text(part.rounding),
    ]
    if part.post_hoc:
        late = ", ".join(map(str, part.post_hoc))
        intro.append(Text(f"Post hoc cutoffs, declared after runs had been made: {late}.", "note"))
    return [
        Section("precision", "Precision at fixed depth", 2, tuple(intro)),
        Section("per-query", "Per query", 3, tuple(_per_query(part, k) for k in part.cutoffs)),
        Section(
            "per-family",
            "Per family",
            3,
            tuple(
                _means(
                    f"per-family-{k}",
                    _head(part, k, "Mean by family"),
                    [row for row in part.per_family if row.cutoff == k],
                    "Family",
                )
                for k in part.cutoffs
            ),
        ),
        Section(
            "means",
            "Means",
            3,
            tuple(
                _means(
                    f"means-{k}",
                    _head(part, k, "Mean over the set"),
                    [row for row in part.means if row.cutoff == k],
                    "Over",
                )
                for k in part.cutoffs
            ),
        ),
        Section(
            "account",
            "Every frozen query accounted for",
            3,
            (
                _account(part),
                Text(
                    "Frozen = scored + incomplete + excluded + controls + guards + invalid by "
                    "design, for each system and cutoff."
                ),
            ),
        ),
    ]


def _head(part: PrecisionSection, k: int, what: str) -> str:
    late = " (post hoc)" if k in part.post_hoc else ""
    return f"{what}: P@{k} = relevant in ranks 1–{k} ÷ {k}{late}"


def _per_query(part: PrecisionSection, k: int) -> Table:
    return Table(
        f"per-query-{k}",
        _head(part, k, "By query"),
        columns(
            "Query",
            "Family",
            "System",
            f"#P@{k}, or bounds",
            "#Exact",
            "#Returned",
            f"#Judged in ranks 1–{k}",
            "#Later copies",
            "Standing",
        ),
        tuple(_query_row(row) for row in part.per_query if row.cutoff == k),
        "The set holds no ordinary query.",
    )


def _query_row(row: QueryRow) -> tuple[str, ...]:
    return (
        row.query_id,
        row.family,
        row.system,
        row.figure.cell,
        fractions(row.figure),
        _count(row.returned),
        _count(row.judged, row.filled),
        _count(row.duplicates),
        f"{row.standing}{f': {row.left_out}' if row.left_out else ''}",
    )


def _means(table_id: str, caption: str, rows: Iterable[MeanRow], first: str) -> Table:
    return Table(
        table_id,
        caption,
        columns(
            first,
            "System",
            "#Mean",
            "#Exact",
            "95 % interval over queries",
            "#n",
            "#Judged of filled ranks",
            "What is in it",
            "What is left out",
        ),
        tuple(
            (
                row.family or f"all {row.over}",
                row.system,
                row.figure.cell,
                fractions(row.figure),
                row.interval.cell,
                f"{len(row.members)} of {len(row.members) + len(row.left_out)} {row.over}",
                f"{row.judged} of {row.filled}",
                ", ".join(row.members) or "–",
                _left_out(row.left_out),
            )
            for row in rows
        ),
        "No query enters a mean.",
    )


def _left_out(rows: Iterable[LeftOut]) -> str:
    return "; ".join(f"{row.id} ({row.reason})" for row in rows) or "–"


def _account(part: PrecisionSection) -> Table:
    return Table(
        "accounting",
        "Frozen queries by standing",
        columns(
            "System",
            "#k",
            "#Frozen",
            "#Scored",
            "#Incomplete",
            "#Excluded",
            "#Controls",
            "#Guards",
            "#Invalid by design",
        ),
        tuple(
            (
                row.system,
                *map(
                    str,
                    (
                        row.cutoff,
                        row.frozen,
                        row.scored,
                        row.incomplete,
                        row.excluded,
                        row.controls,
                        row.guards,
                        row.invalid,
                    ),
                ),
            )
            for row in part.accounting
        ),
        "",
    )
