"""Several systems side by side: each on its own completed questions, and on those all completed.

Two marks keep a reader from reading a short list as a figure. A depth at which a system returned
nothing (no list reaches past the cutoff before) has no figure. A figure where most lists end before
the cutoff (their median depth is less) repeats what they end with and is marked as a ceiling.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from judge.decode import count_problems
from judge.errors import Invalid, Problem
from judge.records.recall import (
    ComparedFigure,
    ComparedSystem,
    RecallComparison,
    RecallScore,
)
from judge.reports.recall.scoring import macro

NOTES = (
    "n: questions that the system completed; its figures are the means over them. Beside each, in "
    "brackets, the mean over the questions that every system here completed.",
    "–: a depth at which the system returned nothing, which is not a zero.",
    "*: most lists end before this rank; the figure repeats what they end with.",
)


def compare(scores: Sequence[RecallScore]) -> RecallComparison:
    """The table of ``scores``, in their order. Each needs its questions.

    Raises `Invalid` for fewer than two systems, two of one name, a score without its questions,
    other cutoffs, or questions whose gold sets differ in size: they are of another questions file.
    """
    _check(scores)
    shared = set.intersection(
        *({one.question_id for one in score.per_question} for score in scores)
    )
    return RecallComparison(
        cutoffs=scores[0].cutoffs,
        questions=scores[0].num_input_questions,
        shared=len(shared),
        systems=tuple(_system(score, shared) for score in scores),
        notes=NOTES,
    )


def _check(scores: Sequence[RecallScore]) -> None:
    if len(scores) < 2:
        raise Invalid("a comparison needs two systems", hint="name two files or more")
    problems: list[Problem] = []
    first = scores[0]
    gold: dict[str, int] = {}
    names: set[str] = set()
    for score in scores:
        if score.system in names:
            problems.append(Problem(score.system, "the name stands twice", "NAME=FILE names it"))
        names.add(score.system)
        if len(score.per_question) != score.num_scored_questions:
            allowed = "made with `judge recall --per-question --json`"
            problems.append(Problem(score.system, "holds no figures by question", allowed))
        if (score.cutoffs, score.num_input_questions) != (first.cutoffs, first.num_input_questions):
            problems.append(
                Problem(score.system, f"other cutoffs or questions than {first.system}")
            )
        for one in score.per_question:
            if gold.setdefault(one.question_id, one.total_gold) != one.total_gold:
                found = (
                    f"{one.question_id} has {one.total_gold} gold papers, elsewhere another number"
                )
                problems.append(Problem(score.system, found, "one questions file for all systems"))
                break
    if problems:
        head = f"these cannot be compared: {count_problems(problems)}"
        raise Invalid(head, problems)


def _system(score: RecallScore, shared: set[str]) -> ComparedSystem:
    own = list(score.per_question)
    both = [one for one in own if one.question_id in shared]
    depths = sorted(one.last_rank for one in own)
    median = _median(depths)
    figures = []
    before = 0
    for k in score.cutoffs:
        returned = before == 0 or (depths and depths[-1] > before)
        figures.append(
            ComparedFigure(
                cutoff=k,
                own=macro(own, k) if returned else None,
                shared=macro(both, k) if returned else None,
                ceiling=bool(returned and own and median < k),
            )
        )
        before = k
    return ComparedSystem(
        system=score.system,
        completed=len(own),
        median_depth=f"{float(median):g}" if own else "–",
        figures=tuple(figures),
    )


def _median(depths: Sequence[int]) -> Fraction:
    """Median of sorted numbers; 0 of none."""
    if not depths:
        return Fraction(0)
    half = len(depths) // 2
    return Fraction(depths[half] + depths[~half], 2)
