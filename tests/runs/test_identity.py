"""Which record a hit is: identifiers that are told apart, and never changed in silence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.records.protocol import SameRecord
from judge.records.run import Document, Hit
from judge.runs.identity import (
    canonical_link,
    doi_key,
    hit_key,
    pmcid_key,
    pmid_key,
    record_key,
    same_work,
)


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("31234567", "31234567"),
        (" 31234567\n", "31234567"),
        ("00123456", "123456"),  # padded to eight digits
        ("1", "1"),
        ("8906788.0", None),  # a table program was here
        ("1e5", None),
        ("123456789", None),
        ("0", None),
        ("-5", None),
        ("٣١٢٣٤٥٦٧", None),  # digits, but not of ASCII
        ("31234567 31234568", None),
        ("NA", None),
        ("", None),
        (None, None),
    ],
)
def test_a_pmid_is_digits_without_padding(raw: str | None, key: str | None) -> None:
    assert pmid_key(raw) == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("PMC7095418", "PMC7095418"),
        ("pmc7095418", "PMC7095418"),
        ("PMC0007095418", "PMC7095418"),
        ("PMC7095418.2", "PMC7095418"),
        ("7095418", None),
        ("PMC", None),
        ("", None),
    ],
)
def test_a_pmcid_has_its_letters(raw: str, key: str | None) -> None:
    assert pmcid_key(raw) == key


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("10.1000/ABC", "10.1000/abc"),
        ("doi:10.1000/abc", "10.1000/abc"),
        ("DOI: 10.1000/abc", "10.1000/abc"),
        ("https://doi.org/10.1000/abc", "10.1000/abc"),
        ("http://dx.doi.org/10.1000/abc", "10.1000/abc"),
        ("10.1000/abc.", "10.1000/abc"),
        ("10.5070/x", "10.5070/x"),  # a trailing zero of the prefix is not a decimal
        ("10.507/x", None),  # a prefix has four digits at least
        (
            "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID>3.0.CO;2-2",
            "10.1002/(sici)1097-0258(19980815)17:15<1661::aid>3.0.co;2-2",
        ),
        ("10.1000/ÄÖ", "10.1000/ÄÖ"),  # only ASCII letters are without case in a DOI
        ("10.1000", None),
        ("10.1000/a b", None),
        ("11.1000/abc", None),
        ("", None),
        (None, None),
    ],
)
def test_a_doi_is_compared_without_prefix_and_case(raw: str | None, key: str | None) -> None:
    assert doi_key(raw) == key


@given(st.sampled_from(["", "doi:", "https://doi.org/", "http://dx.doi.org/"]), st.integers(1000))
def test_every_way_to_write_a_doi_is_one_key(prefix: str, number: int) -> None:
    assert doi_key(f"{prefix}10.5555/Bj.{number}") == f"10.5555/bj.{number}"


def key(**fields: Any) -> str:
    whole: dict[str, Any] = {"pmid": None, "doi": None, "pmcid": None}
    whole |= {"source": "S", "record_id": "x1"} | fields
    return record_key(**whole)


def test_the_first_identifier_that_is_one_names_the_record() -> None:
    assert key(pmid="31", doi="10.1000/a", pmcid="PMC5") == "pmid:31"
    assert key(pmid="8906788.0", doi="10.1000/A", pmcid="PMC5") == "doi:10.1000/a"
    assert key(pmid="NA", doi="none", pmcid="PMC5") == "pmcid:PMC5"
    assert key() == "id:S:x1"


@pytest.mark.parametrize("record_id", ["00123456", "123456", "NCT01", "nct01", "1e5", "NA"])
def test_an_id_of_a_service_is_kept_as_it_is(record_id: str) -> None:
    assert key(record_id=record_id) == f"id:S:{record_id}"


def test_a_key_has_no_blank_and_two_ids_never_share_one() -> None:
    # A line of a qrels file is split at blanks.
    ids = ["NCT 0123", "NCT%200123", "NCT\u00a00123", "NCT\t0123", "NCT0123"]
    keys = [key(source="PubMed Central search", record_id=one) for one in ids]
    assert all(len(one.split()) == 1 for one in keys)
    assert len(set(keys)) == len(ids)


@given(st.text(), st.text())
def test_keys_of_one_service_are_as_many_as_its_ids(one: str, other: str) -> None:
    assert (key(record_id=one) == key(record_id=other)) is (one == other)


def test_a_hit_is_the_record_its_identifiers_name_whichever_service_found_it() -> None:
    one = Hit(rank=1, record_id="a7", pmid="0031")
    other = Hit(rank=9, record_id="N31", pmid="31", doi="10.1000/a")
    assert hit_key(one, "K") == hit_key(other, "S") == "pmid:31"
    bare = Hit(rank=1, record_id="7")
    assert hit_key(bare, "K") != hit_key(bare, "S")


@pytest.mark.parametrize(
    ("record", "link"),
    [
        ("pmid:31", "https://pubmed.ncbi.nlm.nih.gov/31/"),
        ("doi:10.1000/a", "https://doi.org/10.1000/a"),
        ("doi:10.1000/a<b>#1?x", "https://doi.org/10.1000/a%3Cb%3E%231%3Fx"),
        ("pmcid:PMC5", "https://pmc.ncbi.nlm.nih.gov/articles/PMC5/"),
        ("id:S:x1", None),
    ],
)
def test_a_link_is_made_of_the_key_alone(record: str, link: str | None) -> None:
    assert canonical_link(record) == link


def document(record: str, **fields: Any) -> Document:
    return Document(record_id=record, title="t", provenance="test", **fields)


DOCUMENTS = {
    one.record_id: one
    for one in (
        document("pmid:1", doi="10.1000/A"),
        document("doi:10.1000/a"),
        document("pmid:2", preprint_of="pmid:3"),
        document("pmid:3"),
        document("pmid:4", preprint_of="pmid:99"),
        document("pmid:5"),
    )
}


@pytest.mark.parametrize(
    ("policy", "groups"),
    [
        (("same_id",), [["pmid:1"], ["doi:10.1000/a"], ["pmid:2"], ["pmid:3"], ["pmid:4"]]),
        (
            ("same_id", "same_doi"),
            [["pmid:1", "doi:10.1000/a"], ["pmid:2"], ["pmid:3"], ["pmid:4"]],
        ),
        (
            ("same_id", "preprint_of_article"),
            [["pmid:1"], ["doi:10.1000/a"], ["pmid:2", "pmid:3"], ["pmid:4"]],
        ),
        (
            ("same_id", "same_doi", "preprint_of_article"),
            [["pmid:1", "doi:10.1000/a"], ["pmid:2", "pmid:3"], ["pmid:4"]],
        ),
    ],
)
def test_what_is_the_same_work_is_the_teams_choice(
    policy: tuple[SameRecord, ...], groups: list[list[str]]
) -> None:
    keys = ["pmid:1", "doi:10.1000/a", "pmid:2", "pmid:3", "pmid:4"]
    found = same_work(keys, DOCUMENTS, policy)
    assert found == {one: group[0] for group in groups for one in group}


def test_chapters_that_share_the_doi_of_their_book_are_works_of_their_own() -> None:
    chapters = {
        f"pmid:{number}": Document(
            record_id=f"pmid:{number}", title=title, doi="10.1201/b14859", provenance="test"
        )
        for number, title in enumerate(("On the liver", "On the kidney", "On the liver."), 1)
    }
    assert same_work(list(chapters), chapters, ("same_doi",)) == {
        "pmid:1": "pmid:1",
        "pmid:2": "pmid:2",
        "pmid:3": "pmid:1",
    }


def test_the_group_is_named_by_the_first_in_order() -> None:
    policy: tuple[SameRecord, ...] = ("preprint_of_article",)
    assert same_work(["pmid:3", "pmid:2"], DOCUMENTS, policy) == {
        "pmid:3": "pmid:3",
        "pmid:2": "pmid:3",
    }
