"""The pages of a release: whose data stand in it, and how it is cited."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import msgspec
import pytest

from judge.records.release import Release
from judge.records.source import SourceCheck, SourceSays
from judge.reports.gate import Facts, gate, kind_of, sharing_of
from judge.reports.material import Material
from judge.reports.papers import citation, how_to_check, notice
from judge.steps.reporting import gather
from judge.study import Study
from tests.steps.acts import at

COURTESY = "Courtesy of the U.S. National Library of Medicine."


@pytest.fixture
def material(tmp_path: Path) -> Material:
    """The small study: notes of the team's own with made-up PMIDs, asked of the embedded search."""
    context = at("settled", tmp_path)
    with context.frozen() as work:
        return gather(Study(context.study.root), work)


def release_of(material: Material) -> Release:
    return Release(
        schema_version=1,
        kind=kind_of(material),
        title=material.frozen.protocol.title,
        freeze_id=material.freeze_id,
        released_on="2026-12-02",
        report="reports/2026-11-30-1",
        chain_head="blindjudge 2026-12-01T00:00:00Z event 1 " + "0" * 64,
        sharing=sharing_of({}),  # type: ignore[arg-type]
        left_out={},
        losses=(),
        trec=(),
        gate=gate(material, Facts(report="reports/2026-11-30-1")),
    )


def said(material: Material) -> str:
    return notice(material, release_of(material)).decode()


def test_data_of_the_team_alone_need_no_attribution(material: Material) -> None:
    assert COURTESY not in said(material)
    assert "BioASQ" not in said(material)


def test_pmids_from_a_service_are_courtesy_of_nlm(material: Material) -> None:
    runs = tuple(msgspec.structs.replace(run, service="pubmed") for run in material.runs)
    assert COURTESY in said(dataclasses.replace(material, runs=runs))


def test_a_check_at_pubmed_is_courtesy_of_nlm(material: Material) -> None:
    says = SourceSays(
        source="pubmed",
        retraction="no_signal",
        correction="no_signal",
        concern="no_signal",
        preprint="no_signal",
        body="0" * 64,
    )
    check = SourceCheck(record_id="pmid:1", number=1, says=(says,), document=None)
    assert COURTESY in said(dataclasses.replace(material, checks={"pmid:1": check}))


@pytest.mark.parametrize(
    "change",
    [{"id": "55031181e9bde69634000014"}, {"note": "From BioASQ 12b."}],
)
def test_bioasq_questions_are_attributed_and_so_is_nlm(
    material: Material, change: dict[str, str]
) -> None:
    first, *rest = material.development
    query = msgspec.structs.replace(first, **change)
    found = said(dataclasses.replace(material, development=(query, *rest)))
    assert "doi:10.1186/s12859-015-0564-6" in found
    assert COURTESY in found


def test_a_title_cannot_write_fields_of_its_own_into_the_citation(material: Material) -> None:
    title = 'A "study"\nauthors:\n  - name: Nobody: #1'
    release = msgspec.structs.replace(release_of(material), title=title)
    lines = citation(material, release).decode().splitlines()
    assert [line for line in lines if line.startswith(("authors", " "))] == lines[-2:]
    (line,) = (one for one in lines if one.startswith("title: "))
    assert json.loads(line.removeprefix("title: ")).startswith('A "study"')


def test_the_page_says_what_digests_cannot(material: Material) -> None:
    release = release_of(material)
    page = how_to_check(material, release).decode()
    assert release.chain_head in page
    assert "not when" in page
    assert "sha256sum -c MANIFEST.sha256" in page
    assert "does not validate a research workflow" in page
