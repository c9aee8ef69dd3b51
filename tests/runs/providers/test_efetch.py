"""PubMed records: text whole, identifiers their own, dates, retractions; recorded replies."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.runs.providers.efetch import Article, read_articles
from judge.runs.providers.reading import NoListError
from tests.runs.providers.fake_web import record

JOURNAL = '<PublicationType UI="D016428">Journal Article</PublicationType>'


def one(xml: str) -> Article:
    (article,) = read_articles(f"<PubmedArticleSet>{xml}</PubmedArticleSet>".encode()).values()
    return article


def dated(xml: str) -> str:
    return record("90000001").replace("<Year>2001</Year><Month>Feb</Month>", xml)


def test_bug_08_a_title_does_not_end_at_its_first_tag() -> None:
    title = "Role of <i>TP53</i> at 1.73 m<sup>2</sup>, with P&lt;0.001"
    assert one(record("90000001", title)).title == "Role of TP53 at 1.73 m2, with P<0.001"


def test_a_record() -> None:
    article = one(record("90000007"))
    assert (article.pmid, article.version) == ("90000007", "1")
    assert (article.doi, article.pmcid) == ("10.5555/invented.7", None)
    assert (article.published.year, article.published.month) == (2001, 2)
    assert article.published.precision == "month"
    assert (article.revised, article.journal) == ("2020-01-31", "Journal of Invented Results")
    assert article.abstract == "AIM: To sleep."
    assert (article.retracted, article.notice) == (False, None)


@pytest.mark.parametrize(
    ("xml", "year", "precision"),
    [
        ("<Year>2020</Year><Month>Jan</Month><Day>05</Day>", 2020, "day"),
        ("<Year>2020</Year><Month>01</Month>", 2020, "month"),
        ("<Year>2020</Year>", 2020, "year"),
        ("<Year>2013</Year><Season>Jan-Mar</Season>", 2013, "year"),
        ("<MedlineDate>2020 Jan-Feb</MedlineDate>", 2020, "year"),
        ("<MedlineDate>Winter 2019</MedlineDate>", 2019, "year"),
        ("<MedlineDate>n.d.</MedlineDate>", None, "unknown"),
        ("", None, "unknown"),
    ],
)
def test_bug_10_dates(xml: str, year: int | None, precision: str) -> None:
    published = one(dated(xml)).published
    assert (published.year, published.precision) == (year, precision)


@pytest.mark.parametrize(
    ("types", "comments", "retracted", "notice"),
    [
        (
            JOURNAL + '<PublicationType UI="D016441">Retracted Publication</PublicationType>',
            "",
            True,
            "Retracted Publication",
        ),
        (JOURNAL + '<PublicationType UI="D016441">Zurückgezogen</PublicationType>', "", True, None),
        (
            JOURNAL,
            '<CommentsCorrections RefType="RetractionIn"><RefSource>J. 2020</RefSource>'
            '<PMID Version="1">5</PMID></CommentsCorrections>',
            True,
            "RetractionIn: 5",
        ),
        (
            JOURNAL,
            '<CommentsCorrections RefType="ErratumIn"><RefSource>J. 2020;1:2</RefSource>'
            "</CommentsCorrections>",
            False,
            "ErratumIn: J. 2020;1:2",
        ),
        (
            '<PublicationType UI="D016440">Retraction of Publication</PublicationType>',
            '<CommentsCorrections RefType="RetractionOf"><PMID>6</PMID></CommentsCorrections>',
            False,
            "RetractionOf: 6",
        ),
        (
            JOURNAL,
            '<CommentsCorrections RefType="CommentIn"><PMID>6</PMID></CommentsCorrections>',
            False,
            None,
        ),
    ],
)
def test_either_signal_is_a_retraction_and_both_are_kept(
    types: str, comments: str, retracted: bool, notice: str | None
) -> None:
    article = one(record("90000001", types=types, comments=comments))
    assert article.retracted is retracted
    assert notice is None or article.notice == notice


def test_a_doi_that_is_marked_invalid_is_none() -> None:
    plain = record("90000001").replace('<ArticleId IdType="doi">10.5555/invented.1</ArticleId>', "")
    invalid = '<ELocationID EIdType="doi" ValidYN="N">10.5555/wrong</ELocationID>'
    valid = '<ELocationID EIdType="doi" ValidYN="Y">10.5555/right</ELocationID>'
    assert one(plain).doi is None
    article = one(plain.replace("<PublicationTypeList>", f"{invalid}{valid}<PublicationTypeList>"))
    assert article.doi == "10.5555/right"


def test_a_book_is_a_record_too() -> None:
    xml = (
        "<PubmedBookArticle><BookDocument><PMID Version='1'>90000002</PMID><Book>"
        "<BookTitle>An invented <i>book</i></BookTitle><PubDate><Year>2011</Year></PubDate></Book>"
        "</BookDocument><PubmedBookData><ArticleIdList><ArticleId IdType='doi'>10.5555/b"
        "</ArticleId></ArticleIdList></PubmedBookData></PubmedBookArticle>"
    )
    book = one(xml)
    assert (book.pmid, book.title, book.doi) == ("90000002", "An invented book", "10.5555/b")
    assert book.published.year == 2011


def test_an_entity_is_never_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><PubmedArticleSet>&a;</PubmedArticleSet>'
    with pytest.raises(NoListError) as caught:
        read_articles(bomb)
    assert caught.value.kind == "bad_reply"


# Read out of the files by pattern and by eye: PMID, DOI, PMCID, year, precision of the date, last
# change, number of publication types.
RECORDED = [
    ("11618220", "10.1163/156853287x00032", None, 1987, "year", "2019-10-27", 2),
    ("11636720", "10.1163/156852873x00014", None, 1973, "year", "2019-10-27", 3),
    ("11873782", "10.1163/157338201x00154", None, 2001, "year", "2019-11-05", 2),
    ("219391", "10.1055/s-0028-1085314", None, 1979, "month", "2006-11-15", 2),
    ("23657305", "10.1590/s0004-28032013000100008", None, 2013, "year", "2019-11-12", 2),
    ("24084238", "10.1504/IJBRA.2013.056620", None, 2013, "year", "2019-08-05", 2),
    ("24349601", "10.1037/a0030292", "PMC3858957", 2012, "month", "2022-03-21", 1),
    ("24449692", "10.1504/IJBRA.2014.058777", None, 2014, "year", "2019-08-05", 2),
    ("24794070", "10.1504/IJBRA.2014.060762", None, 2014, "year", "2019-08-05", 2),
    ("24808625", "10.1142/S0218213013600063", "PMC4010235", 2013, "day", "2021-10-21", 1),
    ("25364329", "10.1055/s-0034-1387804", "PMC4212699", 2014, "month", "2020-09-30", 2),
    ("26415349", "10.1163/15733823-00202p03", None, 2015, "year", "2019-11-13", 3),
    ("26568896", "10.4172/2161-0525.1000239", "PMC4643289", 2014, "month", "2020-10-01", 1),
    ("29226023", "10.4172/2161-1122.1000448", "PMC5722253", 2017, "month", "2024-06-06", 1),
    ("30386702", "10.7717/peerj.5807", "PMC6203937", 2018, "year", "2020-10-01", 1),
    ("30849835", "10.1094/PDIS.1999.83.6.569", None, 1999, "month", "2019-11-20", 1),
    ("31588070", "10.5761/atcs.ra.19-00158", "PMC7184035", 2020, "day", "2024-03-28", 2),
    ("31712796", "10.1039/c9em00386j", None, 2020, "day", "2020-03-17", 2),
    ("31789841", "10.1097/ACM.0000000000003093", None, 2020, "month", "2020-06-30", 1),
    ("32051057", "10.1017/S0954422419000301", "PMC7653990", 2020, "month", "2025-05-30", 3),
    ("32160763", "10.1089/AID.2020.0058", None, 2020, "month", "2021-04-05", 2),
    ("32292800", "10.1142/S2339547819500067", "PMC7156113", 2019, "year", "2024-03-03", 1),
    ("32294727", "10.1590/S0004-2803.202000000-01", None, 2020, "year", "2020-05-13", 1),
    ("32306807", "10.1080/00498254.2020.1755909", None, 2020, "month", "2020-09-08", 1),
    ("32437181", "10.1037/amp0000660", None, 2020, "year", "2020-12-18", 2),
    ("32490903", "10.1590/s0004-2803.202000000-27", None, 2020, "year", "2020-09-11", 1),
    ("32496081", "10.1037/com0000239", None, 2021, "month", "2021-10-28", 2),
    ("32525788", "10.2174/1874467213666200611142438", "PMC7728656", 2021, "year", "2024-04-03", 2),
    ("32743745", "10.1007/s00401-020-02201-2", None, 2021, "month", "2022-01-10", 3),
    ("32894878", "10.1055/s-0040-1715580", None, 2020, "month", "2020-12-04", 1),
    ("32934823", "10.15761/JSIN.1000229", "PMC7489288", 2020, "day", "2022-08-13", 1),
    ("32934824", "10.15761/JSIN.1000228", "PMC7489293", 2020, "day", "2022-08-13", 1),
    ("32935693", "10.1039/d0np00027b", "PMC7864896", 2021, "day", "2025-05-30", 4),
    ("32976730", "10.1146/annurev-marine-032720-095144", None, 2021, "month", "2021-03-23", 3),
    ("33119379", "10.1037/rep0000367", None, 2021, "month", "2021-10-28", 1),
    ("33474827", "10.1111/1759-7714.13823", "PMC7919130", 2021, "month", "2021-11-24", 2),
    ("33568043", "10.2174/1874467214666210210122628", None, 2021, "year", "2022-04-01", 2),
    ("33786689", "10.1007/s10554-021-02227-x", "PMC8009459", 2021, "month", "2022-02-18", 1),
    ("33856845", "10.1037/prj0000481", None, 2021, "month", "2021-12-14", 2),
    ("33889184", "10.1590/1678-9199-JVATITD-2020-0147", "PMC8040910", 2021, "day", "2024-03-31", 2),
]
TITLES = {
    "32743745": (
        "The existence of Aβ strains and their potential for driving phenotypic heterogeneity in"
        " Alzheimer's disease."
    ),
    "32496081": "(Re)claiming plants in comparative psychology.",
    "219391": (
        "The fine structure of blood cells in ceroid-lipofuscinosis (Spielmeyer-Vogt's disease)."
    ),
    "33889184": "Once upon a time, inflammation.",
}


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: str(row[0]))
def test_a_recorded_record(
    row: tuple[str, str, str | None, int, str, str, int], real_data: Path
) -> None:
    pmid, doi, pmcid, year, precision, revised, types = row
    body = (real_data / f"api/pubmed/efetch/{pmid}.xml").read_bytes()
    (article,) = read_articles(body).values()
    assert (article.pmid, article.version) == (pmid, "1")
    assert (article.doi, article.pmcid) == (doi, pmcid)
    assert (article.published.year, article.published.precision) == (year, precision)
    assert (article.revised, len(article.types)) == (revised, types)
    assert (article.retracted, article.changes) == (False, ())
    assert article.title
    assert TITLES.get(pmid, article.title) == article.title


def test_the_recorded_folder_is_read_whole(real_data: Path) -> None:
    names = {path.stem for path in (real_data / "api/pubmed/efetch").glob("*.xml")}
    assert names == {row[0] for row in RECORDED}
