"""The hand-written inputs of the worked study: whole, consistent, and as its READMEs say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from judge.decode import read_jsonl, read_toml
from judge.files import read_bytes, read_text
from judge.protocol.lint import lint
from judge.queries.lint import lint_queries
from judge.queries.load import load_queries
from judge.records.failure import FailureScript
from judge.records.judgement import JUDGEMENTS, Script
from judge.records.protocol import Protocol
from judge.records.query import Query
from judge.records.run import LIST_OUTCOMES
from judge.records.statement import Statement
from judge.runs.identity import hit_key
from judge.runs.outcome import Parsed
from judge.runs.providers.embedded.corpus import Corpus, documents, load_corpus
from judge.runs.providers.embedded.service import EmbeddedService
from judge.runs.providers.registry import service_for
from judge.text import fold

ROOT = Path(__file__).parents[1]
MODES = ("keyword", "semantic")

Key = tuple[str, str]
"""Query id and record key."""


@pytest.fixture(scope="module")
def protocol() -> Protocol:
    path = ROOT / "protocol" / "protocol.toml"
    return read_toml(read_bytes(path), str(path), Protocol)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    path = ROOT / "runs" / "corpus" / "notes.jsonl"
    return load_corpus(read_bytes(path), str(path))


def queries(which: str) -> tuple[Query, ...]:
    path = ROOT / "queries" / f"{which}.jsonl"
    return load_queries(read_bytes(path), str(path))


def scripts(code: str) -> dict[Key, Script]:
    path = ROOT / "judgements" / "script" / f"{code}.jsonl"
    lines = read_jsonl(read_bytes(path), str(path), Script)
    found = {(script.query_id, script.record_id): script for _, script in lines}
    assert len(found) == len(lines), f"{code}: a (query, record) stands twice"
    return found


def codes(coder: str) -> list[FailureScript]:
    path = ROOT / "judgements" / "script" / f"{coder}.failures.jsonl"
    return [line for _, line in read_jsonl(read_bytes(path), str(path), FailureScript)]


@pytest.fixture(scope="module")
def answers(protocol: Protocol, corpus: Corpus) -> dict[tuple[str, str], Parsed]:
    """What both modes answer to the evaluation queries, by (query, system)."""
    found = {}
    for system in protocol.systems:
        service = service_for(system, corpus)
        assert isinstance(service, EmbeddedService)
        for query in queries("evaluation"):
            text = query.submitted(system.code)
            reply = service.ask(system, text, protocol.depth.requested)
            found[query.id, system.code] = service.parse(reply)
    return found


# --- corpus


def test_corpus_is_large_enough_and_holds_what_real_records_hold(corpus: Corpus) -> None:
    notes = corpus.notes
    assert len(notes) >= 150
    assert sum(note.abstract is None for note in notes) >= 5
    assert sum(note.preprint_of is not None for note in notes) == 2
    assert sum(note.retracted for note in notes) == 1
    assert sum(note.link is None for note in notes) >= 3
    assert sum(note.doi is None for note in notes) >= 3
    assert corpus.repaired == 0


@pytest.mark.parametrize(
    "piece",
    ["benzo[a]pyrene", "[/]", "Article in German]", "P<0.001", "<i>", "γ", "ΔF508", "大腸", "🧬"],
)
def test_corpus_has_titles_that_break_careless_display(corpus: Corpus, piece: str) -> None:
    assert any(piece in note.title for note in corpus.notes)


def test_no_identifier_can_be_taken_for_a_real_one(corpus: Corpus) -> None:
    for note in corpus.notes:
        assert note.pmid is None or int(note.pmid) > 90_000_000, note.id
        # 10.5555 is the prefix that Crossref keeps for examples; .example resolves nowhere.
        assert note.doi is None or note.doi.startswith("10.5555/"), note.id
        assert note.link is None or note.link.startswith("https://notes.example/"), note.id


def test_one_work_stands_twice_under_one_doi(corpus: Corpus) -> None:
    dois = Counter(note.doi for note in corpus.notes if note.doi)
    assert [count for count in dois.values() if count > 1] == [2]


# --- protocol and queries


def test_protocol_has_no_problem(protocol: Protocol) -> None:
    assert lint(protocol, read_text(ROOT / "protocol" / "rubric.md")) == []


def test_every_field_of_the_protocol_is_filled(protocol: Protocol) -> None:
    empty = [name for name in protocol.__struct_fields__ if getattr(protocol, name) in ("", (), {})]
    assert empty == []


def test_reason_keys_are_free_at_the_desk(protocol: Protocol) -> None:
    keys = [reason.key for reason in protocol.reasons]
    assert 6 <= len(keys) <= 10
    assert len(set(keys)) == len(keys)
    # The keys of labels and of what the desk does otherwise.
    assert set(keys).isdisjoint("015?lunhgofq/-")


def test_queries_have_no_problem_and_warn_only_where_it_is_meant(protocol: Protocol) -> None:
    findings = lint_queries(queries("evaluation"), queries("development"), protocol)
    assert [str(finding) for finding in findings if finding.severity == "problem"] == []
    assert {finding.where for finding in findings} == {
        "query q06",  # an operator in the mode that does not read it
        "query q10",  # several quoted requirements
        "query q14",  # grouping
        "query q16",  # malformed by design
    }


def test_evaluation_set_covers_four_families_and_every_kind_of_query(protocol: Protocol) -> None:
    evaluation = queries("evaluation")
    assert len(evaluation) == 16
    assert Counter(query.family for query in evaluation) == {
        family.code: 4 for family in protocol.families
    }
    assert Counter(query.expected for query in evaluation) == {
        "ordinary": 12,
        "no_match_control": 1,
        "documented_guard": 2,
        "invalid_by_design": 1,
    }
    assert sum(bool(query.gold) for query in evaluation) >= 5
    assert any(query.max_year for query in evaluation)
    assert all(query.control_check for query in evaluation if query.expected == "no_match_control")


def test_no_query_is_in_both_sets_and_no_need_repeats_its_text() -> None:
    evaluation, development = queries("evaluation"), queries("development")
    assert len(development) == 4
    for mark in ("id", "text", "need"):
        ours = {fold(getattr(query, mark)) for query in evaluation}
        assert ours.isdisjoint(fold(getattr(query, mark)) for query in development)
    for query in (*evaluation, *development):
        assert fold(query.need) != fold(query.text)


def test_gold_papers_are_notes_of_the_corpus(corpus: Corpus) -> None:
    known = {(note.pmid, note.doi, note.title) for note in corpus.notes}
    for query in queries("evaluation"):
        for paper in query.gold:
            assert (paper.pmid, paper.doi, paper.title) in known, query.id


def test_control_has_no_match_in_the_corpus(corpus: Corpus) -> None:
    for note in corpus.notes:
        text = f"{note.title} {note.abstract}".casefold()
        assert not any(
            word in text for word in ("tardigrade", "dsup", "ramazzottius", "water bear")
        )


def test_modes_answer_as_the_study_needs_it(answers: dict[tuple[str, str], Parsed]) -> None:
    outcomes = {key: answer.outcome for key, answer in answers.items()}
    ordinary = [query.id for query in queries("evaluation") if query.expected == "ordinary"]
    assert all(outcomes[query, mode] in LIST_OUTCOMES for query in ordinary for mode in MODES)
    assert outcomes["q04", "keyword"] == "empty"  # a valid empty answer to an ordinary query
    assert outcomes["q13", "keyword"] == "empty"
    assert {outcomes[query, mode] for query in ("q14", "q15") for mode in MODES} == {"refused"}
    assert outcomes["q16", "keyword"] == "rejected"
    assert outcomes["q16", "semantic"] == "answered"
    returned = [len(answers[query, mode].hits or ()) for query in ordinary for mode in MODES]
    assert sum(count < 10 for count in returned) >= 5  # short lists
    assert sum(count >= 10 for count in returned) >= 10


# --- judgements


def test_scripts_label_the_pool_and_nothing_else(
    protocol: Protocol, answers: dict[tuple[str, str], Parsed]
) -> None:
    pooled = {
        (query, hit_key(hit, "embedded"))
        for (query, _), answer in answers.items()
        for hit in answer.hits or ()
        if hit.rank <= protocol.depth.pool
    }
    # The early view of N085 has its DOI and no PMID: one record, and one item, under the policy.
    pooled -= {("q09", "doi:10.5555/bj.085")}
    assert ("q09", "pmid:90000085") in pooled
    for code in protocol.people.assessors:
        assert set(scripts(code)) == pooled


def test_reasons_exist_and_allow_the_label(protocol: Protocol) -> None:
    reasons = {reason.code: reason.labels for reason in protocol.reasons}
    for code in (*protocol.people.assessors, protocol.people.adjudicator):
        for key, script in scripts(code).items():
            assert script.label in reasons[script.reason], (code, key)
            if script.decision:
                assert script.decision in reasons[script.decision_reason], (code, key)
            else:
                assert script.decision_reason == "", (code, key)


def test_every_judgement_rests_on_what_could_be_read(corpus: Corpus) -> None:
    """R47: the protocol asks for an abstract, so no judgement rests on a title."""
    has_abstract = {doc.record_id: doc.abstract is not None for doc in documents(corpus)}
    for code in ("A", "B", "D"):
        for key, script in scripts(code).items():
            judged = script.label in JUDGEMENTS
            assert judged is (script.cannot_kind is None), (code, key)
            assert not judged or script.evidence != "title", (code, key)
            assert has_abstract[key[1]] or script.evidence != "abstract", (code, key)


def test_disagreements_are_many_enough_and_each_is_settled_once() -> None:
    first, second = scripts("A"), scripts("B")
    judged = [
        key for key in first if first[key].label in JUDGEMENTS and second[key].label in JUDGEMENTS
    ]
    disputed = {key for key in judged if first[key].label != second[key].label}
    assert len(disputed) / len(first) >= 0.12
    decisions = scripts("D")
    assert set(decisions) == disputed
    changed = [script for script in decisions.values() if script.decision is not None]
    assert changed
    assert all(script.decision != script.label for script in changed)


def test_some_items_cannot_be_judged_and_some_stay_uncertain() -> None:
    first, second = scripts("A"), scripts("B")
    unable = Counter((first[key].label, second[key].label).count("cannot_judge") for key in first)
    assert unable[1] >= 1  # goes to the access queue
    assert unable[2] >= 1
    assert any(first[key].label == second[key].label == "uncertain" for key in first)


def test_two_families_are_complete_and_one_has_gaps() -> None:
    first, second = scripts("A"), scripts("B")
    gaps = Counter(
        query.family
        for query in queries("evaluation")
        for key in first
        if key[0] == query.id and "cannot_judge" in (first[key].label, second[key].label)
    )
    assert gaps["identifier"] == gaps["evidence"] == 0
    assert gaps["mechanism"] > 0


@pytest.mark.parametrize("coder", ["A", "D"])
def test_coded_failures_point_at_what_was_returned(
    answers: dict[tuple[str, str], Parsed], coder: str
) -> None:
    lines = codes(coder)
    assert len({(one.query_id, one.system, one.rank) for one in lines}) == len(lines)
    assert len({category for one in lines for category in one.categories}) >= 6
    for one in lines:
        answer = answers[one.query_id, one.system]
        if one.rank is not None:
            assert answer.hits is not None, one
            assert 1 <= one.rank <= len(answer.hits), one


def test_the_retracted_note_is_never_returned_without_notice(
    corpus: Corpus, answers: dict[tuple[str, str], Parsed]
) -> None:
    """What the statement answers to `retracted-unmarked`."""
    (retracted,) = (note.id for note in corpus.notes if note.retracted)
    hits = [
        (query, hit.notice)
        for (query, _), answer in answers.items()
        for hit in answer.hits or ()
        if hit.record_id == retracted
    ]
    assert hits
    assert all(notice for _, notice in hits)


# --- words


def test_statement_answers_every_unacceptable_failure_and_claims_nothing(
    protocol: Protocol,
) -> None:
    path = ROOT / "reports" / "statement.toml"
    statement = read_toml(read_bytes(path), str(path), Statement)
    assert [answer.code for answer in statement.answers] == [
        failure.code for failure in protocol.unacceptable_failures
    ]
    known = {query.id for query in queries("evaluation")}
    assert all(set(answer.queries) <= known for answer in statement.answers)
    assert statement.conclusions
    assert statement.left_out
    said = " ".join(statement.conclusions).casefold()
    for word in ("passed", "verified", "validated", "proves", "supports", "better", "benchmark"):
        assert word not in said


@pytest.mark.parametrize("folder", ["protocol", "queries", "runs", "judgements", "reports"])
def test_each_folder_says_what_it_holds(folder: str) -> None:
    text = read_text(ROOT / folder / "README.md")
    assert text.startswith(f"# {folder}\n")
    assert "Check: `judge " in text.replace("\n", " ")


def test_readmes_say_that_nobody_judged_and_nothing_is_real() -> None:
    judgements = read_text(ROOT / "judgements" / "README.md")
    assert "Origin: scripted" in judgements
    assert "Nobody judged blind, and nothing is evaluated" in judgements
    assert "invented" in judgements
    assert "outside PubMed's range" in read_text(ROOT / "runs" / "README.md")
