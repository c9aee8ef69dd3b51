"""Results files scored against gold papers: every figure that of the reference scorer.

Macro recall is the mean of the recalls of the questions that have an answer, an empty answer
counting 0; micro recall pools their counts. A question without a row leaves both. Floats are added
one after the other in the order of the questions file, as the reference does on Python 3.11, so
that the last digit agrees on every Python.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.errors import Invalid, Problem
from judge.records.recall import FailedQuestion, QuestionRecall, RecallScore, ResultRow
from judge.reports.recall.matching import MATCHING, GoldIndex, match, tell_gold
from judge.reports.recall.published import LIMITS
from judge.reports.recall.rows import Failures, Lines, Question, read_result
from judge.reports.recall.traps import Traps
from judge.runs.importing.common import Faults

CUTOFFS = (10, 20, 50, 100, 200)
NO_RESULT = "No question has an answer: there is no recall, which is not a recall of 0."
NO_GOLD = "The questions that have an answer have no gold paper: there is no micro recall."
_SHOWN = 5


def score(
    questions: Mapping[str, Question],
    results: Lines,
    name: str,
    *,
    failures: Failures | None = None,
    strict: bool = False,
    system: str = "",
    traps: Traps | None = None,
) -> RecallScore:
    """Recall of the results file ``name``, one row in memory at a time.

    ``system`` names the system; without it the first row's provider does. With ``strict`` every
    question needs an answer, and a row without ``candidates`` is none.

    Raises `Invalid` with every problem of the file: lines of another form, ranks below 1 or
    repeated, ``candidates`` null, a question twice, one that is not among ``questions``, one whose
    gold set cannot be scored (a paper without PMID, a PMID twice), and what ``strict`` asks for.
    """
    traps = traps or Traps()
    faults = Faults(name)
    read = _scan(questions, results, faults, traps)
    latest = failures.latest if failures is not None else {}
    missing = sorted(set(questions) - set(read.lines))
    failed = tuple(one for one in missing if one in latest)
    unattempted = tuple(one for one in missing if one not in latest)
    problems = [*read.gold, *faults.problems(), *_unknown(read.unknown, name)]
    if strict:
        problems += _strict(failed, unattempted, traps, name)
    if problems:
        raise Invalid(f"{name} cannot be scored", problems, hint=_hint(strict, missing))
    _tell(questions, read, missing, latest, traps)
    answered = tuple(read.found[one] for one in questions if one in read.found)
    gold = sum(one.total_gold for one in answered)
    tiers = Counter(credit.tier for one in answered for credit in one.matches.values())
    return RecallScore(
        system=system or next(iter(read.providers), "") or name,
        cutoffs=CUTOFFS,
        num_input_questions=len(questions),
        num_input_gold=sum(len(one.gold) for one in questions.values()),
        num_scored_questions=len(answered),
        num_missing_questions=len(missing),
        missing_question_ids=tuple(missing),
        num_failure_records=failures.records if failures is not None else 0,
        num_failed_questions=len(failed),
        failed_question_ids=failed,
        num_unattempted_questions=len(unattempted),
        unattempted_question_ids=unattempted,
        num_empty_answers=sum(one.returned == 0 for one in answered),
        num_candidates=sum(one.returned for one in answered),
        total_gold=gold,
        macro_recall={str(k): macro(answered, k) for k in CUTOFFS},
        micro_recall={
            str(k): sum(one.found[str(k)] for one in answered) / gold if gold else None
            for k in CUTOFFS
        },
        match_tier_counts=dict(sorted(tiers.items())),
        matching=MATCHING,
        absent_reason="" if gold else NO_GOLD if answered else NO_RESULT,
        latest_failures=tuple(latest[one] for one in failed),
        warnings=traps.warnings(),
        limits=LIMITS,
        per_question=answered,
    )


def macro(answered: Sequence[QuestionRecall], k: int) -> float | None:
    """Mean of the questions' recalls at ``k``, added in their order; None over no question."""
    total = 0.0
    for one in answered:
        total += one.recall[str(k)]
    return total / len(answered) if answered else None


@dataclass(frozen=True)
class _Scan:
    """What a results file holds."""

    found: dict[str, QuestionRecall]
    lines: dict[str, int]
    """The line of each question, scored or not."""
    unknown: list[tuple[str, int]]
    providers: Counter[str]
    gold: list[Problem]
    """Gold sets of answered questions that cannot be scored: faults of the questions file."""


def _scan(questions: Mapping[str, Question], results: Lines, faults: Faults, traps: Traps) -> _Scan:
    read = _Scan({}, {}, [], Counter(), [])
    for number, line in results:
        row = read_result(number, line, faults, traps)
        if row is None:
            continue
        question = questions.get(row.question_id)
        if row.question_id in read.lines:
            first = read.lines[row.question_id]
            faults.add(number, f"the question {row.question_id!r} stands on line {first} already")
            continue
        read.lines[row.question_id] = number
        read.providers[row.provider or ""] += 1
        if question is None:
            read.unknown.append((row.question_id, number))
        elif question.fault:
            found = f"{row.question_id}: {question.fault}"
            read.gold.append(Problem(question.where, found, "one PMID per gold paper"))
        else:
            read.found[row.question_id] = _question(row, question, traps)
    traps.at = ""
    return read


def _question(row: ResultRow, question: Question, traps: Traps) -> QuestionRecall:
    traps.at = row.question_id
    candidates = row.candidates
    if not isinstance(candidates, tuple):
        traps.add("row_without_candidates", "no `candidates` in the row")
        candidates = ()
    index = GoldIndex(question.gold)
    credits = match(index, candidates, traps)
    tell_gold(index, traps)
    if not question.gold:
        traps.add("empty_gold", "gold is []")
    gold = len(question.gold)
    ranks = sorted(one.rank for one in credits.values())
    found = {str(k): bisect_right(ranks, k) for k in CUTOFFS}
    if beyond := len(ranks) - found[str(CUTOFFS[-1])]:
        traps.add("beyond_last_cutoff", f"the last at rank {ranks[-1]}", count=beyond)
    return QuestionRecall(
        question_id=row.question_id,
        total_gold=gold,
        returned=len(candidates),
        last_rank=candidates[-1].rank if candidates else 0,
        found=found,
        recall={k: count / gold if gold else 0.0 for k, count in found.items()},
        matches={index.keys[position] or "": one for position, one in credits.items()},
    )


def _unknown(unknown: list[tuple[str, int]], name: str) -> list[Problem]:
    if not unknown:
        return []
    shown = _some([f"{identifier!r} (line {line})" for identifier, line in unknown])
    found = f"questions that the questions file does not have: {len(unknown)} ({shown})"
    return [Problem(name, found, "the questions that were asked, under their own ids")]


def _strict(
    failed: Sequence[str], unattempted: Sequence[str], traps: Traps, name: str
) -> list[Problem]:
    told = [
        (failed, "without a result, failed"),
        (unattempted, "without a result, not attempted"),
    ]
    problems = [
        Problem(name, f"questions {what}: {len(ids)} ({_some(ids)})") for ids, what in told if ids
    ]
    if count := traps.count("row_without_candidates"):
        problems.append(Problem(name, f"rows without `candidates`: {count}"))
    return problems


def _hint(strict: bool, missing: Sequence[str]) -> str:
    if strict and missing:
        return "run the missing questions, or score without --strict: they then leave the mean"
    return ""


def _tell(
    questions: Mapping[str, Question],
    read: _Scan,
    missing: Sequence[str],
    latest: Mapping[str, FailedQuestion],
    traps: Traps,
) -> None:
    """Notes what concerns the files as a whole."""
    if missing:
        traps.add("missing_questions", missing[0], count=len(missing))
    for one in missing:
        if fault := questions[one].fault:
            traps.add("gold_not_scorable", f"{one}: {fault}")
    for one in latest:
        if one not in questions:
            traps.add("failures_unknown", one)
    first, *others = read.providers or [""]
    for other in others:
        traps.add("many_providers", f"{other!r} beside {first!r}", count=read.providers[other])


def _some(items: Sequence[str]) -> str:
    more = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
