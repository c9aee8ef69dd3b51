"""Identifiers out of addresses, and keys out of identifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.runs.identity import (
    canonical_link,
    doi_key,
    pmcid_key,
    pmcid_version,
    pmid_key,
    record_key,
)
from judge.runs.links import identifiers

SICI = "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2"


@pytest.mark.parametrize(
    "address",
    [
        "https://pubmed.ncbi.nlm.nih.gov/31234567/",
        "http://pubmed.ncbi.nlm.nih.gov/31234567",
        "HTTPS://PubMed.ncbi.nlm.nih.gov/0031234567/?format=abstract#affiliation-1",
        "https://pubmed.ncbi.nlm.nih.gov/31234567/similar/",
        "https://pubmed.ncbi.nlm.nih.gov/?term=31234567",
        "https://pubmed.ncbi.nlm.nih.gov/?term=31234567%5Buid%5D",
        "https://www.ncbi.nlm.nih.gov/pubmed/31234567",
        "https://www.ncbi.nlm.nih.gov/pubmed/31234567?dopt=Abstract",
        "http://www.ncbi.nlm.nih.gov/m/pubmed/31234567/",
        "https://ncbi.nlm.nih.gov/pubmed/?term=31234567",
        "https://www.ncbi.nlm.nih.gov/entrez/query.fcgi?cmd=Retrieve&db=PubMed&list_uids=31234567",
        "https://www.ncbi.nlm.nih.gov/pmc/articles/pmid/31234567/",
        "https://pmc.ncbi.nlm.nih.gov/articles/pmid/31234567",
        "https://europepmc.org/article/MED/31234567",
        "https://europepmc.org/abstract/med/31234567",
    ],
)
def test_pmids_of_pages(address: str) -> None:
    assert identifiers(address) == ("31234567", None, None)
    assert pmid_key(address) == "31234567"


@pytest.mark.parametrize(
    ("address", "pmcid"),
    [
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC2808187/", "PMC2808187"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC2808187.1/", "PMC2808187.1"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC2808187/pdf/main.pdf", "PMC2808187"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/2808187", "PMC2808187"),
        ("http://ncbi.nlm.nih.gov/PMC/articles/pmc02808187?report=reader", "PMC2808187"),
        ("https://europepmc.org/articles/PMC2808187?pdf=render", "PMC2808187"),
        ("https://europepmc.org/article/PMC/PMC2808187", "PMC2808187"),
        ("https://europepmc.org/abstract/PMC/PMC2808187", "PMC2808187"),
    ],
)
def test_pmcids_of_pages(address: str, pmcid: str) -> None:
    assert identifiers(address) == (None, pmcid, None)
    assert pmcid_key(address) == "PMC2808187"


@pytest.mark.parametrize(
    ("address", "doi"),
    [
        ("https://doi.org/10.5555/abc", "10.5555/abc"),
        ("http://dx.doi.org/10.5555/ABC/", "10.5555/ABC"),
        ("https://www.doi.org/doi:10.5555/abc?nosfx=y", "10.5555/abc"),
        (f"https://doi.org/{SICI.replace('<', '%3C').replace('>', '%3E')}", SICI),
        ("https://doi.org/10.5555/a%23b%3Fc%25d", "10.5555/a#b?c%d"),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/ana.27128", "10.1002/ana.27128"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/ana.27128/abstract", "10.1002/ana.27128"),
        (
            "https://www.tandfonline.com/doi/abs/10.1080/00498254.2020.1?src=x",
            "10.1080/00498254.2020.1",
        ),
        ("https://pubs.acs.org/doi/10.1021/ac010694+", "10.1021/ac010694+"),
        ("https://pubs.acs.org/doi/suppl/10.1021/acs.1/suppl_file/si_001.pdf", "10.1021/acs.1"),
        (
            "https://link.springer.com/article/10.1007/s00125-020-1234-5",
            "10.1007/s00125-020-1234-5",
        ),
        (
            "https://link.springer.com/content/pdf/10.1007/s00125-020-1234-5.pdf",
            "10.1007/s00125-020-1234-5",
        ),
        ("https://www.frontiersin.org/articles/10.3389/fimmu.2020.1/full", "10.3389/fimmu.2020.1"),
        (
            "https://iopscience.iop.org/article/10.1088/1758-5090/ab1234/pdf",
            "10.1088/1758-5090/ab1234",
        ),
        (
            "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0308090",
            "10.1371/journal.pone.0308090",
        ),
        (
            "https://journals.plos.org/plosone/article/file?id=info%3Adoi%2F10.1371%2Fjournal.pone.1"
            "&type=printable",
            "10.1371/journal.pone.1",
        ),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf+html",
            "10.1101/2020.01.01.123456",
        ),
        (
            "https://www.medrxiv.org/content/10.1101/2020.01.01.123456v1",
            "10.1101/2020.01.01.123456",
        ),
        (
            "https://academic.oup.com/bioinformatics/advance-article/doi/10.1093/bioinformatics/"
            "btaa123/5812345",
            "10.1093/bioinformatics/btaa123",
        ),
        ("https://www.degruyter.com/document/doi/10.1515/cclm-2020-1/html", "10.1515/cclm-2020-1"),
        ("https://example.org/x?doi=10.5555%2Fabc&page=2", "10.5555/abc"),
        ("https://example.org/doi/10.5555/pdf", "10.5555/pdf"),
    ],
)
def test_dois_on_any_host_that_carries_one(address: str, doi: str) -> None:
    assert identifiers(address) == (None, None, doi)


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "31234567",
        "10.5555/abc",
        "https://www.nature.com/articles/s41586-020-2012-7",
        "https://pubmed.ncbi.nlm.nih.gov/",
        "https://pubmed.ncbi.nlm.nih.gov/?term=31234567+OR+2",
        "https://pubmed.ncbi.nlm.nih.gov/?linkname=pubmed_pubmed&from_uid=31234567",
        "https://pubmed.ncbi.nlm.nih.gov/123456789/",
        "https://pubmed.ncbi.nlm.nih.gov/１２３/",
        "https://pubmed.ncbi.nlm.nih.gov.evil.example/31234567/",
        "https://www.ncbi.nlm.nih.gov/books/NBK1234/",
        "https://www.ncbi.nlm.nih.gov/gene/7157",
        "https://www.ncbi.nlm.nih.gov/articles/7157",
        "https://pmc.ncbi.nlm.nih.gov/articles/mid/NIHMS123/",
        "https://europepmc.org/article/PPR/PPR123",
        "https://example.org/v10.5555/abc",
        "https://[bad",
        "ftp://doi.org/10.5555/abc",
        "https://doi.org/",
    ],
)
def test_an_address_that_names_nothing(address: str | None) -> None:
    assert identifiers(address) == (None, None, None)


@given(st.text(max_size=80))
def test_any_text_is_read(address: str) -> None:
    found = identifiers("https://" + address)
    assert found.pmid is None or found.pmid.isascii()
    assert found.doi is None or found.doi.startswith("10.")


# --- keys ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        (SICI, SICI.lower()),
        ("10.1021/AC010694+", "10.1021/ac010694+"),
        ("10.1000/a#b?c%d", "10.1000/a#b?c%d"),
        ("10.1000/abc.", "10.1000/abc"),
        ("10.1000/abc/", "10.1000/abc"),
        ("10.1000/abc).", "10.1000/abc"),
        ("10.1000/a(b)", "10.1000/a(b)"),
        ("10.1000%2Fabc", "10.1000/abc"),
        ("10.1000/a%23b", "10.1000/a%23b"),
        ("https://doi.org/10.1000/a%23b", "10.1000/a#b"),
        ("https://www.doi.org/10.1000/X", "10.1000/x"),
        ("doi:https://dx.doi.org/10.1000/X", "10.1000/x"),
        (" DOI: 10.1000/X ", "10.1000/x"),
        ("10.1000/Ångström", "10.1000/Ångström"),
        ("10.1000/", None),
        ("10.1/x", None),
        ("１0.1000/x", None),
        ("10.1000/a b", None),
        ("", None),
        (None, None),
    ],
)
def test_bug_05_dois_compare_by_their_key(raw: str | None, key: str | None) -> None:
    assert doi_key(raw) == key


def test_bug_05_a_doi_is_percent_encoded_once_in_a_link() -> None:
    link = canonical_link(f"doi:{SICI.lower()}")
    assert link == (
        "https://doi.org/10.1002/%28sici%291097-0258%2819980815/30%2917%3A15/16"
        "%3C1661%3A%3Aaid-sim968%3E3.0.co%3B2-2"
    )
    assert doi_key(link) == SICI.lower()


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("00000001", "1"),
        ("1", "1"),
        (" 31234567 ", "31234567"),
        ("PMID:31234567", "31234567"),
        ("pmid 31234567", "31234567"),
        ("8906788.0", None),
        ("true", None),
        ("１２３", None),
        ("0", None),
        ("123456789", None),
        ("1e5", None),
        ("", None),
        (None, None),
    ],
)
def test_bug_06_pmids_compare_by_their_key(raw: str | None, key: str | None) -> None:
    assert pmid_key(raw) == key


@pytest.mark.parametrize(
    ("raw", "key", "version"),
    [
        ("PMC123.1", "PMC123", "1"),
        ("pmc0123", "PMC123", None),
        ("PMCID: PMC123", "PMC123", None),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC123.2/", "PMC123", "2"),
        ("123", None, None),
        ("PMC", None, None),
        ("PMC12a", None, None),
        (None, None, None),
    ],
)
def test_bug_07_pmcids_compare_by_their_key_and_keep_their_version(
    raw: str | None, key: str | None, version: str | None
) -> None:
    assert (pmcid_key(raw), pmcid_version(raw)) == (key, version)


def test_a_pubmed_page_and_its_record_have_one_key() -> None:
    page = record_key(
        pmid="https://pubmed.ncbi.nlm.nih.gov/12", doi=None, source="s", record_id="p"
    )
    assert page == record_key(pmid="0012", doi="10.1000/x", source="t", record_id="q") == "pmid:12"


@given(st.text(max_size=60))
def test_keys_are_stable(raw: str) -> None:
    for key in (doi_key(raw), pmid_key(raw), pmcid_key(raw)):
        assert key is None or key in (doi_key(key), pmid_key(key), pmcid_key(key))
