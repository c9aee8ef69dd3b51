"""Questions written elsewhere, read as queries: BioASQ Task B JSON and the recall questions file.

Both bring gold papers, so that recall can stand beside precision. A question that cannot be a
query is skipped and listed; nothing is guessed. BioASQ data stay under their own terms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from judge.decode import count_problems
from judge.errors import Invalid, Problem
from judge.files import cut_off, decode_text, numbered_lines, parse_json
from judge.queries.load import faults, paper_mark
from judge.records.query import GoldPaper, Query, Translation

_PMID = re.compile(
    r"""(?: (?:https?://)? (?:www\.|m\.)?
            (?: ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/ (?:\?term=)?
              | pubmed\.ncbi\.nlm\.nih\.gov/ (?:\?term=)?
              | pubmed\.gov/
              | europepmc\.org/(?:article|abstract)/med/ )
          | pmid: \s* | )
        ([0-9]{1,9}) (?: [/?\#] .* )?""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
_DOI = re.compile(
    r"(?:https?://(?:dx\.|www\.)?doi\.org/|doi:\s*|)(10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+)",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True)
class Questions:
    """Queries read from a questions file, what was left out whole, and what else to look at."""

    queries: tuple[Query, ...]
    skipped: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def gold_paper(link: str) -> GoldPaper | None:
    """The paper that a link or an identifier names, or None where it names none we know.

    PubMed addresses old and new, Europe PMC's, bare PMIDs, and DOIs as links or bare.
    """
    text = link.strip()
    if found := _PMID.fullmatch(text):
        return GoldPaper(pmid=found[1])
    if found := _DOI.fullmatch(text):
        return GoldPaper(doi=unquote(found[1]) if "://" in text else found[1])
    return None


def read_bioasq(data: bytes, name: str, *, family: str) -> Questions:
    """A BioASQ Task B file ``{"questions": [{id, body, type, documents}]}`` as queries.

    The body is need and submitted text alike, unchanged. Raises `Invalid` where the file as a
    whole is not of that form or an id stands twice.
    """
    try:
        found = parse_json(decode_text(data, name, crlf=True), floats_as_text=True)
    except ValueError as error:
        raise Invalid(f"{name}: not JSON: {error}") from None
    questions = found.get("questions") if isinstance(found, dict) else None
    if not isinstance(questions, list):
        raise Invalid(f'{name}: no list "questions"; a BioASQ file is {{"questions": [...]}}')
    reading = _Reading(name)
    for number, question in enumerate(questions, 1):
        where = f"{name}: question {number}"
        if not isinstance(question, dict):
            reading.skipped.append(Problem(where, "not a table"))
            continue
        documents = question.get("documents", [])
        links = documents if isinstance(documents, list) else []
        kind = question.get("type")
        reading.add(
            where,
            family=family,
            identifier=question.get("id"),
            text=question.get("body"),
            gold=[(link, _named(link)) for link in links],
            note=f"BioASQ question of type {kind}" if isinstance(kind, str) else "",
        )
    return reading.done()


def read_recall_questions(
    data: bytes, name: str, *, family: str, systems: Mapping[str, str] | None = None
) -> Questions:
    """The questions file of the recall evaluation, JSON Lines, as queries.

    A line is ``{question_id, question, max_year, gold: [{pmid, doi, title}], queries}``. The
    keyword queries under ``queries`` become translations for the systems that ``systems`` maps
    their provider to (the text sent: ``request_query``, else ``query``); those of other providers
    are counted and left. Raises `Invalid` for lines that are not JSON, and ids that stand twice.
    """
    text = decode_text(data, name, crlf=True)
    reading = _Reading(name)
    reading.problems += cut_off(text, name)
    for number, line in numbered_lines(text):
        where = f"{name}: line {number}"
        try:
            question = parse_json(line, floats_as_text=True)
        except ValueError as error:
            reading.problems.append(Problem(where, f"not JSON: {error}"))
            continue
        if not isinstance(question, dict):
            reading.problems.append(Problem(where, "not a table"))
            continue
        papers = question.get("gold", [])
        year = question.get("max_year")
        if not (year is None or (isinstance(year, int) and not isinstance(year, bool))):
            reading.skipped.append(Problem(where, f"max_year {year!r}", "a year or null"))
            continue
        reading.add(
            where,
            family=family,
            identifier=question.get("question_id"),
            text=question.get("question"),
            gold=[(paper, _listed(paper)) for paper in papers] if isinstance(papers, list) else [],
            max_year=year,
            translations=reading.translations(where, question.get("queries"), systems or {}),
        )
    return reading.done()


class _Reading:
    """What one file gave so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.queries: list[Query] = []
        self.skipped: list[Problem] = []
        self.warnings: list[Problem] = []
        self.problems: list[Problem] = []
        self._seen: dict[str, str] = {}
        self._left: Counter[str] = Counter()

    def add(
        self,
        where: str,
        *,
        family: str,
        identifier: Any,
        text: Any,
        gold: list[tuple[Any, GoldPaper | None]],
        max_year: int | None = None,
        translations: dict[str, Translation] | None = None,
        note: str = "",
    ) -> None:
        """One question: a query, or a reason why not."""
        if not isinstance(identifier, str) or not isinstance(text, str):
            which = "id" if not isinstance(identifier, str) else "question text"
            self.skipped.append(Problem(where, f"no {which}", "both as text"))
            return
        if identifier in self._seen:
            first = self._seen[identifier].removeprefix(f"{self.name}: ")
            found = f"the id {identifier!r} stands twice, first in {first}"
            self.problems.append(Problem(where, found, "another gold set or year is another id"))
            return
        self._seen[identifier] = where
        query = Query(
            id=identifier,
            family=family,
            need=text,
            text=text,
            expected="ordinary",
            translations=translations or {},
            max_year=max_year,
            gold=tuple(self._gold(where, gold)),
            note=note,
        )
        if wrong := faults(query):
            found = "; ".join(f"{problem.where}: {problem.found}" for problem in wrong)
            self.skipped.append(Problem(where, found))
            return
        if not query.gold:
            self.warnings.append(Problem(where, "no gold paper: no recall for this question"))
        self.queries.append(query)

    def _gold(self, where: str, gold: list[tuple[Any, GoldPaper | None]]) -> Iterator[GoldPaper]:
        seen: set[str] = set()
        for source, paper in gold:
            if paper is None:
                self.warnings.append(
                    Problem(where, f"gold {source!r} names no paper", "a PubMed link, PMID or DOI")
                )
                continue
            # One credit per paper: what stands twice would be a hit that nothing can find.
            mark = paper_mark(paper)
            if mark in seen:
                self.warnings.append(Problem(where, f"gold {source!r} stands twice; taken once"))
                continue
            seen.add(mark)
            yield paper

    def translations(
        self, where: str, queries: Any, systems: Mapping[str, str]
    ) -> dict[str, Translation]:
        """The keyword queries of the providers that are systems here."""
        taken: dict[str, Translation] = {}
        for provider, entry in queries.items() if isinstance(queries, dict) else ():
            if provider not in systems:
                self._left[provider] += 1
                continue
            sent = entry.get("request_query") or entry.get("query") if _is_table(entry) else None
            if not isinstance(sent, str):
                self.warnings.append(Problem(where, f"query for {provider!r} has no text"))
                continue
            origin = [
                f"{key} {entry[key]}"
                for key in ("source", "model", "query_version_id")
                if isinstance(entry.get(key), str)
            ]
            note = f"keyword query of the questions file ({', '.join(origin) or 'no origin given'})"
            taken[systems[provider]] = Translation(text=sent, note=note)
        return taken

    def done(self) -> Questions:
        """The result. Raises `Invalid` with all problems of the file."""
        if self.problems:
            head = f"{self.name} has {count_problems(self.problems)}"
            raise Invalid(head, self.problems)
        left = [
            Problem(self.name, f"keyword queries for {provider!r} left out: {count}", "no system")
            for provider, count in sorted(self._left.items())
        ]
        return Questions(tuple(self.queries), tuple(self.skipped), (*self.warnings, *left))


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _named(link: Any) -> GoldPaper | None:
    return gold_paper(link) if isinstance(link, str) else None


def _listed(paper: Any) -> GoldPaper | None:
    """A gold paper of the recall file; a PMID written as a number is taken as its digits."""
    if not isinstance(paper, dict):
        return None
    pmid, doi, title = paper.get("pmid"), paper.get("doi"), paper.get("title")
    if isinstance(pmid, int) and not isinstance(pmid, bool):
        pmid = str(pmid)
    values = {"pmid": pmid, "doi": doi, "title": title}
    kept = {key: value for key, value in values.items() if isinstance(value, str) and value}
    return GoldPaper(**kept) if kept else None
