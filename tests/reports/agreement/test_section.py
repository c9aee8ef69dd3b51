"""The section as the report holds it: the small study, and studies made to awkward shapes."""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec
import pytest

from judge.errors import Integrity
from judge.records.judgement import AgreementFreeze, Deal, DealtItem, FrozenPair
from judge.records.measured import AgreementSection, Coefficient
from judge.records.report import Report
from judge.reports.agreement.section import agreement_section
from judge.reports.render.outline import outline
from judge.reports.resampling import Resamples
from tests.reports.agreement.tables import pairs
from tests.reports.studies import deal, freeze, report_of, study


def section(
    *queries: tuple[str, str], seed: int = 1, deals: tuple[Deal, ...] = ()
) -> AgreementSection:
    """Of queries q0, q1, … each with a row of letters per assessor."""
    found = tuple(
        pair
        for number, (first, second) in enumerate(queries)
        for pair in pairs(first, second, f"q{number}")
    )
    families = {f"q{number}": "fa" for number in range(len(queries))}
    return agreement_section(
        AgreementFreeze(number=1, at_utc="2026-12-02T10:00:00Z", packets={}, pairs=found),
        ("A", "B"),
        families=families,
        items=(),
        deals=deals,
        resamples=Resamples(tuple(families), seed=seed),
    )


def named(found: AgreementSection, name: str) -> Coefficient:
    return next(one for one in found.coefficients if one.name == name)


# --- the small study ----------------------------------------------------------------------------


def test_figures_of_the_small_study(report: Report) -> None:
    # 8 both relevant, 1 (relevant, not), 4 both not, 1 both uncertain: 14 items, 28 values, of
    # which relevant 17, not 9, uncertain 2. De = (756 - 272 - 72 - 2)/756 = 410/756.
    (found,) = report.judging.agreement
    cells = {one.name: one.figure.cell for one in found.coefficients}
    fractions = {
        one.name: one.figure.lower.fraction for one in found.coefficients if one.figure.lower
    }
    assert cells["raw agreement"] == "0.9286"
    assert fractions["raw agreement"] == "13/14"
    assert fractions["agreement on relevant"] == "16/17"
    assert fractions["agreement on not relevant"] == "10/11"
    assert fractions["overlap, pooled"] == "8/9"
    # 2/3 of q1 (relevant, both: 1, 3, 4 of 1, 2, 3, 4), then 1 of q2, q3 and q4.
    assert fractions["overlap, mean over queries"] == str(Fraction(3, 4) / 4 + Fraction(3, 4))
    alpha = 1 - Fraction(1, 14) / Fraction(410, 756)
    assert fractions["Krippendorff's alpha, pooled"] == str(alpha)
    assert cells["Krippendorff's alpha, pooled"] == "0.8683"
    assert fractions["Cohen's kappa"] == "89/103"
    assert cells["is one assessor more lenient?"] == "p = 1.00"
    assert fractions["bias index"] == "1/14"
    assert fractions["prevalence index"] == "3/14"
    assert found.checked.endswith("the same pooled alpha, to 1e-12.")


def test_coverage_says_what_is_missing_and_why(report: Report) -> None:
    (found,) = report.judging.agreement
    assert [(one.name, one.text) for one in found.coverage] == [
        ("A", "14 judged, 2 cannot judge (no_abstract 2), 0 not yet judged, of 16"),
        ("B", "15 judged, 1 cannot judge (no_abstract 1), 0 not yet judged, of 16"),
        ("both", "14 judged by both, of 16"),
    ]
    assert found.table[0].counts == (8, 1, 0, 0, 0)
    assert found.table[3].counts == (1, 0, 0, 1, 0)


def test_queries_and_families_have_counts_and_overlap_and_no_coefficient(report: Report) -> None:
    (found,) = report.judging.agreement
    rows = {
        one.name: (one.both_judged, one.equal, one.first_relevant, one.both_relevant)
        for one in (*found.per_query, *found.per_family)
    }
    assert rows == {
        "q1": (7, 6, 4, 3),
        "q2": (3, 3, 2, 2),
        "q3": (2, 2, 1, 1),
        "q4": (2, 2, 2, 2),
        "fa": (10, 9, 6, 5),
        "fb": (4, 4, 3, 3),
    }
    assert found.per_query[0].overlap.cell == "0.75"


def test_who_is_asked_decides_who_is_first() -> None:
    (found,) = report_of().judging.agreement
    assert (found.first, found.second) == ("A", "B")


# --- undefined ----------------------------------------------------------------------------------


def test_nobody_has_labelled_anything_twice() -> None:
    found = section(("R-", "-R"))
    figures = [one.figure.cell for one in found.coefficients[:-1]]
    assert set(figures) == {"No document has been labelled by two assessors yet."}
    assert found.coefficients[-1].figure.cell == (
        "No document was called relevant by one assessor alone."
    )
    assert {one.interval.cell for one in found.coefficients} == {"–"}
    assert found.per_query[0].overlap.cell == "– (judged by both: none)"


def test_one_label_for_everything_has_sentences_and_a_coefficient_that_stands_it() -> None:
    found = section(*[("NNNN", "NNNN")] * 6)
    cells = {one.name: one.figure.cell for one in found.coefficients}
    assert cells["raw agreement"] == "1.00"
    assert cells["agreement on relevant"] == "Neither assessor called any document relevant."
    assert cells["Krippendorff's alpha, pooled"].startswith("Alpha is not defined")
    assert cells["Krippendorff's alpha, within queries"].startswith("Alpha within queries is not")
    assert cells["Cohen's kappa"].startswith("Kappa is not defined")
    assert cells["Gwet's AC1"] == "1.00"
    assert cells["share called relevant"] == "0.00"
    assert "nan" not in msgspec.json.encode(found).decode()


# --- intervals ----------------------------------------------------------------------------------

MIXED = ("RRRNNNUN", "RRNNNRUN")


@pytest.mark.parametrize(
    ("queries", "said"),
    [
        (4, "no interval: 4 queries, fewer than 5"),
        (10, r"0\.\d+ to 0\.\d+ \(jackknife-t, 10 queries\)"),
        (24, r"0\.\d+ to 0\.\d+ \(24 queries resampled 2000 times\)"),
    ],
)
def test_the_number_of_queries_decides_how_an_interval_is_made(queries: int, said: str) -> None:
    other = ("RNNNN", "RRNNN")
    found = section(*[MIXED, other] * (queries // 2))
    alpha = named(found, "Krippendorff's alpha, pooled")
    assert re.fullmatch(said, alpha.interval.cell)
    assert re.search(r"items resampled 2000 times", alpha.of_these.cell)


def test_items_have_no_interval_for_what_is_summed_over_queries() -> None:
    found = section(*[MIXED] * 3)
    assert named(found, "Krippendorff's alpha, within queries").of_these.cell == "–"
    assert named(found, "overlap, mean over queries").of_these.cell == "–"


def test_no_disagreement_is_shown_by_clopper_and_pearson() -> None:
    # 100 of 100 in ten queries: 0.025^(1/100) = 0.9638.
    found = section(*[("RRNNNNNNNN", "RRNNNNNNNN")] * 10)
    agreed = named(found, "raw agreement")
    assert agreed.interval.cell == "0.9638 to 1.00 (Clopper–Pearson, 100 items)"
    assert agreed.of_these == agreed.interval
    alpha = named(found, "Krippendorff's alpha, pooled")
    assert alpha.figure.cell == "1.00"
    assert alpha.interval.cell.startswith("no interval: every resample gives the same value")


def test_too_many_undefined_resamples_leave_no_interval() -> None:
    # [[18, 1], [1, 0]]: a resample has one label alone with chance (18/20)^20 = 0.12.
    found = section(("R" * 18 + "RN", "R" * 18 + "NR"))
    alpha = named(found, "Krippendorff's alpha, pooled")
    assert re.fullmatch(
        r"no interval: \d+ of 2000 resamples leave the figure undefined, more than 5 %",
        alpha.of_these.cell,
    )


def test_a_seed_gives_the_same_section_and_another_the_same_values() -> None:
    queries = [MIXED, ("RNNNN", "RRNNN"), ("RRR", "RRN")] * 8
    one, again, other = (section(*queries, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert [row.figure for row in one.coefficients] == [row.figure for row in other.coefficients]


# --- position -----------------------------------------------------------------------------------


def test_drift_is_counted_by_third_of_each_packet() -> None:
    # Six items of one query; A met them in order, B in reverse; items 4 and 5 are disputed.
    def dealt(code: str, order: list[int]) -> Deal:
        return deal(
            code,
            items=tuple(
                DealtItem(position=place, query_id="q0", record_id=str(item), view_sha256="0" * 64)
                for place, item in enumerate(order, 1)
            ),
        )

    deals = (dealt("A", [0, 1, 2, 3, 4, 5]), dealt("B", [5, 4, 3, 2, 1, 0]))
    found = section(("RRNNRR", "RRNNNN"), deals=deals)
    assert [(row.assessor, row.third, row.disagreements, row.relevant) for row in found.drift] == [
        ("A", 1, 0, 2),
        ("A", 2, 0, 0),
        ("A", 3, 2, 2),
        ("B", 1, 2, 0),
        ("B", 2, 0, 0),
        ("B", 3, 0, 2),
    ]
    assert {row.items for row in found.drift} == {2}
    # Both disputed in one outer third, of 15 placements: 2/15. A's four relevant lie two and two.
    assert "A: disagreement by third, p = 0.1333; relevant by third, p = 1.00." in found.drift_note


def test_a_hidden_repeat_moves_no_item_to_another_third() -> None:
    # Three items, each one third; the first comes again at the end, where it counts for nothing.
    order = [("0", None), ("1", None), ("2", None), ("0", 1)]
    items = tuple(
        DealtItem(
            position=place, query_id="q0", record_id=item, view_sha256="0" * 64, repeat_of=first
        )
        for place, (item, first) in enumerate(order, 1)
    )
    found = section(("RNN", "NNN"), deals=(deal("A", items=items),))
    assert [(row.third, row.items, row.disagreements, row.relevant) for row in found.drift] == [
        (1, 1, 1, 1),
        (2, 1, 0, 0),
        (3, 1, 0, 0),
    ]


def test_positions_that_nobody_knows_are_said_so() -> None:
    found = section(("RN", "RN"))
    assert found.drift == ()
    assert found.drift_note == "A: positions are not known. B: positions are not known."


# --- what the report does with it ---------------------------------------------------------------


def test_labels_of_a_query_that_is_not_frozen_are_no_evidence() -> None:
    pair = FrozenPair(query_id="q99", record_id="pmid:1", labels={"A": "relevant"})
    changed = msgspec.structs.replace(freeze(), pairs=(pair,))
    with pytest.raises(Integrity, match="q99"):
        report_of(agreement=(changed,))


def test_repeats_are_printed_only_where_there_are_any(report: Report) -> None:
    assert report.judging.repeats == ()
    assert outline(report).table("repeats") is None
    again = report_of(repeats={"A": (("relevant", "relevant"), ("relevant", "uncertain")), "B": ()})
    (row,) = again.judging.repeats
    assert (row.assessor, row.repeats, row.same.cell) == ("A", 2, "0.50")
    assert outline(again).table("repeats") is not None


def test_no_value_is_called_good_or_poor() -> None:
    words = msgspec.json.encode(report_of().judging).decode().lower()
    for adjective in ("good", "poor", "substantial", "moderate", "excellent", "fair", "perfect"):
        assert not re.search(rf"\b{adjective}\b", words)


def test_three_assessors_are_taken_two_by_two() -> None:
    people = msgspec.structs.replace(study().frozen.protocol.people, assessors=("A", "B", "C"))
    found = report_of(people=people).judging.agreement
    assert [(one.first, one.second) for one in found] == [("A", "B"), ("A", "C"), ("B", "C")]
    assert found[1].both_judged == 0
