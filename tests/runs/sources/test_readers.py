"""What replies of PubMed, Crossref, OpenAlex, Europe PMC and the ID converter say of a record."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from judge.runs.providers.base import Reply
from judge.runs.providers.reading import NoListError
from judge.runs.sources import crossref, europepmc, idconverter, openalex, pubmed
from judge.runs.sources.base import Known
from judge.runs.sources.checking import SOURCES
from tests.runs.sources.fake import article, articles


def work(**fields: Any) -> bytes:
    return json.dumps({"status": "ok", "message": {"DOI": "10.1000/a", **fields}}).encode()


@pytest.mark.parametrize(
    ("types", "comments", "retraction", "correction", "concern"),
    [
        (("Journal Article",), (), "no_signal", "no_signal", "no_signal"),
        (("Retracted Publication",), (), "yes", "no_signal", "no_signal"),
        (("Journal Article",), (("RetractionIn", "9"),), "yes", "no_signal", "no_signal"),
        (("Journal Article",), (("ErratumIn", "9"),), "no_signal", "yes", "no_signal"),
        (("Journal Article",), (("ExpressionOfConcernIn", "9"),), "no_signal", "no_signal", "yes"),
        # The notice itself is not the paper that it retracts.
        (("Retraction of Publication",), (("RetractionOf", "9"),), "no_signal", "no_signal",
         "no_signal"),
    ],
)  # fmt: skip
def test_either_signal_of_pubmed_counts_and_both_are_kept(
    types: tuple[str, ...],
    comments: tuple[tuple[str, str], ...],
    retraction: str,
    correction: str,
    concern: str,
) -> None:
    found = pubmed.read(articles(article("7", types=types, comments=comments)))["7"]
    assert (found.retraction, found.correction, found.concern) == (retraction, correction, concern)
    kept = [f"{kind}: {where}" for kind, where in comments]
    if "Retracted Publication" in types:
        kept.insert(0, "Retracted Publication")
    assert list(found.signals) == kept


def test_pubmed_gives_type_date_and_text() -> None:
    body = articles(
        article("7", "Role of <i>TP53</i> at 1.73 m<sup>2</sup>", types=("Preprint",), doi="10.1/X")
    )
    found = pubmed.read(body)["7"]
    assert (found.title, found.journal, found.year) == (
        "Role of TP53 at 1.73 m2",
        "A journal",
        "2019",
    )
    assert (found.preprint, found.updated, found.doi) == ("yes", "2024-02-03", "10.1/X")


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("retraction", "retraction"),
        ("withdrawal", "retraction"),
        ("correction", "correction"),
        ("erratum", "correction"),
        ("expression_of_concern", "concern"),
        ("expression-of-concern", "concern"),
    ],
)
def test_a_notice_that_updates_a_work_counts_by_its_type(kind: str, field: str) -> None:
    update = {"type": kind, "DOI": "10.1000/n", "source": "retraction-watch", "label": "x"}
    found = crossref.read(work(**{"updated-by": [update]}))
    given = {name: getattr(found, name) for name in ("retraction", "correction", "concern")}
    assert given == {
        name: "yes" if name == field else "no_signal"
        for name in ("retraction", "correction", "concern")
    }
    assert found.signals == (f"updated-by {kind} 10.1000/n retraction-watch",)


def test_the_notice_is_not_the_work_that_it_updates() -> None:
    found = crossref.read(work(**{"update-to": [{"type": "retraction", "DOI": "10.1000/b"}]}))
    assert found.retraction == "no_signal"
    assert found.signals == ("update-to retraction 10.1000/b",)


def test_a_preprint_and_the_article_that_it_became() -> None:
    found = crossref.read(
        work(
            type="posted-content",
            subtype="preprint",
            relation={"is-preprint-of": [{"id-type": "doi", "id": "10.1000/B"}]},
        )
    )
    assert (found.preprint, found.article_doi) == ("yes", "10.1000/B")


def test_text_of_crossref_is_free_of_markup_and_an_unknown_date_is_none() -> None:
    found = crossref.read(
        work(
            title=["P<0.001; see <i>TP53</i>"],
            abstract="<jats:p>It works &amp; well.</jats:p>",
            issued={"date-parts": [[None]]},
            **{"container-title": ["A &amp; B"]},
        )
    )
    assert (found.title, found.journal) == ("P<0.001; see TP53", "A & B")
    assert (found.abstract, found.year) == ("It works & well.", None)
    dated = {"issued": {"date-parts": [[None]]}, "published-online": {"date-parts": [[2020, 3]]}}
    assert crossref.read(work(**dated)).year == "2020"


@pytest.mark.parametrize(
    "doi",
    ["10.1002/(SICI)1<1661::AID-SIM968>3.0.CO;2-2", "10.1021/ac010694+", "10.1000/a#b?c%d"],
)
def test_a_doi_is_encoded_whole_and_once(doi: str) -> None:
    path = crossref.request(doi).url.removeprefix(crossref.ENDPOINT)
    assert not set("/<>()#?;+") & set(path)
    assert path.count("%25") == doi.count("%")


def test_openalex_must_say_whether_a_work_is_retracted() -> None:
    assert openalex.read(b'{"is_retracted": true, "type": "article"}').retraction == "yes"
    found = openalex.read(b'{"is_retracted": false, "type": "preprint"}')
    assert (found.retraction, found.preprint, found.correction) == (
        "no_signal",
        "yes",
        "not_checked",
    )
    with pytest.raises(NoListError, match="is_retracted is missing"):
        openalex.read(b'{"type": "article"}')


def test_europe_pmc_is_searched_by_the_best_identifier() -> None:
    assert europepmc.query(Known("x", "7", "10.1/a", "PMC5")) == "EXT_ID:7 AND SRC:MED"
    assert europepmc.query(Known("x", None, "10.1/a", "PMC5")) == "PMCID:PMC5"
    assert europepmc.query(Known("x", None, "10.1/a")) == 'DOI:"10.1/a"'
    assert europepmc.query(Known("x")) is None


def test_europe_pmc_gives_the_paper_that_was_meant_or_none() -> None:
    papers = [
        {"id": "8", "pmid": "8", "title": "Other"},
        {
            "id": "7",
            "pmid": "7",
            "title": "<b>This</b>",
            "pubYear": "2018",
            "pubTypeList": {"pubType": ["retracted publication"]},
            "commentCorrectionList": {"commentCorrection": [{"type": "Erratum in", "id": "9"}]},
        },
    ]
    body = json.dumps({"hitCount": 2, "resultList": {"result": papers}}).encode()
    found = europepmc.the_one(europepmc.read(body), Known("x", "7"))
    assert found is not None
    assert (found.title, found.year) == ("This", "2018")
    assert (found.retraction, found.correction) == ("yes", "yes")
    assert europepmc.the_one(europepmc.read(body), Known("x", "70")) is None
    with pytest.raises(NoListError):
        europepmc.read(b'{"version": "6.9"}')


def test_the_converter_gives_text_and_every_state() -> None:
    records = [
        {"requested-id": "PMC1", "pmcid": "PMC1", "pmid": 123, "doi": "10.1000/a"},
        {"requested-id": "PMC2", "status": "error", "errmsg": "Identifier not found in PMC"},
        {"requested-id": "PMC3", "pmcid": "PMC3"},
        {"requested-id": "PMC4", "pmcid": "PMC4", "pmid": "4", "live": "false"},
    ]
    found = idconverter.read(json.dumps({"status": "ok", "records": records}).encode())
    assert {key: (one.state, one.pmid) for key, one in found.items()} == {
        "PMC1": ("resolved", "123"),
        "PMC2": ("not_found", None),
        "PMC3": ("no_pmid", None),
        "PMC4": ("not_live", "4"),
    }
    with pytest.raises(NoListError, match="mismatch"):
        idconverter.read(b'{"status": "error", "message": "ID type mismatch"}')


@pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))
@pytest.mark.parametrize("body", [b"", b"<html><title>Busy</title>", b'{"error": "no"}', b"[]"])
def test_no_other_body_is_ever_an_answer(source: Any, body: bytes) -> None:
    request = crossref.request("10.1000/a")
    fault = source.fault(request, Reply(status=200, headers={}, body=body))
    assert fault is not None
    assert source.fault(request, Reply(status=404, headers={}, body=body)) is None


def test_recorded_replies_of_pubmed(real_data: Path) -> None:
    """Every one holds the record that it is named after; none of these papers was retracted."""
    folder = real_data / "api" / "pubmed" / "efetch"
    found = {path.stem: pubmed.read(path.read_bytes()) for path in sorted(folder.glob("*.xml"))}
    assert all(name in records for name, records in found.items())
    one = found["219391"]["219391"]
    assert (one.retraction, one.preprint) == ("no_signal", "no_signal")


def test_recorded_replies_of_the_converter(real_data: Path) -> None:
    """One article with two versions, and a refusal of the whole batch."""
    folder = real_data / "api" / "idconverter"
    good, bad = (
        [block.partition("recorded_at")[0].encode() for block in text.split("string: |")[1:]]
        for text in (
            (folder / "id_converter.yml").read_text("utf-8"),
            (folder / "id_converter_fails_type_param_bad.yml").read_text("utf-8"),
        )
    )
    found = idconverter.read(good[0])["PMC2883744"]
    assert (found.state, found.pmid, found.doi) == ("resolved", "20495566", "10.1038/ng.590")
    with pytest.raises(NoListError, match="mismatch"):
        idconverter.read(bad[-1])


def test_a_recorded_work_of_crossref(real_data: Path) -> None:
    text = (real_data / "api" / "crossref" / "test_works_with_one_id.yaml").read_text("utf-8")
    packed = re.search(r"!!binary \|\n((?:\s+[A-Za-z0-9+/=]+\n)+)", text)
    assert packed is not None
    found = crossref.read(gzip.decompress(base64.b64decode("".join(packed[1].split()))))
    assert (found.doi, found.journal, found.year) == (
        "10.1371/journal.pone.0033693",
        "PLoS ONE",
        "2012",
    )
    assert (found.retraction, found.preprint) == ("no_signal", "no_signal")


def test_a_recorded_preprint_of_crossref(real_data: Path) -> None:
    """Among the results of a search, cut out of the reply."""
    text = (real_data / "api" / "crossref" / "cr_works.yml").read_text("utf-8")
    text = re.sub(r"\n +", " ", text).replace("''", "'")  # a folded text of YAML
    place = text.index('"is-preprint-of":[{"id-type":"doi","id":"10.1029\\/2020MS002386"')
    start = text.rindex('{"institution"', 0, place)
    record, _ = json.JSONDecoder().raw_decode(text[start:])
    found = crossref.read(json.dumps({"status": "ok", "message": record}).encode())
    assert (found.preprint, found.article_doi) == ("yes", "10.1029/2020MS002386")
