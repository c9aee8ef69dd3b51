"""Exact numbers as text: the one place that rounds.

Numbers stay integers and `Fraction` until they are written. A fraction is written as it was
counted (``5/10`` stays over ten, R58); its decimal is rounded half to even to four places, with
closing zeros cut back to two places, so that 3/10 reads ``0.30`` and 1/3 reads ``0.3333``.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from judge.records.measured import (
    Share,
)

ROUNDING = (
    "Fractions are exact. Decimals are the same numbers rounded half to even to four places, "
    "with closing zeros cut back to two."
)
_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)
_PLACES = Decimal("0.0001")


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


def _trimmed(value: Decimal) -> str:
    text = f"{value:.4f}"
    if text.lstrip("-0.") == "":
        return "0.00"
    whole, _, places = text.partition(".")
    return f"{whole}.{places[:2]}{places[2:].rstrip('0')}"
