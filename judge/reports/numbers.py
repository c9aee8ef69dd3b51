"""Exact numbers as text: the one place that rounds.

Numbers stay integers and `Fraction` until they are written. A fraction is written as it was
counted (``5/10`` stays over ten, R58); its decimal is rounded half to even to four places, with
closing zeros cut back to two places, so that 3/10 reads ``0.30`` and 1/3 reads ``0.3333``.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from judge.records.measured import Figure, Share

ROUNDING = (
    "Fractions are exact. Decimals are the same numbers rounded half to even to four places, "
    "with closing zeros cut back to two."
)
_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)
_PLACES = Decimal("0.0001")
_READABLE = 10**12


def share(numerator: int, denominator: int) -> Share:
    """``numerator / denominator``, kept as it was counted. ``denominator`` is at least 1."""
    return Share(
        fraction=f"{numerator}/{denominator}",
        decimal=decimal_text(Fraction(numerator, denominator)),
    )


def reduced(value: Fraction) -> Share:
    """A fraction with no denominator of its own, such as a mean of family means."""
    return share(value.numerator, value.denominator)


def decimal_text(value: Fraction) -> str:
    """``value`` rounded half to even to four places; at least two places are written."""
    scaled = value * 10_000
    return _trimmed(Decimal(round(scaled)).scaleb(-4, _CONTEXT))


def float_text(value: float) -> str:
    """A library's float in the same form.

    It is first taken to twelve places: two machines may differ in the last bits, and must not
    then fall on two sides of a half.
    """
    return _trimmed(Decimal(f"{value:.12f}").quantize(_PLACES, context=_CONTEXT))


def p_text(p: float) -> str:
    """A p value: four places, or two digits and a power of ten where that would read as 0."""
    if p >= 0.0001:
        return float_text(p)
    return f"{p:.1e}" if p >= 1e-300 else "less than 1e-300"


def exact(value: Fraction) -> Figure:
    """A number as a figure; its fraction is written where a person can still read it."""
    if max(abs(value.numerator), value.denominator) >= _READABLE:
        return Figure(cell=decimal_text(value))
    number = reduced(value)
    return Figure(cell=number.decimal, lower=number, upper=number)


def counted(numerator: int, denominator: int) -> Figure:
    """A share as it was counted."""
    number = share(numerator, denominator)
    return Figure(cell=number.decimal, lower=number, upper=number)


def counted_bounds(lower: int, upper: int, denominator: int) -> Figure:
    """A share whose numerator lies between two counts; one number where they are equal."""
    return Figure(
        cell=bounds_cell(Fraction(lower, denominator), Fraction(upper, denominator)),
        lower=share(lower, denominator),
        upper=share(upper, denominator),
    )


def bounds(lower: Fraction, upper: Fraction) -> Figure:
    """A number that lies between two fractions; one number where they are equal."""
    return Figure(cell=bounds_cell(lower, upper), lower=reduced(lower), upper=reduced(upper))


def bounds_cell(lower: Fraction, upper: Fraction) -> str:
    """One number, or bounds marked as such."""
    if lower == upper:
        return decimal_text(lower)
    return f"– (between {decimal_text(lower)} and {decimal_text(upper)})"


def _trimmed(value: Decimal) -> str:
    text = f"{value:.4f}"
    if text.lstrip("-0.") == "":
        return "0.00"
    whole, _, places = text.partition(".")
    return f"{whole}.{places[:2]}{places[2:].rstrip('0')}"
