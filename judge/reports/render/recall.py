"""Recall on the page: apart from P@k, with its ceiling, its limits and the published tables."""

from __future__ import annotations

from collections.abc import Sequence

from judge.records.recall import GoldDifference, PublishedTable, RecallRow, RecallSection
from judge.reports.render.blocks import Block, Section, Table, Text, columns
from judge.reports.render.cells import fractions


def recall(part: RecallSection) -> list[Section]:
    """Recall against gold papers, apart from P@k (R60)."""
    heading = "Recall against gold papers"
    if part.absent_reason:
        return [Section("recall", heading, 2, (Text(part.absent_reason, "note"),))]
    return [
        Section("recall", heading, 2, _figures(part)),
        Section("recall-differences", "Gold papers and final labels", 3, _differences(part)),
        Section(
            "recall-published",
            "Published recall on BioASQ",
            3,
            (
                Text(part.published_note),
                *(
                    block
                    for number, table in enumerate(part.published, 1)
                    for block in _published(number, table)
                ),
            ),
        ),
    ]


def _figures(part: RecallSection) -> tuple[Block, ...]:
    return (
        Text(part.definition),
        *(Text(sentence, "note") for sentence in part.limits),
        Table(
            "recall-per-query",
            "By query: gold papers found ÷ gold papers",
            columns("Query", "System", "#k", "#Gold papers", "#recall@k", "#Exact"),
            tuple(
                (
                    row.query_id,
                    row.system,
                    str(row.cutoff),
                    str(row.gold),
                    row.figure.cell,
                    fractions(row.figure),
                )
                for row in part.per_query
            ),
            "",
        ),
        _means(
            "recall-means", "Mean over queries with gold papers, equal weight (macro)", part.means
        ),
        _means("recall-pooled", "All gold papers found ÷ all gold papers (micro)", part.pooled),
        Table(
            "recall-tiers",
            "Gold papers found at any rank, by what they were known by",
            columns("System", "#PMID", "#DOI", "#Title"),
            tuple((row.system, str(row.pmid), str(row.doi), str(row.title)) for row in part.tiers),
            "",
        ),
        Table(
            "recall-ceilings",
            "The most that any list could reach, given the number of gold papers of each query",
            columns(
                "k",
                "#Queries",
                "#P@k, were only gold papers relevant",
                "#Exact",
                "#recall@k",
                "#Exact",
            ),
            tuple(
                (
                    str(row.cutoff),
                    str(row.queries),
                    row.precision.cell,
                    fractions(row.precision),
                    row.recall.cell,
                    fractions(row.recall),
                )
                for row in part.ceilings
            ),
            "",
        ),
        Table(
            "recall-warnings",
            "What the matching rules pass over",
            columns("What", "First case"),
            tuple((row.text, row.example) for row in part.warnings),
            "Nothing was met that the matching rules pass over.",
        ),
    )


def _means(table_id: str, caption: str, rows: Sequence[RecallRow]) -> Table:
    return Table(
        table_id,
        caption,
        columns("System", "#k", "#recall@k", "#Exact", "#Gold papers", "#n"),
        tuple(
            (
                row.system,
                str(row.cutoff),
                row.figure.cell,
                fractions(row.figure),
                str(row.gold),
                f"{row.queries} of {row.asked}",
            )
            for row in rows
        ),
        "",
    )


def _differences(part: RecallSection) -> tuple[Block, ...]:
    return (
        _listed(
            "relevant-not-gold",
            "Judged relevant here, not in the gold",
            part.relevant_not_gold,
        ),
        _listed(
            "gold-not-relevant",
            "In the gold, judged not relevant here",
            part.gold_not_relevant,
        ),
    )


def _listed(table_id: str, caption: str, rows: Sequence[GoldDifference]) -> Table:
    return Table(
        table_id,
        f"{caption}: {len(rows)}",
        columns("Query", "Record", "Title"),
        tuple((row.query_id, row.record_id, row.title or "–") for row in rows),
        "None.",
    )


def _published(number: int, table: PublishedTable) -> tuple[Block, ...]:
    notes = (row.note for row in table.rows if row.note)
    return (
        Text(" ".join((f"{table.title}, {table.dated}.", table.rules, f"{table.source}.", *notes))),
        Table(
            f"recall-published-{number}",
            f"{table.title}: macro recall, {table.dated}",
            columns("System", *(f"#@{k}" for k in table.cutoffs)),
            tuple((row.system, *row.cells) for row in table.rows),
            "",
        ),
    )
