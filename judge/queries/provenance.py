"""Where keyword queries came from: the provenance report of a questions file.

One row for each keyword query: what was generated, by which model and prompt, and what was sent.
The digest of a prompt is worked out again; a prompt that is not there cannot be checked, and that
is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from judge.canonical import text_digest
from judge.decode import count_problems
from judge.errors import Invalid, Problem
from judge.files import cut_off, numbered_lines, parse_json
from judge.records.base import Record
from judge.text import unstorable

PromptHash = Literal["matches", "differs", "no_prompt", "no_hash"]
_TEXTS = ("model", "source", "prompt", "prompt_sha256", "prompt_provenance", "query_version_id")
NOT_SAID = "not said"


class KeywordQuery(Record, frozen=True, kw_only=True):
    """One keyword query of one question. Null is what the file does not say."""

    question_id: str
    provider: str
    model: str | None
    source: str | None
    prompt: str | None
    """The exact prompt."""
    prompt_sha256: str | None
    """As the file says it."""
    prompt_hash: PromptHash
    """What working it out again gives."""
    prompt_provenance: str | None
    query_version_id: str | None
    query: str | None
    """What was generated."""
    sent: str | None
    """What was sent: ``request_query`` where there is one, else ``query``."""


class ProvenanceSummary(Record, frozen=True, kw_only=True):
    """Counts over the rows of a report."""

    rows: int
    questions: int
    by_provider: dict[str, int]
    by_model: dict[str, int]
    by_source: dict[str, int]
    by_prompt_hash: dict[str, int]
    sent_differs: int
    """Rows whose sent text is not the generated one."""


def keyword_queries(text: str, name: str) -> tuple[KeywordQuery, ...]:
    """Every keyword query of a questions file, in its order.

    Raises `Invalid` with every problem: lines that are no question, a value that is no text, a
    question that stands twice.
    """
    problems = cut_off(text, name)
    found: list[KeywordQuery] = []
    seen: dict[str, int] = {}
    for number, line in numbered_lines(text):
        where = f"{name}: line {number}"
        try:
            row = parse_json(line, floats_as_text=True)
        except ValueError as error:
            problems.append(Problem(where, f"not JSON: {error}"))
            continue
        identifier = row.get("question_id") if isinstance(row, dict) else None
        if not isinstance(identifier, str):
            problems.append(Problem(where, "no question_id", "as text"))
            continue
        if (first := seen.setdefault(identifier, number)) != number:
            problems.append(Problem(where, f"{identifier!r} stands on line {first} already"))
        queries = row.get("queries")
        if not (queries is None or isinstance(queries, dict)):
            problems.append(Problem(where, "queries is no table", "provider to query"))
            continue
        for provider, entry in (queries or {}).items():
            wrong = _faults(entry)
            problems += [Problem(where, f"queries.{provider}: {fault}") for fault in wrong]
            if not wrong:
                found.append(_row(identifier, provider, entry))
    if problems:
        raise Invalid(f"{name} has {count_problems(problems)}", problems)
    return tuple(found)


def _faults(entry: Any) -> list[str]:
    if not isinstance(entry, dict):
        return ["no table"]
    faults = []
    for key in (*_TEXTS, "query", "request_query"):
        value = entry.get(key)
        if not (value is None or isinstance(value, str)):
            faults.append(f"{key} is no text")
        elif value and (fault := unstorable(value)):
            faults.append(f"{key}: {fault}")
    return faults


def _row(identifier: str, provider: str, entry: Mapping[str, Any]) -> KeywordQuery:
    given = {key: entry.get(key) for key in _TEXTS}
    return KeywordQuery(
        question_id=identifier,
        provider=provider,
        prompt_hash=_checked(given["prompt"], given["prompt_sha256"]),
        query=entry.get("query"),
        sent=entry.get("request_query") or entry.get("query"),
        **given,
    )


def _checked(prompt: str | None, digest: str | None) -> PromptHash:
    if prompt is None:
        return "no_prompt"
    if digest is None:
        return "no_hash"
    return "matches" if text_digest(prompt) == digest.lower() else "differs"


def chosen(
    rows: Iterable[KeywordQuery], providers: Sequence[str], questions: Sequence[str]
) -> tuple[KeywordQuery, ...]:
    """The rows of ``providers`` and ``questions``; an empty list of either leaves none out."""
    return tuple(
        row
        for row in rows
        if (not providers or row.provider in providers)
        and (not questions or row.question_id in questions)
    )


def summary(rows: Sequence[KeywordQuery]) -> ProvenanceSummary:
    """Counts per provider, model and source, of prompt hashes, and of changed texts."""

    def counted(values: Iterable[str | None]) -> dict[str, int]:
        return dict(sorted(Counter(NOT_SAID if one is None else one for one in values).items()))

    return ProvenanceSummary(
        rows=len(rows),
        questions=len({row.question_id for row in rows}),
        by_provider=counted(row.provider for row in rows),
        by_model=counted(row.model for row in rows),
        by_source=counted(row.source for row in rows),
        by_prompt_hash=counted(row.prompt_hash for row in rows),
        sent_differs=sum(row.sent != row.query for row in rows),
    )
