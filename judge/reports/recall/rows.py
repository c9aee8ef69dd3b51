"""Lines of questions, results and failures files as records.

A typed decoder reads almost every line. What it refuses goes the long way, through `json.loads` and
the same conversions as the reference scorer makes (``int(rank)``, ``str(pmid)``), so that both ways
give the same rows; what the reference would stop at becomes a problem with its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from judge.errors import Invalid
from judge.records.recall import Candidate, FailedQuestion, GoldRow, QuestionRow, ResultRow
from judge.reports.recall.keys import pmid_key
from judge.reports.recall.traps import Traps
from judge.runs.importing.common import Faults
from judge.text import repair, unstorable

Lines = Iterable[tuple[int, bytes]]
"""Numbered lines of a file, blank ones left out."""

_QUESTION = msgspec.json.Decoder(QuestionRow)
_RESULT = msgspec.json.Decoder(ResultRow)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and why its gold set cannot be scored; empty where it can."""

    where: str
    """The questions file and the line."""
    line: int
    gold: tuple[GoldRow, ...]
    fault: str


@dataclass(frozen=True)
class Failures:
    """What a failures file says: how many records, and the latest of each question."""

    records: int
    latest: Mapping[str, FailedQuestion]


def read_questions(lines: Lines, name: str) -> dict[str, Question]:
    """Questions by id, in the order of the file.

    A gold set that the reference stops at (a paper without PMID, a PMID twice) is no problem yet:
    it is one when the question is scored. Raises `Invalid` with every problem: lines of another
    form, ids that stand twice, a file without a question.
    """
    faults = Faults(name)
    questions: dict[str, Question] = {}
    for number, line in lines:
        row = _question(number, line, faults)
        if row is None:
            continue
        if row.question_id in questions:
            first = questions[row.question_id].line
            faults.add(number, f"the id {row.question_id!r} stands on line {first} already")
            continue
        questions[row.question_id] = Question(
            f"{name}: line {number}", number, row.gold, gold_fault(row.gold)
        )
    faults.stop()
    if not questions:
        raise Invalid(f"{name}: no question in the file")
    return questions


def gold_fault(gold: Sequence[GoldRow]) -> str:
    """Why a gold set cannot be scored, or nothing."""
    seen: set[str] = set()
    for number, paper in enumerate(gold, 1):
        key = pmid_key(paper.pmid)
        if key is None:
            return f"gold paper {number} has no PMID"
        if key in seen:
            return f"the gold PMID {key} stands twice"
        seen.add(key)
    return ""


def _question(number: int, line: bytes, faults: Faults) -> QuestionRow | None:
    try:
        row = _QUESTION.decode(line)
    except msgspec.MsgspecError:
        found = _table(number, line, faults)
        if found is None:
            return None
        gold = found.get("gold")
        if not isinstance(gold, list) or not all(isinstance(paper, dict) for paper in gold):
            what = "no `gold`" if "gold" not in found else "`gold` is no list of papers"
            faults.add(number, what, "a list of {pmid, doi, title}; [] for none")
            return None
        papers = tuple(
            GoldRow(
                pmid=_text(one.get("pmid")),
                doi=_text(one.get("doi")),
                title=_text(one.get("title")),
            )
            for one in gold
        )
        identifier = _id(number, found, faults)
        if identifier is None:
            return None
        row = QuestionRow(question_id=identifier, gold=papers)
    return row


def read_result(number: int, line: bytes, faults: Faults, traps: Traps) -> ResultRow | None:
    """A line of a results file, its candidates in rank order; None where it has a problem.

    Ranks must be unique and at least 1, as the reference demands; gaps are allowed and noted.
    """
    try:
        row = _RESULT.decode(line)
    except msgspec.MsgspecError:
        found = _table(number, line, faults)
        if found is None or (identifier := _id(number, found, faults)) is None:
            return None
        candidates: Any = found.get("candidates", msgspec.UNSET)
        if isinstance(candidates, list):
            traps.at = identifier
            candidates = _candidates(number, candidates, faults, traps)
            if candidates is None:
                return None
        elif candidates is not None and candidates is not msgspec.UNSET:
            faults.add(number, "`candidates` is no list")
            return None
        provider = found.get("provider")
        row = ResultRow(
            question_id=identifier,
            provider=provider if isinstance(provider, str) else None,
            candidates=candidates,
        )
    if row.candidates is None:
        allowed = "[] for an empty answer; a question without an answer has no row"
        faults.add(number, "`candidates` is null", allowed)
        return None
    if isinstance(row.candidates, tuple):
        return _in_order(number, row, row.candidates, faults, traps)
    return row


def _in_order(
    number: int,
    row: ResultRow,
    candidates: tuple[Candidate, ...],
    faults: Faults,
    traps: Traps,
) -> ResultRow | None:
    ranks = [one.rank for one in candidates]
    if ranks == list(range(1, len(ranks) + 1)):
        return row
    ordered = sorted(candidates, key=lambda one: one.rank)
    ranks.sort()
    if ranks[0] < 1:
        faults.add(number, f"rank {ranks[0]}", "ranks are 1, 2, …")
        return None
    again = next((rank for rank, after in pairwise(ranks) if rank == after), 0)
    if again:
        faults.add(number, f"rank {again} stands twice", "one candidate per rank")
        return None
    if ranks[-1] != len(ranks):
        traps.at = row.question_id
        traps.add("rank_gaps", f"{len(ranks)} candidates, the last at rank {ranks[-1]}")
    return msgspec.structs.replace(row, candidates=tuple(ordered))


def _candidates(
    number: int, found: list[Any], faults: Faults, traps: Traps
) -> tuple[Candidate, ...] | None:
    candidates = []
    for place, one in enumerate(found, 1):
        if not isinstance(one, dict):
            faults.add(number, f"candidate {place} is no table")
            return None
        rank = one.get("rank")
        try:
            whole = int(rank)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            shown = "no rank" if "rank" not in one else f"the rank {rank!r}"
            faults.add(number, f"candidate {place}: {shown}", "ranks are 1, 2, …")
            return None
        if isinstance(rank, bool) or not isinstance(rank, int):
            traps.add("rank_form", f"the rank {rank!r} is read as {whole}")
        candidates.append(
            Candidate(
                rank=whole,
                pmid=_text(one.get("pmid")),
                doi=_text(one.get("doi")),
                title=_text(one.get("title")),
            )
        )
    return tuple(candidates)


def read_failures(lines: Lines, name: str) -> Failures:
    """The failures sidecar: any number of records a question, the last one counts.

    Raises `Invalid` with every line that is no record of a question.
    """
    faults = Faults(name)
    latest: dict[str, FailedQuestion] = {}
    records = 0
    for number, line in lines:
        found = _table(number, line, faults)
        if found is None or (identifier := _id(number, found, faults)) is None:
            continue
        records += 1
        latest[identifier] = FailedQuestion(
            question_id=identifier,
            error=_said(found.get("error")),
            status=_said(found.get("status")),
            retryable=_said(found.get("retryable")),
        )
    faults.stop()
    return Failures(records, latest)


def _table(number: int, line: bytes, faults: Faults) -> dict[str, Any] | None:
    """The line as the reference reads it: doubled keys, NaN and all."""
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        faults.add(number, f"byte 0x{line[error.start]:02x} is not UTF-8")
        return None
    except (ValueError, RecursionError) as error:
        faults.add(number, f"not JSON: {error}", "one object a line")
        return None
    if not isinstance(found, dict):
        faults.add(number, "not a table", "one object a line")
        return None
    return found


def _id(number: int, found: Mapping[str, Any], faults: Faults) -> str | None:
    identifier = found.get("question_id")
    if isinstance(identifier, str):
        if fault := unstorable(identifier):
            faults.add(number, f"question_id: {fault}")
            return None
        return identifier
    shown = "no question_id" if "question_id" not in found else f"question_id is {identifier!r}"
    faults.add(number, shown, "ids are text in quotes")
    return None


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not said" if value is None else repair(str(value))[0]
