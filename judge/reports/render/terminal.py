"""What `judge report` and the demo print: the tables a reader wants first, as plain text."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as RichText

from judge.records.measured import Interval, MeanRow, QueryRow
from judge.records.report import Report
from judge.reports.render.blocks import Table, columns
from judge.reports.render.cells import fractions, short
from judge.reports.render.review import by_category
from judge.text import display_text


def print_summary(report: Report, console: Console) -> None:
    """Title, status, then per query, per family, means and agreement (R69).

    Works without colour and in 80 columns: nothing is told by colour alone, and cells wrap.
    """
    _say(console, report.head.title, "bold")
    _say(console, report.head.banner)
    if report.head.labels_banner:
        _say(console, report.head.labels_banner)
    if report.head.status != "planned":
        _print_precision(report, console)
        _print_comparison(report, console)
        _print_agreement(report, console)
        _print_guesses(report, console)
        _print_review(report, console)


def _print_precision(report: Report, console: Console) -> None:
    part = report.precision
    if part.absent_reason:
        _say(console, part.absent_reason)
        return
    for k in part.cutoffs:
        _print(console, _per_query(report, k))
    for k in part.cutoffs:
        _print(console, _means(report, k, families=True))
    for k in part.cutoffs:
        _print(console, _means(report, k, families=False))
    _say(console, part.handling)


def _print_comparison(report: Report, console: Console) -> None:
    part = report.comparison
    if not part.rows:
        return
    _print(
        console,
        Table(
            "",
            "Mean difference of P@k on queries where it is decided",
            columns("Systems", "#k", "#n", "#Difference", "95 %", "#Win/tie/loss", "#p (Holm)"),
            tuple(
                (
                    f"{row.first} - {row.second}",
                    str(row.cutoff),
                    str(row.queries),
                    short(row.difference),
                    limits(row.interval),
                    f"{row.wins}/{row.ties}/{row.losses}",
                    row.adjusted.cell,
                )
                for row in part.rows
            ),
            "",
        ),
    )


def limits(interval: Interval) -> str:
    """An interval in a narrow column; how it was made, or why there is none, is in the report."""
    return f"{interval.lower} to {interval.upper}" if interval.lower else "–"


def _print_agreement(report: Report, console: Console) -> None:
    part = report.judging
    for section in part.agreement:
        _print(
            console,
            Table(
                "",
                f"Agreement before adjudication, {section.first} and {section.second}: "
                f"{section.both_judged} of {section.pooled} items judged by both"
                + (f"; freeze {section.freeze}: {section.standing}" if section.standing else "")
                + (f" Rubric version {section.rubric}." if section.rubric else ""),
                columns("Measure", "#Value", "95 % interval over queries"),
                tuple(
                    (one.name, one.figure.cell, limits(one.interval))
                    for one in section.coefficients
                ),
                "",
            ),
        )
    if part.life is not None:
        states = ", ".join(f"{one.name.replace('_', ' ')} {one.count}" for one in part.life.states)
        ended = sum(len(one.labels_of) for one in part.life.steps)
        _say(console, f"Items by state: {states}. Labels retracted or lapsed: {ended}.")
    if not part.agreement and part.agreement_note:
        _say(console, part.agreement_note)
    if part.repeats:
        _print(
            console,
            Table(
                "",
                "Self-consistency on items shown twice, unmarked",
                columns("Assessor", "#Repeats", "#Same label", "95 %", "#Alpha"),
                tuple(
                    (
                        row.assessor,
                        str(row.repeats),
                        short(row.same),
                        limits(row.interval),
                        short(row.alpha),
                    )
                    for row in part.repeats
                ),
                "",
            ),
        )


def _print_guesses(report: Report, console: Console) -> None:
    part = report.blinding
    if not part.guesses:
        if part.guesses_note:
            _say(console, part.guesses_note)
        return
    _print(
        console,
        Table(
            "",
            "Which system found it, asked after the lock (no pass mark)",
            columns(
                "By", "Found by", "#Right / wrong / ?", "#Right", "95 %", "#Chance", "#Bang", "95 %"
            ),
            tuple(
                (
                    row.assessor,
                    row.system,
                    f"{row.right} / {row.wrong} / {row.dont_know}",
                    short(row.share) if row.share.lower else "–",
                    limits(row.share_interval),
                    row.chance.decimal,
                    short(row.bang) if row.bang.lower else "–",
                    limits(row.bang_interval),
                )
                for row in part.guesses
            ),
            "",
        ),
    )


def _print_review(report: Report, console: Console) -> None:
    part = report.failures.review
    _say(console, part.note)
    if part.categories:
        _print(console, by_category(part))
    for one in part.agreement:
        said = f"{one.first} and {one.second}, exactly the same categories: {fractions(one.same)}"
        _say(console, f"{said} of the items that both coded.")


def _per_query(report: Report, k: int) -> Table:
    """One row per query, one column per system."""
    systems = [system.code for system in report.runs.systems]
    cells: dict[str, dict[str, QueryRow]] = {}
    for row in report.precision.per_query:
        if row.cutoff == k:
            cells.setdefault(row.query_id, {})[row.system] = row
    return Table(
        "",
        f"P@{k} per query (two numbers are bounds, not P@{k})",
        columns("Query", "Family", *(f"#{code}" for code in systems)),
        tuple(
            (
                query,
                next(iter(found.values())).family,
                *(_query_cell(found[code]) for code in systems),
            )
            for query, found in cells.items()
        ),
        "The set holds no ordinary query.",
    )


def _query_cell(row: QueryRow) -> str:
    return f"{short(row.figure)}{' (not in mean)' if row.left_out and row.figure.lower else ''}"


def _means(report: Report, k: int, *, families: bool) -> Table:
    part = report.precision
    rows = [row for row in (part.per_family if families else part.means) if row.cutoff == k]
    return Table(
        "",
        f"Mean P@{k} per family" if families else f"Mean P@{k} over the set",
        columns("Family" if families else "Over", "System", "#Mean", "#Exact", "#n", "95 %"),
        tuple(
            (
                row.family or f"all {row.over}",
                row.system,
                short(row.figure),
                fractions(row.figure),
                _n(row),
                limits(row.interval),
            )
            for row in rows
        ),
        "No query enters a mean.",
    )


def _n(row: MeanRow) -> str:
    return f"{len(row.members)} of {len(row.members) + len(row.left_out)}"


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(RichText(display_text(text), style=style))
    console.print()


def _print(console: Console, table: Table) -> None:
    console.print(RichText(display_text(table.caption, one_line=True), style="bold"))
    shown = RichTable(box=box.ASCII2)
    for column in table.columns:
        shown.add_column(
            _plain(column.name), justify="right" if column.number else "left", overflow="fold"
        )
    for row in table.rows:
        shown.add_row(*(_plain(cell) for cell in row))
    console.print(shown if table.rows else _plain(table.empty))
    console.print()


def _plain(text: str) -> RichText:
    return RichText(display_text(text, one_line=True))
