from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.records.query import GoldPaper
from judge.records.recall import Candidate, Credit, GoldRow
from judge.reports.recall.matching import GoldIndex, found_at, match, points_at
from judge.reports.recall.traps import Traps
from judge.text import title_key

GOLD = (
    GoldRow(pmid="0031", doi=None, title="First"),
    GoldRow(pmid="32", doi="https://doi.org/10.1000/ABC", title="Second"),
    GoldRow(pmid="33", doi=None, title="A T-cell study, (part 2)"),
)


def credited(
    *candidates: Candidate, gold: tuple[GoldRow, ...] = GOLD
) -> dict[int, tuple[int, str]]:
    found = match(GoldIndex(gold), candidates, Traps())
    return {paper: (credit.rank, credit.tier) for paper, credit in found.items()}


def kinds(*candidates: Candidate, gold: tuple[GoldRow, ...] = GOLD) -> dict[str, int]:
    traps = Traps()
    match(GoldIndex(gold), candidates, traps)
    return {one.kind: one.count for one in traps.warnings()}


def test_a_gold_paper_is_matched_by_pmid_then_doi_then_title() -> None:
    assert credited(
        Candidate(rank=1, pmid=31),
        Candidate(rank=2, doi="10.1000/abc"),
        Candidate(rank=3, title="a tcell  study part 2"),
    ) == {0: (1, "pmid"), 1: (2, "doi"), 2: (3, "title")}


def test_each_gold_paper_is_credited_once_at_its_first_rank() -> None:
    assert credited(Candidate(rank=2, pmid="31"), Candidate(rank=5, pmid="31")) == {0: (2, "pmid")}


def test_a_candidate_whose_gold_is_taken_does_not_fall_through_to_a_weaker_tier() -> None:
    taken = Candidate(rank=2, pmid="31", doi="10.1000/abc", title="A T-cell study (part 2)")
    assert credited(Candidate(rank=1, pmid="31"), taken) == {0: (1, "pmid")}
    taken = Candidate(rank=2, doi="10.1000/abc", title="First")
    assert credited(Candidate(rank=1, pmid="32"), taken) == {1: (1, "pmid")}


def test_another_pmid_still_lets_the_doi_and_the_title_point() -> None:
    assert credited(Candidate(rank=1, pmid="77", doi="10.1000/abc")) == {1: (1, "doi")}
    assert credited(Candidate(rank=1, pmid="77", doi="10.9/x", title="First")) == {0: (1, "title")}


def test_gold_papers_that_share_a_doi_or_a_title_are_credited_by_string_order_of_pmid() -> None:
    # "10" comes before "9" as text, and 009 is 9.
    twins = (
        GoldRow(pmid="009", doi="10.1/a", title="Editorial"),
        GoldRow(pmid="10", doi="10.1/A", title="Editorial."),
    )
    one, two = Candidate(rank=1, doi="10.1/a"), Candidate(rank=2, doi="10.1/a")
    assert credited(one, gold=twins) == {1: (1, "doi")}
    assert credited(one, two, Candidate(rank=3, doi="10.1/a"), gold=twins) == {
        1: (1, "doi"),
        0: (2, "doi"),
    }
    assert credited(
        Candidate(rank=1, pmid="10"), Candidate(rank=2, title="editorial"), gold=twins
    ) == {1: (1, "pmid"), 0: (2, "title")}


def test_a_gold_paper_without_a_pmid_is_matched_by_what_it_has() -> None:
    gold = (GoldPaper(title="No number"), GoldPaper(doi="10.1/x"), GoldPaper(pmid="5"))
    found = match(
        GoldIndex(gold),
        [
            Candidate(rank=1, doi="10.1/X"),
            Candidate(rank=2, title="No number!"),
            Candidate(rank=3, pmid="5"),
        ],
        Traps(),
    )
    assert {paper: one.rank for paper, one in found.items()} == {1: 1, 0: 2, 2: 3}


def test_what_is_not_read_as_a_pmid_matches_the_same_text_alone() -> None:
    gold = (GoldRow(pmid="http://www.ncbi.nlm.nih.gov/pubmed/31"),)
    assert credited(Candidate(rank=1, pmid="31"), gold=gold) == {}
    same = Candidate(rank=1, pmid="http://www.ncbi.nlm.nih.gov/pubmed/31")
    assert credited(same, gold=gold) == {0: (1, "pmid")}
    assert kinds(same, gold=gold) == {}


def test_recall_is_by_rank() -> None:
    found = {0: Credit(rank=1, tier="pmid"), 1: Credit(rank=7, tier="doi")}
    assert [found_at(found, k) for k in (0, 1, 6, 7, 100)] == [0, 1, 1, 2, 2]


def test_one_candidate_points_by_its_first_tier() -> None:
    index = GoldIndex(GOLD)
    assert points_at(index, Candidate(rank=1, pmid="31", doi="10.1000/abc")) == (0,)
    assert points_at(index, Candidate(rank=1, pmid="99", doi="10.1000/abc", title="First")) == (1,)
    assert points_at(index, Candidate(rank=1, title="FIRST")) == (0,)
    assert points_at(index, Candidate(rank=1, pmid="99")) == ()


# --- what the rules pass over -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pmid", "kind"),
    [
        ("http://www.ncbi.nlm.nih.gov/pubmed/31", "pmid_old_address"),
        ("https://ncbi.nlm.nih.gov/pubmed/31/", "pmid_old_address"),
        ("PMID:31", "pmid_prefixed"),
        ("pmid: 31", "pmid_prefixed"),
        ("31.0", "pmid_decimal"),
        ("//pubmed.ncbi.nlm.nih.gov/31", "pmid_other"),
        ("PMC31", "pmid_other"),
        ("true", "pmid_other"),
        ("https://pubmed.ncbi.nlm.nih.gov/３１", "pmid_foreign_digits"),
    ],
)
def test_a_pmid_that_is_not_read_is_told(pmid: str, kind: str) -> None:
    assert credited(Candidate(rank=1, pmid=pmid)) == {}
    assert kinds(Candidate(rank=1, pmid=pmid)) == {kind: 1}


@pytest.mark.parametrize("pmid", ["31", 31, "0031", " 31 ", "", "0", None])
def test_a_pmid_that_is_read_or_absent_is_not_told(pmid: str | int | None) -> None:
    assert kinds(Candidate(rank=1, pmid=pmid)) == {}


@pytest.mark.parametrize(
    ("doi", "kind"),
    [
        ("https://www.doi.org/10.1000/abc", "doi_prefix"),
        ("doi:https://doi.org/10.1000/abc", "doi_prefix"),
        ("10.1000%2Fabc", "doi_escaped"),
        ("https://doi.org/10.1000%2Fabc", "doi_escaped"),
        ("10.1000/%61bc", "doi_escaped"),
        ("https://doi.org/10.1000/%61bc", "doi_escaped"),
        ("10.1000/abc.", "doi_end"),
        ("10.1000/abc/", "doi_end"),
    ],
)
def test_a_doi_that_is_not_read_is_told(doi: str, kind: str) -> None:
    traps = Traps()
    assert match(GoldIndex(GOLD), [Candidate(rank=4, doi=doi)], traps) == {}
    (warning,) = traps.warnings()
    assert (warning.kind, warning.count) == (kind, 1)
    assert warning.text.endswith("(cases: 1; gold papers of their question among them: 1)")
    assert warning.example.startswith("rank 4: ")


@pytest.mark.parametrize(
    "doi", ["10.1/other", "10.1002/(SICI)1(a)", "10.1/a<b>", "10.1/c%d", "DOI: 10.1/x", "", None]
)
def test_a_doi_that_is_read_or_absent_is_not_told(doi: str | None) -> None:
    assert kinds(Candidate(rank=1, doi=doi)) == {}


def test_credit_by_title_in_spite_of_another_identifier_is_told() -> None:
    titled = GoldRow(pmid="40", doi="10.1/own", title="Editorial")
    with_pmid = Candidate(rank=1, pmid="77", title="Editorial")
    assert credited(with_pmid, gold=(titled,)) == {0: (1, "title")}
    assert kinds(with_pmid, gold=(titled,)) == {"title_other_id": 1}
    with_doi = Candidate(rank=1, doi="10.1/another", title="Editorial")
    assert kinds(with_doi, gold=(titled,)) == {"title_other_id": 1}
    # Where the gold paper has no DOI, the candidate's is not another one.
    bare = GoldRow(pmid="40", title="Editorial")
    assert kinds(with_doi, gold=(bare,)) == {}


def test_a_hyphen_that_joins_words_is_told_when_it_earns_a_credit() -> None:
    assert credited(Candidate(rank=1, title="A Tcell study part 2")) == {2: (1, "title")}
    assert kinds(Candidate(rank=1, title="A Tcell study part 2")) == {"title_joined": 1}
    assert kinds(Candidate(rank=1, title="A T–cell study part 2")) == {}


@pytest.mark.parametrize(
    ("gold", "title"),
    [
        ("A T-cell study of many mice", "A T cell study of many mice"),
        ("A T cell study of many mice", "A T-cell study of many mice"),
        ("TP53 mutations in many mice", "<i>TP53</i> mutations in many mice"),
        ("<i>TP53</i> mutations in many mice", "TP53 mutations in many mice"),
        ("Mutations of the many TP53", "Mutations of the many <sup>TP53</sup>"),
        ("Mutations in many mice", "Mu\u00adtations in many mice"),
        ("\ufeffMutations in many mice", "Mutations in many mice"),
        ("Die Straße nach Süden", "Die Strasse nach Süden"),
        ("Die Strasse nach Süden", "Die Straße nach Süden"),
        ("İstanbul cohort of patients", "Istanbul cohort of patients"),
    ],
)
def test_a_title_that_misses_by_next_to_nothing_is_told(gold: str, title: str) -> None:
    paper = (GoldRow(pmid="1", title=gold),)
    assert credited(Candidate(rank=1, title=title), gold=paper) == {}
    assert kinds(Candidate(rank=1, title=title), gold=paper) == {"title_near": 1}


@pytest.mark.parametrize("title", ["Reply to: First", "First - a comment", "Firs", "Last", "."])
def test_another_title_is_not_told(title: str) -> None:
    assert kinds(Candidate(rank=1, title=title)) == {}


# --- the letters that tell titles apart ---------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("T-cell", "Tcell", "T cell", "The ", " ", "\u00a0", "–", ".", "?", "é", "e\u0301", "="),
        *("\u0338", "β", "ﬁ", "ＴＨＥ", "Ca²⁺", "ß", "ss", "İ", "ſ", "\u212a", "Σ", "<i>", "</i>"),
        *("\u00ad", "\u200b", "mutations", "in mice", "of a randomised trial", "日本", "\ud83d"),
    ]
)
TITLES = st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join))


@st.composite
def variants(draw: st.DrawFn, titles: list[str]) -> str:
    """A gold title in other bytes, or another title."""
    title = draw(st.one_of(TITLES, st.sampled_from(titles))) if titles else draw(TITLES)
    change = draw(st.integers(0, 7))
    if change == 1:
        return title.upper()
    if change in (2, 3):
        return unicodedata.normalize("NFD" if change == 2 else "NFKC", title)
    if change == 4:
        return title.replace(" ", "  ").replace("-", "‐")
    if change == 5:
        return f"«{title}»…"
    if change == 6:
        cut = draw(st.integers(0, len(title)))
        return title[:cut] + draw(PIECES) + title[cut:]
    return title


@given(st.lists(TITLES, max_size=5), st.data())
def test_telling_titles_apart_early_never_changes_a_match(
    titles: list[str], data: st.DataObject
) -> None:
    gold = tuple(GoldRow(pmid=str(number), title=title) for number, title in enumerate(titles, 1))
    offered = data.draw(st.lists(variants(titles), max_size=6))
    candidates = [Candidate(rank=rank, title=title) for rank, title in enumerate(offered, 1)]
    # The rule without the shortcut: every title normalised, every gold paper looked at.
    expected: dict[int, tuple[int, str]] = {}
    for one in candidates:
        key = title_key(one.title)
        same = [at for at, paper in enumerate(gold) if key and title_key(paper.title) == key]
        free = sorted((str(at + 1), at) for at in same if at not in expected)
        if free:
            expected[free[0][1]] = (one.rank, "title")
    assert credited(*candidates, gold=gold) == expected


@pytest.mark.parametrize("length", range(1, 40))
def test_an_accent_after_any_letter_is_part_of_it(length: int) -> None:
    # Composed in the gold title, decomposed in the candidate, at every distance from the start;
    # blanks and punctuation in between shift the letters against the characters.
    for filling in ("abcdefghij" * 4, "a . b - c  " * 4, "abcdefghijk" + " " * 30):
        gold = (GoldRow(pmid="1", title=f"{filling[:length]}é trial of many mice"),)
        found = credited(
            Candidate(rank=1, title=f"{filling[:length]}e\u0301 trial of many mice"), gold=gold
        )
        assert found == {0: (1, "title")}
