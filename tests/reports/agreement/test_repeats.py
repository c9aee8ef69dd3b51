from __future__ import annotations

from fractions import Fraction

import pytest

from judge.reports.agreement.repeats import self_consistency


def test_twenty_repeats_prove_little() -> None:
    # 17 of 20 the same: Wilson 0.64 to 0.95.
    pairs = [("relevant", "relevant")] * 10 + [("not_relevant", "not_relevant")] * 7
    pairs += [("relevant", "not_relevant")] * 3
    found = self_consistency(pairs)
    assert (found.same, found.repeats) == (17, 20)
    assert (round(float(found.interval.lower), 2), round(float(found.interval.upper), 2)) == (
        0.64,
        0.95,
    )
    # 40 values, 23 relevant: Do = 3/20, De = 1 - (23 × 22 + 17 × 16)/(40 × 39).
    assert found.alpha == 1 - Fraction(3, 20) / (1 - Fraction(778, 1560))


def test_cannot_judge_is_a_label_to_repeat() -> None:
    found = self_consistency([("cannot_judge", "cannot_judge"), ("relevant", "cannot_judge")])
    assert (found.same, found.repeats) == (1, 2)


def test_one_label_throughout_leaves_alpha_undefined() -> None:
    assert self_consistency([("relevant", "relevant")]).alpha == (
        "Alpha is not defined: every document labelled by both got the same label."
    )


def test_no_repeat_is_no_consistency() -> None:
    with pytest.raises(ValueError, match="no repeats"):
        self_consistency([])
