"""What a team concludes may say no more than was measured (R02, R42, R48, R60, R79)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.protocol.wording import Grounds, too_much

BARE = Grounds(evaluated=False, frozen_index=False, gold=False)
FULL = Grounds(evaluated=True, frozen_index=True, gold=True, released=True)


def told(sentence: str, grounds: Grounds = BARE) -> list[str]:
    return [str(problem) for problem in too_much({"conclusions[1]": sentence}, grounds)]


@pytest.mark.parametrize(
    ("sentence", "word", "rule"),
    [
        ("The service passed.", "passed", "R02"),
        ("Search was validated on 40 queries.", "validated", "R02"),
        ("A reproducible comparison of two modes.", "reproducible", "R42"),
        ("Mode A supports the use of aspirin.", "supports", "R48"),
        ("These hits are evidence for the mechanism.", "evidence for", "R48"),
        ("Recall was high.", "Recall", "R60"),
        ("It finds all relevant papers.", "all relevant papers", "R60"),
        ("A benchmark of biomedical search.", "benchmark", "R79"),
    ],
)
def test_a_word_that_says_too_much_is_told_with_its_sentence_and_rule(
    sentence: str, word: str, rule: str
) -> None:
    (problem,) = told(f"P@5 was 0.40. {sentence} Nothing else was seen.")
    assert problem.startswith(f"conclusions[1]: {word!r} in {sentence!r}; ")
    assert problem.endswith(f"({rule})")


@pytest.mark.parametrize(
    "sentence",
    [
        "Of the first five hits, 0.40 were relevant on the mean.",
        "This does not prove that the service is complete.",
        "Nothing here was validated.",
        "Recall was not measured.",
        "No reproducible comparison is claimed.",
        "The semantic mode put a retracted paper first for q4.",
        "Passing mentions were labelled not relevant.",
    ],
)
def test_what_was_measured_and_what_is_denied_may_be_said(sentence: str) -> None:
    assert told(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "field"),
    [
        ("The service passed.", "evaluated"),
        ("A reproducible comparison.", "frozen_index"),
        ("Recall was 0.50 on the gold set.", "gold"),
        ("A benchmark.", "released"),
    ],
)
def test_each_word_is_allowed_by_its_own_ground_and_by_no_other(sentence: str, field: str) -> None:
    assert told(sentence, replace(FULL, **{field: False}))
    assert told(sentence, FULL) == []


def test_no_ground_makes_a_match_support_a_conclusion_of_science() -> None:
    assert told("The hits prove the claim.", FULL)


def test_all_of_them_at_once() -> None:
    assert len(told("A validated, reproducible benchmark with full recall.")) == 4
