"""Results and failures files of the public recall evaluation (JSON Lines), written and read.

A results file has a row for each answered question, a failures file one for each that gave no
list; a question without an answer never has a row with an empty list (R65). The files hold fewer
fields than a run record: links, scores and what a service said of a hit are not in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.files import cut_off, numbered_lines, parse_json
from judge.records.query import Query
from judge.records.run import OUTCOMES, Hit, Notice, Outcome, RunRecord
from judge.runs.capture import ASKED_AGAIN
from judge.runs.importing.common import Faults, open_text
from judge.runs.providers.reading import identifier, own_id, spoken, text, whole
from judge.text import repair, shorten, unstorable

_OUTCOMES: tuple[tuple[range | tuple[int, ...], Outcome], ...] = (
    ((401, 403), "auth"),
    ((402,), "quota"),
    ((408, 425, 429), "unavailable"),
    (range(500, 600), "unavailable"),
    (range(400, 500), "rejected"),
)
"""What a failure with a status is, where the file does not say; `judge.runs.classify` has the
rule for replies that this tool saw itself."""


@dataclass(frozen=True)
class Asked:
    """What a row says was asked."""

    line: int
    query_id: str
    provider: str
    query: str | None
    """The text that was sent; None where the file does not say."""
    max_year: int | None
    says_year: bool
    """Whether the row has a cut-off year at all, null included."""


@dataclass(frozen=True)
class Answered:
    """A row of a results file."""

    asked: Asked
    hits: tuple[Hit, ...]


@dataclass(frozen=True)
class Failed:
    """The latest row of a question in a failures file."""

    asked: Asked
    outcome: Outcome
    status: int | None
    said: str


# --- writing ------------------------------------------------------------------------------------


def results_bytes(runs: Iterable[RunRecord], queries: Mapping[str, Query]) -> bytes:
    """The answered runs as a results file. Ranks are the raw ones (R35)."""
    return jsonl(
        {
            **_asked(run, queries),
            "candidates": [candidate(hit) for hit in run.raw_results or ()],
        }
        for run in runs
        if run.gave_list()
    )


def candidate(hit: Hit, **more: Any) -> dict[str, Any]:
    """A hit as a results file has it; a year that is no number is null there."""
    return {
        "rank": hit.rank,
        "provider_id": hit.record_id,
        "pmid": hit.pmid,
        "doi": hit.doi,
        "title": hit.title,
        "year": whole(hit.year),
        **more,
    }


def failures_bytes(
    runs: Iterable[RunRecord], queries: Mapping[str, Query], responses: Mapping[str, str]
) -> bytes:
    """The runs that gave no list as a failures file; ``responses`` holds what came, by run id.

    ``outcome`` is a key of ours beside those of the form, so that the file read again says the
    same.
    """
    return jsonl(
        {
            **_asked(run, queries, year=False),
            "error": "; ".join(one.text for one in run.errors_and_notices or ())
            or str(run.outcome),
            "status": run.http_status,
            "retryable": run.outcome in ASKED_AGAIN,
            "response": responses.get(run.run_id),
            "outcome": run.outcome,
        }
        for run in runs
        if not run.gave_list()
    )


def _asked(run: RunRecord, queries: Mapping[str, Query], year: bool = True) -> dict[str, Any]:
    row: dict[str, Any] = {
        "question_id": run.query_id,
        "provider": run.service,
        "query": run.query,
    }
    return {**row, "max_year": queries[run.query_id].max_year} if year else row


def jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as JSON Lines."""
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


# --- reading ------------------------------------------------------------------------------------


def read_results(data: bytes, name: str) -> tuple[list[Answered], list[Notice]]:
    """The rows of a results file, gzip or not, and what was noted about the file.

    Raises `Invalid` with every problem: a row without a list, a rank that is none or stands
    twice, a question that stands twice for one provider.
    """
    faults, notices, rows = Faults(name), list[Notice](), list[Answered]()
    first: dict[tuple[str, str], int] = {}
    for number, row in _rows(data, name, faults, notices):
        asked = _read_asked(number, row, faults)
        if asked is None:
            continue
        pair = (asked.query_id, asked.provider)
        if pair in first:
            faults.add(number, f"{asked.query_id!r} stands on line {first[pair]} already")
        first.setdefault(pair, number)
        found = row.get("candidates")
        if not isinstance(found, list):
            what = "no list of candidates"
            faults.add(number, what, "[] for an empty answer; a failure has no row here")
            continue
        hits = _hits(number, found, faults)
        rows.append(Answered(asked, hits))
    faults.stop()
    return rows, notices


def read_failed(data: bytes, name: str) -> list[Failed]:
    """The latest row of each question and provider of a failures file. Raises `Invalid`."""
    faults = Faults(name)
    latest: dict[tuple[str, str], Failed] = {}
    for number, row in _rows(data, name, faults, []):
        asked = _read_asked(number, row, faults)
        if asked is None:
            continue
        status = whole(row.get("status"))
        said = repair(spoken(row.get("error")))[0] or "no words"
        outcome = _outcome(number, row, status, said, faults)
        latest[asked.query_id, asked.provider] = Failed(asked, outcome, status, said)
    faults.stop()
    return list(latest.values())


def _outcome(
    number: int, row: Mapping[str, Any], status: int | None, said: str, faults: Faults
) -> Outcome:
    given = row.get("outcome")
    if given is not None:
        for outcome in OUTCOMES:
            if given == outcome and outcome not in ("answered", "empty"):
                return outcome
        faults.add(number, f"outcome {given!r}", "an outcome without a list")
    if "hasn't returned any results" in said:
        return "empty_reported"
    for statuses, outcome in _OUTCOMES:
        if status in statuses:
            return outcome
    # Without a status nobody can say that a service refused or was down (R75).
    return "unavailable" if row.get("retryable") is True else "bad_reply"


def _rows(
    data: bytes, name: str, faults: Faults, notices: list[Notice]
) -> Iterable[tuple[int, dict[str, Any]]]:
    content, noted = open_text(data, name)
    notices += noted
    faults.extend(cut_off(content, name))
    for number, line in numbered_lines(content):
        try:
            row = parse_json(line, floats_as_text=True)
        except ValueError as error:
            faults.add(number, f"not JSON: {error}", "one object a line")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            faults.add(number, "not a table", "one object a line")


def _read_asked(number: int, row: Mapping[str, Any], faults: Faults) -> Asked | None:
    query_id, provider = row.get("question_id"), row.get("provider", "")
    if not isinstance(query_id, str) or unstorable(query_id):
        faults.add(number, f"question_id is {shorten(repr(query_id), 60)}", "text in quotes")
        return None
    if not isinstance(provider, str):
        faults.add(number, "provider is no text")
        return None
    query, year = row.get("query"), row.get("max_year")
    if not (query is None or isinstance(query, str)):
        faults.add(number, "query is no text", "the text that was sent, or null")
        return None
    if not (year is None or (isinstance(year, int) and not isinstance(year, bool))):
        faults.add(number, f"max_year {year!r}", "a year or null")
        return None
    return Asked(number, query_id, provider, query, year, "max_year" in row)


def _hits(number: int, found: list[Any], faults: Faults) -> tuple[Hit, ...]:
    hits: dict[int, Hit] = {}
    for place, one in enumerate(found, 1):
        if not isinstance(one, dict):
            faults.add(number, f"candidate {place} is no table")
            continue
        rank = one.get("rank")
        if not isinstance(rank, int) or isinstance(rank, bool) or rank < 1:
            faults.add(number, f"candidate {place}: rank {rank!r}", "ranks are 1, 2, …")
            continue
        if rank in hits:
            faults.add(number, f"rank {rank} stands twice", "one candidate per rank")
        pmid, doi = identifier(one.get("pmid")), identifier(one.get("doi"))
        hits[rank] = Hit(
            rank=rank,
            record_id=own_id(one, text(one.get("provider_id")), pmid, doi),
            title=text(one.get("title")),
            pmid=pmid,
            doi=doi,
            year=text(one.get("year")),
        )
    return tuple(hit for _, hit in sorted(hits.items()))
