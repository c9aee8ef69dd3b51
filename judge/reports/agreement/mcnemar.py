"""Is one assessor more lenient? McNemar's test, exact (McNemar 1947).

Of the b + c items that one alone called relevant, each is as likely to be the first assessor's as
the second's if neither is more lenient: a fair coin, two-sided.
"""

from __future__ import annotations

NO_DISAGREEMENT = "No document was called relevant by one assessor alone."


def mcnemar(b: int, c: int) -> float | str:
    """p for ``b`` items relevant by the first alone, ``c`` by the second alone."""
    if b + c == 0:
        return NO_DISAGREEMENT
    from scipy.stats import binomtest

    return float(binomtest(b, b + c, 0.5).pvalue)
