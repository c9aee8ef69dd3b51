from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.reports.recall.keys import doi_key, pmid_key
from judge.text import title_key


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("123", "123"),
        (123, "123"),
        ("  00123 ", "123"),
        ("https://pubmed.ncbi.nlm.nih.gov/00123/", "123"),
        ("HTTP://PubMed.NCBI.nlm.nih.gov/123?from=x#abs", "123"),
        ("https://pubmed.ncbi.nlm.nih.gov/123#abs", "123"),
        ("https://pubmed.ncbi.nlm.nih.gov/１２", "１２"),
        ("https://pubmed.ncbi.nlm.nih.gov/123/x", "https://pubmed.ncbi.nlm.nih.gov/123/x"),
        ("http://www.ncbi.nlm.nih.gov/pubmed/123", "http://www.ncbi.nlm.nih.gov/pubmed/123"),
        ("//pubmed.ncbi.nlm.nih.gov/123", "//pubmed.ncbi.nlm.nih.gov/123"),
        ("PMID:123", "PMID:123"),
        ("8906788.0", "8906788.0"),
        ("", None),
        ("000", None),
        (0, None),
        (None, None),
    ],
)
def test_pmid(value: str | int | None, key: str | None) -> None:
    assert pmid_key(value) == key


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("10.1000/ABC", "10.1000/abc"),
        (" https://doi.org/10.1000/ABC ", "10.1000/abc"),
        ("http://dx.doi.org/10.1000/abc", "10.1000/abc"),
        ("DOI: 10.1000/abc", "10.1000/abc"),
        ("doi:doi:10.1000/abc", "doi:10.1000/abc"),
        ("https://www.doi.org/10.1000/abc", "https://www.doi.org/10.1000/abc"),
        ("10.1000%2Fabc", "10.1000%2fabc"),
        ("10.1000/abc.", "10.1000/abc."),
        ("10.1000/abc/", "10.1000/abc/"),
        (
            "10.1002/(SICI)1097<1661::AID-SIM968>3.0.CO;2-2",
            "10.1002/(sici)1097<1661::aid-sim968>3.0.co;2-2",
        ),
        ("10.1000/É", "10.1000/é"),
        ("doi:", None),
        ("", None),
        (None, None),
    ],
)
def test_doi(value: str | None, key: str | None) -> None:
    assert doi_key(value) == key


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("IL\u20106: A Review.", "il6 a review"),
        ("\uff29\uff2c\uff16  review", "il6 review"),
        ("p < 0.05 \u00b1 1\u00b0", "p < 005 \u00b1 1\u00b0"),
        ("  A title: with—punctuation! ", "a title withpunctuation"),
        ("Ca²⁺ and ﬁbrosis Ⅲ", "ca2+ and fibrosis iii"),
        ("a\u00a0b\tc\u2003d", "a b c d"),
        ("Sjo\u0308gren’s", "sjögrens"),
        ("Straße", "straße"),
        ("İstanbul", "i\u0307stanbul"),
        ("TP\u00ad53 \u200bx", "tp\u00ad53 \u200bx"),
        ("<i>TP53</i> [Review]", "<i>tp53<i> review"),
        ("日本、東京", "日本東京"),
        ("a \ud83d b", "a \ud83d b"),
        ("...", None),
        ("", None),
        (None, None),
    ],
)
def test_title(title: str | None, key: str | None) -> None:
    assert title_key(title) == key


@given(st.text())
def test_a_title_loses_its_punctuation_one_character_at_a_time(title: str) -> None:
    # The rule as it is written down, without any shortcut.
    folded = unicodedata.normalize("NFKC", title).lower()
    kept = "".join(char for char in folded if not unicodedata.category(char).startswith("P"))
    assert title_key(title) == (" ".join(kept.split()) or None)
