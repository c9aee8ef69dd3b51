from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.recall_data import make
from judge.errors import Invalid
from judge.records.recall import Credit
from judge.reports.recall.rows import read_failures, read_questions
from judge.reports.recall.scoring import NO_GOLD, NO_RESULT
from judge.steps.recalling import numbered, score_recall
from tests.reports.recall_files import Row, answer, asked, lines, scored, told

# Three questions with 4, 2 and 1 gold papers. Found: q1 at ranks 1 and 15, q2 at 60, q3 nowhere.
QUESTIONS = [asked("q1", "1", "2", "3", "4"), asked("q2", "5", "6"), asked("q3", "7")]
FOUND = [
    answer("q1", "1", *(["90"] * 13), "2", "91"),
    answer("q2", *(["92"] * 59), "6"),
    answer("q3"),
]


def test_macro_is_the_mean_of_the_questions_and_micro_pools_them() -> None:
    done = scored(QUESTIONS, FOUND)
    # By question, at 10: 1/4, 0, 0. At 20 and 50: 2/4, 0, 0. At 100 and 200: 2/4, 1/2, 0.
    assert done.macro_recall == {
        **{"10": 0.25 / 3, "20": 0.5 / 3, "50": 0.5 / 3},
        **{"100": 1 / 3, "200": 1 / 3},
    }
    assert done.micro_recall == {
        **{"10": 1 / 7, "20": 2 / 7, "50": 2 / 7},
        **{"100": 3 / 7, "200": 3 / 7},
    }
    assert (done.num_scored_questions, done.total_gold, done.num_candidates) == (3, 7, 76)
    assert done.match_tier_counts == {"pmid": 3}
    assert done.num_empty_answers == 1
    assert told(done) == {}
    assert done.system == "s"


def test_every_question_has_its_own_figures() -> None:
    first, second, third = scored(QUESTIONS, FOUND).per_question
    assert first.recall == {"10": 0.25, "20": 0.5, "50": 0.5, "100": 0.5, "200": 0.5}
    assert first.matches == {"1": Credit(rank=1, tier="pmid"), "2": Credit(rank=15, tier="pmid")}
    assert (first.found["20"], first.returned, first.last_rank) == (2, 16, 16)
    assert (second.question_id, second.matches) == ("q2", {"6": Credit(rank=60, tier="pmid")})
    assert (third.recall["200"], third.returned, third.last_rank) == (0.0, 0, 0)


def test_questions_come_in_the_order_of_the_questions_file() -> None:
    done = scored(QUESTIONS, FOUND[::-1])
    assert [one.question_id for one in done.per_question] == ["q1", "q2", "q3"]
    assert done.macro_recall == scored(QUESTIONS, FOUND).macro_recall


def test_floats_are_added_one_after_the_other() -> None:
    # 0.1 + 0.1 + … ten times is 0.9999999999999999 so added, and 1.0 with compensation.
    questions = [asked(f"q{n}", *(str(pmid) for pmid in range(1, 11))) for n in range(10)]
    results = [answer(f"q{n}", "1") for n in range(10)]
    assert scored(questions, results).macro_recall["10"] == 0.09999999999999999


def test_a_question_without_a_row_leaves_the_mean_as_failed_or_not_attempted() -> None:
    failures: list[Row] = [
        {"question_id": "q2", "error": "HTTP 503", "status": 503, "retryable": True},
        {"question_id": "q2", "error": "HTTP 400", "status": 400, "retryable": False},
        {"question_id": "q1", "error": "HTTP 429", "status": 429, "retryable": True},
        {"question_id": "qx", "error": "HTTP 500"},
    ]
    done = scored(QUESTIONS, FOUND[:1], failures)
    assert done.macro_recall["10"] == 0.25
    assert (done.num_missing_questions, done.missing_question_ids) == (2, ("q2", "q3"))
    assert (done.num_failed_questions, done.failed_question_ids) == (1, ("q2",))
    assert (done.num_unattempted_questions, done.unattempted_question_ids) == (1, ("q3",))
    assert done.num_failure_records == 4
    (latest,) = done.latest_failures
    assert (latest.error, latest.status, latest.retryable) == ("HTTP 400", "400", "no")
    assert told(done) == {"missing_questions": 2, "failures_unknown": 1}


def test_no_result_at_all_is_no_recall_and_not_zero() -> None:
    done = scored(QUESTIONS, [])
    assert set(done.macro_recall.values()) == set(done.micro_recall.values()) == {None}
    assert done.absent_reason == NO_RESULT
    assert b"nan" not in msgspec.json.encode(done).lower()


def test_empty_gold_counts_zero_in_the_macro_mean_and_is_told() -> None:
    done = scored([asked("q1", "1"), asked("q2")], [answer("q1", "1"), answer("q2", "1")])
    assert (done.macro_recall["10"], done.micro_recall["10"]) == (0.5, 1.0)
    assert told(done) == {"empty_gold": 1}
    alone = scored([asked("q2")], [answer("q2", "1")])
    assert (alone.macro_recall["10"], alone.micro_recall["10"]) == (0.0, None)
    assert alone.absent_reason == NO_GOLD


def test_a_row_without_candidates_counts_as_an_empty_answer_and_is_told() -> None:
    error = {"question_id": "q1", "provider": "s", "error": "HTTP 500"}
    done = scored([asked("q1", "1"), asked("q2", "2")], [error, answer("q2", "2")])
    assert done.macro_recall["10"] == 0.5
    assert told(done) == {"row_without_candidates": 1}
    assert done.warnings[0].example.startswith("q1: ")


def test_ranks_are_read_as_the_reference_reads_them_and_told() -> None:
    rows: list[Row] = [
        {"rank": 1.9, "pmid": "1"},
        {"rank": "2", "pmid": "2"},
        {"rank": 12, "pmid": "3"},
    ]
    done = scored([asked("q1", "1", "2", "3")], [answer("q1", *rows)])
    (only,) = done.per_question
    assert {pmid: one.rank for pmid, one in only.matches.items()} == {"1": 1, "2": 2, "3": 12}
    assert (done.macro_recall["10"], done.macro_recall["20"]) == (2 / 3, 1.0)
    assert told(done) == {"rank_form": 2, "rank_gaps": 1}


def test_candidates_are_taken_by_rank_in_whatever_order_they_stand() -> None:
    rows: list[Row] = [
        {"rank": 2, "pmid": "1", "doi": None},
        {"rank": 1, "pmid": None, "doi": "10.1/a"},
    ]
    done = scored([asked("q1", {"pmid": "1", "doi": "10.1/A"})], [answer("q1", *rows)])
    assert done.per_question[0].matches == {"1": Credit(rank=1, tier="doi")}
    assert told(done) == {}


def test_what_is_found_beyond_the_last_cutoff_is_in_the_tiers_alone() -> None:
    done = scored([asked("q1", "1")], [answer("q1", *(["9"] * 200), "1")])
    assert (done.macro_recall["200"], done.match_tier_counts) == (0.0, {"pmid": 1})
    assert told(done) == {"beyond_last_cutoff": 1}


def test_rows_of_another_provider_are_told_and_a_name_can_be_given() -> None:
    questions = [asked("q1", "1"), asked("q2", "2")]
    mixed = [answer("q1", "1"), {**answer("q2", "2"), "provider": "t"}]
    done = scored(questions, mixed, system="mine")
    assert (done.system, told(done)) == ("mine", {"many_providers": 1})


def test_gold_papers_that_only_the_same_text_matches_are_told() -> None:
    gold = [
        {"pmid": "http://www.ncbi.nlm.nih.gov/pubmed/1", "doi": "https://www.doi.org/10.1/a"},
        {"pmid": "2", "doi": "10.1/b", "title": "Read"},
    ]
    done = scored([asked("q1", *gold)], [answer("q1", "1", "2")])
    assert done.macro_recall["10"] == 0.5
    assert told(done) == {"gold_pmid_not_read": 1, "gold_doi_not_read": 1}


@pytest.mark.parametrize(
    "row",
    [
        '{"question_id": "q1", "candidates": [{"rank": 1, "pmid": 1, "year": NaN}]}',
        '{"question_id": "q0", "question_id": "q1", "candidates": [{"rank": 1, "pmid": "1"}]}',
        '{"question_id": "q1", "candidates": [{"rank": 1, "pmid": "1", "title": "\\ud83d"}]}',
        '{"question_id": "q1", "candidates": [{"rank": true, "pmid": "1"}]}',
        '{"question_id": "q1", "candidates": [{"rank": " 1 ", "pmid": "01"}]}',
        '{"question_id": "q1", "candidates": [{"rank": 1, "pmid": "1", "doi": 7, "title": []}]}',
    ],
)
def test_a_line_that_the_fast_way_refuses_is_read_as_the_reference_reads_it(row: str) -> None:
    assert scored([asked("q1", "1")], [row]).macro_recall["10"] == 1.0


def test_a_pmid_that_is_a_fraction_is_its_text() -> None:
    row = '{"question_id": "q1", "candidates": [{"rank": 1, "pmid": 8906788.0}]}'
    done = scored([asked("q1", "8906788")], [row])
    assert (done.macro_recall["10"], told(done)) == (0.0, {"pmid_decimal": 1})


# --- what cannot be scored ----------------------------------------------------------------------


def problems(questions: Sequence[Row], results: Sequence[Any], **options: Any) -> list[str]:
    with pytest.raises(Invalid) as caught:
        scored(questions, results, **options)
    return [str(problem) for problem in caught.value.problems]


ONE = '{"question_id": "q1", "candidates": %s}'


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (ONE % "null", "`candidates` is null; [] for an empty answer"),
        (ONE % '{"rank": 1}', "`candidates` is no list"),
        (ONE % "[null]", "candidate 1 is no table"),
        (ONE % '[{"rank": 0}]', "rank 0; ranks are 1, 2, …"),
        (ONE % '[{"rank": 1}, {"rank": 1}]', "rank 1 stands twice"),
        (ONE % '[{"rank": 1}, {"rank": 1.9}]', "rank 1 stands twice"),
        (ONE % '[{"rank": null}]', "candidate 1: the rank None"),
        (ONE % '[{"rank": NaN}]', "candidate 1: the rank nan"),
        (ONE % '[{"pmid": "1"}]', "candidate 1: no rank"),
        ('{"candidates": []}', "no question_id; ids are text in quotes"),
        ('{"question_id": 1, "candidates": []}', "question_id is 1; ids are text in quotes"),
        ('{"question_id": "\\ud800"}', "a lone surrogate (U+D800)"),
        ("[]", "not a table; one object a line"),
        ('{"question_id": "q1", "candi', "not JSON: "),
        (
            b'{"question_id": "q1", "candidates": [{"rank": 1, "title": "\xff"}]}',
            "0xff is not UTF-8",
        ),
    ],
)
def test_a_row_that_the_reference_stops_at_is_named_with_its_line(
    row: str | bytes, words: str
) -> None:
    (problem,) = problems([asked("q1", "1")], [row])
    assert problem.startswith("r.jsonl: line 1: ")
    assert words in problem


def test_all_problems_of_a_file_are_told_at_once() -> None:
    told_of = problems(
        [asked("q1", "1"), asked("q2", "2"), asked("q3", "3")],
        [
            answer("q1", "1"),
            ONE % "null",
            answer("q1", "1"),
            answer("qx", "1"),
            answer("qy", "1"),
            answer("q3", {"rank": 0, "pmid": "1"}),
        ],
    )
    assert told_of == [
        "r.jsonl: line 2: `candidates` is null; [] for an empty answer; a question without an "
        "answer has no row",
        "r.jsonl: line 3: the question 'q1' stands on line 1 already",
        "r.jsonl: line 6: rank 0; ranks are 1, 2, …",
        "r.jsonl: questions that the questions file does not have: 2 ('qx' (line 4), 'qy' (line "
        "5)); the questions that were asked, under their own ids",
    ]


@pytest.mark.parametrize(
    ("gold", "words"),
    [
        ([{"doi": "10.1/a"}], "gold paper 1 has no PMID"),
        ([{"pmid": "1"}, {"pmid": "000"}], "gold paper 2 has no PMID"),
        ([{"pmid": "1"}, {"pmid": "01"}], "the gold PMID 1 stands twice"),
        ([{"pmid": "1"}, {"pmid": 1}], "the gold PMID 1 stands twice"),
    ],
)
def test_a_gold_set_that_cannot_be_scored_is_named_and_told_where_it_is_not_scored(
    gold: list[Row], words: str
) -> None:
    questions = [asked("q2", "2"), asked("q1", *gold)]
    # The fault is in the questions file, whatever the line of the answer.
    assert problems(questions, [answer("q1", "1"), answer("q2", "2")]) == [
        f"q.jsonl: line 2: q1: {words}; one PMID per gold paper"
    ]
    unscored = scored(questions, [answer("q2", "2")])
    assert unscored.macro_recall["10"] == 1.0
    assert told(unscored) == {"missing_questions": 1, "gold_not_scorable": 1}


def test_strict_asks_for_an_answer_to_every_question() -> None:
    questions = [asked(f"q{n}", "1") for n in range(4)]
    results: list[Row | str | bytes] = [answer("q0", "1"), {"question_id": "q1", "error": "x"}]
    failures = [{"question_id": "q2", "error": "HTTP 500"}]
    with pytest.raises(Invalid) as caught:
        scored(questions, results, failures, strict=True)
    assert [str(problem) for problem in caught.value.problems] == [
        "r.jsonl: questions without a result, failed: 1 (q2)",
        "r.jsonl: questions without a result, not attempted: 1 (q3)",
        "r.jsonl: rows without `candidates`: 1",
    ]
    assert "score without --strict" in caught.value.hint
    complete = [answer(f"q{n}", "1") for n in range(4)]
    assert scored(questions, complete, strict=True).macro_recall["10"] == 1.0


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('{"question_id": "q1"}', "no `gold`; a list of {pmid, doi, title}; [] for none"),
        ('{"question_id": "q1", "gold": null}', "`gold` is no list of papers"),
        ('{"question_id": "q1", "gold": ["1"]}', "`gold` is no list of papers"),
        ('{"question_id": 7, "gold": []}', "question_id is 7"),
        ("{", "not JSON"),
    ],
)
def test_a_question_of_another_form_is_named_with_its_line(row: str, words: str) -> None:
    with pytest.raises(Invalid) as caught:
        read_questions(lines(asked("q0", "1"), row), "q.jsonl")
    (problem,) = caught.value.problems
    assert problem.where == "q.jsonl: line 2"
    assert words in str(problem)


def test_questions_and_failures_are_refused_as_a_whole() -> None:
    with pytest.raises(Invalid, match=r"q\.jsonl has one problem") as caught:
        read_questions(lines(asked("q1"), asked("q1")), "q.jsonl")
    assert "'q1' stands on line 1 already" in str(caught.value.problems[0])
    with pytest.raises(Invalid, match="no question in the file"):
        read_questions([], "q.jsonl")
    with pytest.raises(Invalid, match="2 problems"):
        read_failures(lines('{"error": "x"}', "[]"), "f.jsonl")


# --- files --------------------------------------------------------------------------------------


def test_made_files_give_the_recall_that_was_planned_for_them(tmp_path: Path) -> None:
    plan = make(tmp_path, questions=120, depth=60)
    full = score_recall(tmp_path / "bioasq.jsonl", tmp_path / "results.jsonl.gz", strict=True)
    part = score_recall(
        tmp_path / "bioasq.jsonl",
        tmp_path / "results_partial.jsonl",
        failures=tmp_path / "failures.jsonl",
    )
    for done, expected in ((full, plan), (part, plan["partial"])):
        for name in ("macro_recall", "micro_recall", "num_scored_questions", "total_gold"):
            assert getattr(done, name) == expected[name], name
    assert full.match_tier_counts == plan["match_tier_counts"]
    assert set(full.match_tier_counts) == {"pmid", "doi", "title"}
    assert full.num_candidates == plan["rows"] == 7200
    assert part.num_missing_questions == plan["partial"]["num_missing_questions"] == 6
    assert part.num_failed_questions == plan["partial"]["num_failed_questions"] == 3
    assert part.num_unattempted_questions == 3
    assert part.num_empty_answers == plan["partial"]["num_empty_success"] == 3


def test_lines_are_numbered_and_blank_ones_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{}\r\n\n  \n{"a": 1}')
    assert list(numbered(path)) == [(1, b"{}\r\n"), (4, b'{"a": 1}')]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    make(tmp_path, questions=60, depth=20)
    whole = (tmp_path / "results.jsonl.gz").read_bytes()
    cut, damaged = tmp_path / "cut.gz", tmp_path / "damaged.gz"
    cut.write_bytes(whole[:-20])
    damaged.write_bytes(whole[:200] + b"\x00\x01\x02" + whole[203:])
    for path, words in (
        (tmp_path / "none.jsonl", "no such file"),
        (tmp_path, "cannot be read"),
        (cut, "the gzip file is cut off"),
        (damaged, "the gzip file is damaged"),
    ):
        with pytest.raises(Invalid, match=words):
            score_recall(tmp_path / "bioasq.jsonl", path)


def test_a_failures_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(asked("q1", "1")) + "\n", encoding="utf-8")
    (tmp_path / "r.jsonl").write_text("", encoding="utf-8")
    done = score_recall(
        tmp_path / "q.jsonl", tmp_path / "r.jsonl", failures=tmp_path / "none.jsonl"
    )
    assert told(done) == {"missing_questions": 1, "failures_absent": 1}
    assert (done.num_failed_questions, done.num_unattempted_questions) == (0, 1)
