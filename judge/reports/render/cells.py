"""Figures and intervals as the cells of a table."""

from __future__ import annotations

from judge.records.measured import Figure


def fractions(figure: Figure) -> str:
    """The exact form of a figure: one fraction, or the two of its bounds."""
    if figure.lower is None or figure.upper is None:
        return "–"
    if figure.lower == figure.upper:
        return figure.lower.fraction
    return f"{figure.lower.fraction} to {figure.upper.fraction}"


def short(figure: Figure) -> str:
    """A figure in a narrow column: its decimal, its bounds, or its reason."""
    if figure.lower is None or figure.upper is None:
        return figure.cell
    if figure.lower == figure.upper:
        return figure.lower.decimal
    return f"{figure.lower.decimal} to {figure.upper.decimal}"


def full(figure: Figure) -> str:
    """Decimal and exact form in one cell."""
    if figure.lower is None or figure.upper is None:
        return figure.cell
    if figure.lower == figure.upper:
        return f"{figure.lower.decimal} ({figure.lower.fraction})"
    return f"– (between {short(figure).replace(' to ', ' and ')}; {fractions(figure)})"
