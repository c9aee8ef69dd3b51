"""The smallest mean difference that n queries can be expected to show.

Power of the two-sided paired t test through the noncentral t distribution (Webber, Moffat & Zobel
2008; Sakai 2016), solved for the effect size: the difference that would be found at 0.05 in four of
five such evaluations.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

ALPHA = 0.05
POWER = 0.8
FEWEST = 5


def power(effect: float, n: int) -> float:
    """Chance that ``n`` pairs with standardised mean difference ``effect`` give p <= 0.05."""
    from scipy.special import stdtrit
    from scipy.stats import nct

    critical = float(stdtrit(n - 1, 1 - ALPHA / 2))
    shift = effect * sqrt(n)
    return float(nct.sf(critical, n - 1, shift) + nct.cdf(-critical, n - 1, shift))


@cache
def detectable_effect(n: int) -> float | None:
    """Smallest d_z with power 0.8 for ``n`` pairs; None below five, where none is sensible."""
    if n < FEWEST:
        return None
    from scipy.optimize import brentq

    low = 2 / sqrt(n)
    high = low
    while power(high, n) < POWER:
        low, high = high, high * 1.25
    return float(brentq(lambda effect: power(effect, n) - POWER, low, high, xtol=1e-12))
