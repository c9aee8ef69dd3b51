"""Failure review on the page: by category and system, how coders agree, and what they wrote."""

from __future__ import annotations

from judge.records.reviewed import CategoryRow, CodedLine, CoderAgreement, FailureReview
from judge.reports.render.blocks import Block, Section, Table, Text, columns
from judge.reports.render.cells import fractions, short


def review(part: FailureReview) -> Section:
    """The section; one sentence where there is nothing to show."""
    blocks: list[Block] = [Text(part.note)]
    if part.rule:
        blocks += [Text(part.rule), by_category(part)]
    if part.reviewed:
        blocks += [_reviewed(part), *map(_agreement, part.agreement), _lines(part)]
    return Section("failure-review", "Failure review", 3, tuple(blocks))


def by_category(part: FailureReview) -> Table:
    """Categories that occur, by system; those that do not are named in the caption's end."""
    coders = [one.coder for one in part.categories[0].named] if part.categories else []
    rows = [row for row in part.categories if _occurs(row)]
    present = {row.category for row in rows}
    absent = dict.fromkeys(row.category for row in part.categories if row.category not in present)
    caption = "What went wrong, by category and system; no label and no score changes"
    if absent and rows:
        caption += f". At no system: {_plain(', '.join(absent))}"
    both = ["#By all coders"] if len(coders) > 1 else []
    return Table(
        "failure-categories",
        caption,
        columns(
            "Category",
            "System",
            "#From the records",
            *(f"#Named by {one}" for one in coders),
            *both,
        ),
        tuple(
            (
                _plain(row.category),
                row.system,
                str(row.automatic),
                *(str(one.items) for one in row.named),
                *([str(row.by_all)] if both else []),
            )
            for row in rows
        ),
        "Nothing, in any category at any system.",
    )


def _plain(codes: str) -> str:
    """Codes as words."""
    return codes.replace("_", " ")


def _occurs(row: CategoryRow) -> bool:
    return bool(row.automatic or any(one.items for one in row.named))


def _reviewed(part: FailureReview) -> Table:
    return Table(
        "failure-reviewed",
        "What was coded, of what there is down to the deepest cutoff",
        columns(
            "System", "Coder", "#Requests coded", "#of", "#Hits coded", "#of", "#Nothing named at"
        ),
        tuple(
            (
                row.system,
                row.coder,
                str(row.requests_coded),
                str(row.requests),
                str(row.hits_coded),
                str(row.hits),
                str(row.nothing),
            )
            for row in part.reviewed
        ),
        "Nothing was coded.",
    )


def _agreement(one: CoderAgreement) -> Table:
    return Table(
        f"failure-agreement-{one.first}-{one.second}",
        f"{one.first} and {one.second} on {one.items} items that both coded; exactly the same "
        f"categories: {fractions(one.same)}. What the records say takes no part",
        columns(
            "Category",
            "#Both",
            f"#{one.first} alone",
            f"#{one.second} alone",
            "#Neither",
            "#Raw agreement",
            "#On named (Dice)",
            "#Alpha",
            "#Kappa",
        ),
        tuple(
            (
                _plain(row.category),
                str(row.both),
                str(row.first_alone),
                str(row.second_alone),
                str(row.neither),
                short(row.raw),
                short(row.on_named),
                short(row.alpha),
                short(row.kappa),
            )
            for row in one.categories
            if row.both or row.first_alone or row.second_alone
        ),
        "Neither named anything.",
    )


def _lines(part: FailureReview) -> Table:
    """One row for each request or hit, a column for each coder."""
    coders = list(dict.fromkeys(one.coder for one in part.reviewed))
    rows: dict[tuple[str, int | None], list[CodedLine]] = {}
    for line in part.lines:
        rows.setdefault((line.run_id, line.rank), []).append(line)
    return Table(
        "failure-lines",
        "Requests and hits of which a coder said something",
        columns(
            "Query",
            "System",
            "#Rank",
            "Run",
            "From the records",
            *(f"Named by {code}" for code in coders),
            "What went wrong",
        ),
        tuple(_row(lines, coders) for lines in rows.values()),
        "None.",
    )


def _row(lines: list[CodedLine], coders: list[str]) -> tuple[str, ...]:
    first, by = lines[0], {line.by: line for line in lines}
    named = [_plain(", ".join(by[code].named)) if code in by else "" for code in coders]
    return (
        first.query_id,
        first.system,
        "–" if first.rank is None else str(first.rank),
        first.run_id,
        _plain(", ".join(first.automatic)) or "–",
        *(one or "–" for one in named),
        " ".join(f"{line.by}: {line.text}" for line in lines if line.text.strip()) or "–",
    )
