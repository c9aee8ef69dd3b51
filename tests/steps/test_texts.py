"""Texts that a team brings: one source for all systems, for records that no source knows (R37)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.errors import Invalid, Refused
from judge.judgements.evidence import evidence_shown
from judge.steps.accessing import access_queue
from judge.steps.context import Context
from judge.steps.importing import import_runs
from judge.steps.judging import make_packet, pool_study
from judge.steps.texts import import_texts, left_open
from judge.store.packet_file import read_shown
from tests.steps.acts import at

RUN = "".join(
    f"{query} Q0 {doc} {rank} {9 - rank} {system}\n"
    for system in ("K", "S")
    for query, docs in (("q1", "x1 x2"), ("q2", "x2 x3"), ("q3", "x1"))
    for rank, doc in enumerate(docs.split(), 1)
)


def imported(folder: Path) -> Context:
    """The small study, frozen, with one bare TREC run of both systems."""
    context = at("frozen", folder)
    run = folder / "run.txt"
    run.write_text(RUN)
    import_runs(context, run)
    return context


def texts(folder: Path, *lines: dict[str, str]) -> Path:
    path = folder / "texts.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def line(record: str, **fields: str) -> dict[str, str]:
    return {"record_id": record, "title": f"On {record}", "abstract": f"Of {record}."} | fields


def test_a_bare_run_is_told_at_once_and_its_texts_can_be_brought(tmp_path: Path) -> None:
    context = imported(tmp_path)
    bare, open_ones = left_open(context)
    assert [key.rpartition(":")[2] for key in bare] == ["x1", "x2", "x3"]
    assert open_ones == 0
    pool_study(context)
    with pytest.raises(Refused, match="3 pooled records have no text") as error:
        make_packet(context, "A")
    assert "judge import-texts" in error.value.hint

    path = texts(tmp_path, line("x1"), line("x2", year="2020"), line("x3"), line("x4"))
    taken = import_texts(context, path, source="the collection")
    assert (taken.taken, taken.same, taken.elsewhere, taken.bare) == (3, 0, 1, ())
    _, shown = read_shown(make_packet(context, "A"))
    assert {(one.view.title, one.view.abstract, one.view.year) for _, one in shown} == {
        ("On x1", "Of x1.", None),
        ("On x2", "Of x2.", "2020"),
        ("On x3", "Of x3.", None),
    }


def test_a_second_import_takes_what_changed_and_keeps_what_was(tmp_path: Path) -> None:
    context = imported(tmp_path)
    import_texts(context, texts(tmp_path, line("x1"), line("x2")), source="one")
    again = import_texts(
        context, texts(tmp_path, line("x1"), line("x2", title="Of late")), source="one"
    )
    assert (again.taken, again.same) == (1, 1)
    assert [key.rpartition(":")[2] for key in again.bare] == ["x3"]
    with context.frozen() as work:
        titles = {text.title for text in work.documents.values()}
    assert titles == {"On x1", "Of late"}


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_taken(tmp_path: Path) -> None:
    context = imported(tmp_path)
    before = context.study.store.read_bytes()
    path = texts(
        tmp_path,
        line("x1"),
        line("x1"),
        {"record_id": "x2", "title": " "},
        {"record_id": "x3", "titel": "On x3"},
    )
    with pytest.raises(Invalid) as error:
        import_texts(context, path, source="one")
    told = [(one.where, one.found) for one in error.value.problems]
    assert told == [
        ("texts.jsonl: line 4: titel", "unknown key (did you mean 'title'?)"),
        ("texts.jsonl: line 2", "x1 is the record of line 1 already"),
        ("texts.jsonl: line 3", "neither title nor abstract"),
    ]
    assert context.study.store.read_bytes() == before


def test_a_text_that_somebody_was_dealt_stays_so_that_both_judge_the_same(tmp_path: Path) -> None:
    context = imported(tmp_path)
    import_texts(context, texts(tmp_path, line("x1"), line("x2"), line("x3")), source="one")
    pool_study(context)
    _, first = read_shown(make_packet(context, "A"))
    path = texts(tmp_path, line("x1", title="Another"), line("x2"))
    taken = import_texts(context, path, source="two")
    assert (taken.taken, taken.same, taken.dealt) == (0, 0, 2)
    _, second = read_shown(make_packet(context, "B"))
    assert {one.view for _, one in first} == {one.view for _, one in second}


@pytest.mark.parametrize("abstract", [None, "", " ", "N/A", "null", "[No abstract available.]"])
def test_an_abstract_that_is_none_is_shown_as_missing_and_never_as_read(
    tmp_path: Path, abstract: str | None
) -> None:
    context = imported(tmp_path)
    path = tmp_path / "texts.jsonl"
    lines = [
        {"record_id": one, "title": f"On {one}", "abstract": abstract} for one in ("x1", "x2", "x3")
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    import_texts(context, path, source="one")
    pool_study(context)
    _, shown = read_shown(make_packet(context, "A"))
    assert {one.view.abstract for _, one in shown} == {None}
    assert {evidence_shown(one.view, full_text=False) for _, one in shown} == {"title"}
    assert [one.missing for one in access_queue(context).lines] == [("abstract",)] * 3
