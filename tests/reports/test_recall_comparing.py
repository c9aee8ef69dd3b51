from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from judge.errors import Invalid
from judge.records.recall import RecallComparison, RecallScore
from judge.reports.recall.comparing import compare
from judge.steps.recalling import compare_recall
from tests.reports.recall_files import answer, asked, lines, scored

QUESTIONS = [asked("q1", "1", "2"), asked("q2", "3"), asked("q3", "4")]


def listing(*depths: int, hits: dict[str, str] | None = None) -> list[dict[str, object]]:
    """Answers to q1, q2, … of these depths; ``hits`` puts a PMID at the first rank."""
    rows = []
    for number, depth in enumerate(depths, 1):
        pmids = [str(1000 + rank) for rank in range(depth)]
        if hits and f"q{number}" in hits and pmids:
            pmids[0] = hits[f"q{number}"]
        rows.append(answer(f"q{number}", *pmids))
    return rows


def system(name: str, rows: list[dict[str, object]]) -> RecallScore:
    return scored(QUESTIONS, list(rows), system=name)


def cells(done: RecallComparison, name: str) -> list[str]:
    (one,) = (one for one in done.systems if one.system == name)
    return [
        "–" if figure.own is None else f"{figure.own:g}/{figure.shared:g}{'*' * figure.ceiling}"
        for figure in one.figures
    ]


def test_each_system_stands_on_its_own_questions_and_on_those_all_completed() -> None:
    # a: q1 1/2, q2 1, q3 0; b did not complete q3: q1 0, q2 1.
    a = system("a", listing(200, 200, 200, hits={"q1": "1", "q2": "3"}))
    b = system("b", listing(200, 200, hits={"q2": "3"}))
    done = compare([a, b])
    assert (done.questions, done.shared) == (3, 2)
    assert [(one.system, one.completed) for one in done.systems] == [("a", 3), ("b", 2)]
    assert cells(done, "a") == ["0.5/0.75"] * 5
    assert cells(done, "b") == ["0.5/0.5"] * 5


def test_a_depth_that_was_not_returned_has_no_figure() -> None:
    # Twenty a page: nothing at 50 and beyond. Fifty: nothing at 100 and beyond.
    done = compare([system("page", listing(20, 20, 20)), system("fifty", listing(50, 50, 50))])
    assert cells(done, "page") == ["0/0", "0/0", "–", "–", "–"]
    assert cells(done, "fifty") == ["0/0", "0/0", "0/0", "–", "–"]


def test_a_figure_that_repeats_the_end_of_the_lists_is_marked() -> None:
    # Lists that end at a median of 23 and at most at 60: at 50 and 100 they repeat what they end
    # with, at 200 nothing was returned.
    done = compare([system("short", listing(18, 23, 60)), system("long", listing(200, 200, 200))])
    assert cells(done, "short") == ["0/0", "0/0", "0/0*", "0/0*", "–"]
    assert done.systems[0].median_depth == "23"
    assert cells(done, "long") == ["0/0"] * 5


def test_empty_answers_are_zero_and_not_a_dash() -> None:
    done = compare([system("none", listing(0, 0)), system("b", listing(10, 10))])
    assert cells(done, "none") == ["0/0*", "–", "–", "–", "–"]
    assert done.systems[0].median_depth == "0"


def test_no_question_completed_by_all_leaves_no_shared_figure() -> None:
    first = scored(QUESTIONS, [answer("q1", "1")], system="a")
    second = scored(QUESTIONS, [answer("q2", "3")], system="b")
    done = compare([first, second])
    assert done.shared == 0
    assert {figure.shared for one in done.systems for figure in one.figures} == {None}


def test_what_cannot_be_compared_is_named_all_at_once() -> None:
    one = system("a", listing(10))
    with pytest.raises(Invalid, match="needs two systems"):
        compare([one])
    others = [asked("q1", "1"), *QUESTIONS[1:]]
    with pytest.raises(Invalid) as caught:
        compare(
            [
                one,
                one,
                msgspec.structs.replace(one, system="b", per_question=()),
                scored([*QUESTIONS, asked("q4", "5")], [answer("q1", "1")], system="c"),
                scored(others, [answer("q1", "1")], system="d"),
            ]
        )
    assert [str(problem) for problem in caught.value.problems] == [
        "a: the name stands twice; NAME=FILE names it",
        "b: holds no figures by question; made with `judge recall --per-question --json`",
        "c: other cutoffs or questions than a",
        "d: q1 has 1 gold papers, elsewhere another number; one questions file for all systems",
    ]


def test_results_files_and_outputs_can_stand_together(tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_bytes(b"\n".join(line for _, line in lines(*QUESTIONS)))
    (tmp_path / "r.jsonl").write_bytes(b"\n".join(line for _, line in lines(answer("q1", "1"))))
    output = tmp_path / "out.json"
    output.write_bytes(msgspec.json.encode(system("a", listing(10, 10, 10))))
    done = compare_recall([str(output), f"mine={tmp_path / 'r.jsonl'}"], questions)
    assert [(one.system, one.completed) for one in done.systems] == [("a", 3), ("mine", 1)]
    named = compare_recall([f"x={output}", str(output)], None)
    assert [one.system for one in named.systems] == ["x", "a"]
    with pytest.raises(Invalid) as caught:
        compare_recall([str(output), str(tmp_path / "r.jsonl")], None)
    assert caught.value.hint == "name the questions with --questions"
    output.write_text("{}", encoding="utf-8")
    with pytest.raises(Invalid, match="not the output of `judge recall --json`"):
        compare_recall([str(output), str(output)], None)
