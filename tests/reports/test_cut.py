"""Lists cut off by year in the report: raw and derived ranks stand side by side (R35)."""

from __future__ import annotations

import msgspec

from judge.records.run import Document, Notice
from judge.reports.build import build
from judge.reports.cut import NO_YEAR, cut_section
from judge.reports.material import Material
from judge.reports.render.html import render_html
from judge.reports.render.markdown import render_markdown
from judge.reports.render.outline import outline
from tests.reports.declared import QUERIES
from tests.reports.studies import hit, run, study

YEARS = {"1": "2019", "2": "2021", "3": "2020"}


def dated() -> Material:
    """q1 ends with 2020. K found papers of 2019, 2021, an unknown year, 2020, and the first
    again; S was asked to cut off itself."""
    first = msgspec.structs.replace(QUERIES[0], max_year=2020)
    hits = tuple(hit(rank, pmid) for rank, pmid in enumerate(("1", "2", "9", "3", "1"), 1))
    ours = run(first, "K", raw_results=hits)
    theirs = run(
        first, "S", errors_and_notices=(Notice(kind="year_filter", text="to=2020 was sent"),)
    )
    rest = tuple(one for one in study().runs if one.query_id != first.id)
    documents = {
        f"pmid:{pmid}": Document(
            record_id=f"pmid:{pmid}", title="t", year=year, provenance="PubMed"
        )
        for pmid, year in YEARS.items()
    }
    return study(
        evaluation=(first, *QUERIES[1:]),
        runs=(ours, theirs, *rest),
        documents={**study().documents, **documents},
    )


def test_what_became_of_every_raw_hit_is_counted_by_system() -> None:
    keyword, semantic = cut_section(dated()).systems
    assert (keyword.system, keyword.lists, keyword.raw, keyword.kept) == ("K", 1, 5, 2)
    assert (keyword.too_late, keyword.year_unknown, keyword.copies) == (1, 1, 1)
    assert (semantic.system, semantic.lists, semantic.raw, semantic.filtered) == ("S", 0, 0, 1)


def test_both_ranks_of_a_hit_stand_beside_each_other() -> None:
    assert [
        (one.record_id, one.raw_rank, one.rank, one.why, one.year, one.year_from)
        for one in cut_section(dated()).moved
    ] == [
        ("pmid:2", 2, None, "too_late", "2021", "PubMed"),
        ("pmid:9", 3, None, "year_unknown", "unknown", "nobody"),
        ("pmid:3", 4, 2, "kept", "2020", "PubMed"),
        ("pmid:1", 5, None, "copy", "2019", "PubMed"),
    ]


def test_the_page_shows_them_and_no_score_moves() -> None:
    material = dated()
    page = outline(build(material, version="0"))
    table = page.table("cut-ranks")
    assert table is not None
    assert table.rows[2] == ("q1", "K", "pmid:3", "4", "2", "kept", "2020", "PubMed")
    without = msgspec.structs.replace(material.evaluation[0], max_year=None)
    plain = study(
        evaluation=(without, *QUERIES[1:]), runs=material.runs, documents=material.documents
    )
    report = build(plain, version="0")
    assert build(material, version="0").precision == report.precision
    assert report.cut.summary == NO_YEAR
    assert outline(report).table("cut-ranks") is None
    assert NO_YEAR in render_html(report)
    assert NO_YEAR in render_markdown(report)
