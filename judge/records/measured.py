"""The measured part of `report.json`: every number that is not a plain count, and its tables.

Numbers are `Share`: text, never a float, so that canonical bytes exist and every form of the
report prints the same digits.
"""

from __future__ import annotations

from typing import Literal

from judge.records.base import Record


class Share(Record, frozen=True, kw_only=True):
    """An exact number: the fraction as it was counted, and its decimal (`reports.numbers`)."""

    fraction: str
    decimal: str


class Figure(Record, frozen=True, kw_only=True):
    """A number, or bounds where it is incomplete, or a sentence where there is none."""

    cell: str
    """The figure as every form of the report prints it."""
    lower: Share | None = None
    upper: Share | None = None
    """Equal to ``lower`` where the figure is complete."""


class Pair(Record, frozen=True, kw_only=True):
    """A name and what stands for it."""

    name: str
    text: str


class Interval(Record, frozen=True, kw_only=True):
    """A 95 % interval with the way it was made, or the sentence that says why there is none."""

    cell: str
    lower: str = ""
    upper: str = ""
    """Decimals; empty where there is no interval."""
    method: str = ""


class Coefficient(Record, frozen=True, kw_only=True):
    """One agreement figure with its definition; the cell is a sentence where it is undefined."""

    name: str
    definition: str
    figure: Figure
    interval: Interval
    """Over queries: what another set of such queries might have given."""
    of_these: Interval
    """Over items, for exactly these queries."""


class TableRow(Record, frozen=True, kw_only=True):
    """One row of the table of counts: the first assessor's label against the second's."""

    label: str
    counts: tuple[int, ...]


class AgreementRow(Record, frozen=True, kw_only=True):
    """Counts and overlap of one query or family; no coefficient, which so few items do not bear."""

    name: str
    both_judged: int
    equal: int
    first_relevant: int
    second_relevant: int
    both_relevant: int
    overlap: Figure


class DriftRow(Record, frozen=True, kw_only=True):
    """One third of an assessor's packet: items that both judged, by position in that packet."""

    assessor: str
    third: int
    items: int
    disagreements: int
    relevant: int


class AgreementSection(Record, frozen=True, kw_only=True):
    """Two assessors at one freeze of the first labels."""

    freeze: int
    at_utc: str
    first: str
    second: str
    pooled: int
    both_judged: int
    coverage: tuple[Pair, ...]
    labels: tuple[str, ...]
    table: tuple[TableRow, ...]
    coefficients: tuple[Coefficient, ...]
    checked: str
    """That the library agrees with the cell counts on alpha."""
    per_query: tuple[AgreementRow, ...]
    per_family: tuple[AgreementRow, ...]
    drift: tuple[DriftRow, ...]
    drift_note: str
    standing: str = ""
    """Whether this freeze is the current one; why not, where it is not."""
    rubric: str = ""
    """Version of the rubric the labels were given under, where there were several (R57)."""


class RepeatsRow(Record, frozen=True, kw_only=True):
    """What one assessor said of hidden repeats."""

    assessor: str
    repeats: int
    same: Figure
    interval: Interval
    alpha: Figure


class GuessRow(Record, frozen=True, kw_only=True):
    """What one assessor named for the items that one system alone found (L20)."""

    assessor: str
    system: str
    """The system that found them."""
    items: int
    right: int
    wrong: int
    dont_know: int
    share: Figure
    """Right among the answers that named a system."""
    share_interval: Interval
    chance: Share
    """One over the number of systems."""
    bang: Figure
    """Bang's index; a sentence where there are more than two systems."""
    bang_interval: Interval


class QueryRow(Record, frozen=True, kw_only=True):
    """P@k of one query at one system and cutoff."""

    query_id: str
    family: str
    system: str
    cutoff: int
    standing: Literal["scored", "incomplete", "excluded"]
    figure: Figure
    returned: int | None
    filled: int | None
    judged: int | None
    unjudged: int | None
    cannot_judge: int | None
    uncertain: int | None
    duplicates: int | None
    left_out: str
    """Why the query is not in the mean; empty where it is."""


class LeftOut(Record, frozen=True, kw_only=True):
    """A query (or a family) that a mean leaves out, and why."""

    id: str
    reason: str


class MeanRow(Record, frozen=True, kw_only=True):
    """A mean of P@k at one system and cutoff, and what is in it (R70)."""

    over: Literal["queries", "families"]
    family: str
    """The family of a per-family mean; empty for a mean over the whole set."""
    system: str
    cutoff: int
    figure: Figure
    interval: Interval
    judged: int
    filled: int
    """judged@k: ranks with a judgement, of the ranks that hold a hit, over the queries in it."""
    members: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class AccountRow(Record, frozen=True, kw_only=True):
    """The parts of the frozen set at one system and cutoff; they add up (R66)."""

    system: str
    cutoff: int
    frozen: int
    scored: int
    incomplete: int
    excluded: int
    controls: int
    guards: int
    invalid: int


Over = Literal["query", "family", "queries"]
"""One query, the mean over a family's queries, the mean over the set's."""


class VariantRow(Record, frozen=True, kw_only=True):
    """P@k of one query, family or set at one system, computed in several ways."""

    over: Over
    name: str
    """Query id or family; empty for the whole set."""
    system: str
    cutoff: int
    queries: int
    figures: tuple[Figure, ...]
    """One for each name of the table."""


class VariantTable(Record, frozen=True, kw_only=True):
    """A sensitivity: what P@k would be under other rules than those declared."""

    note: str
    names: tuple[str, ...]
    rows: tuple[VariantRow, ...]


class ReturnedSection(Record, frozen=True, kw_only=True):
    """Precision over returned results: a measure of its own, never averaged with P@k (R63)."""

    absent_reason: str
    definition: str
    rows: tuple[VariantRow, ...]


class PrecisionSection(Record, frozen=True, kw_only=True):
    """Precision at fixed depth."""

    absent_reason: str
    """Why there are no figures; empty where there are."""
    cutoffs: tuple[int, ...]
    post_hoc: tuple[int, ...]
    """Cutoffs that came by an amendment after runs had been made (R59)."""
    definition: str
    limits: tuple[str, ...]
    """What P@k depends on and does not tell (R72)."""
    handling: str
    rounding: str
    per_query: tuple[QueryRow, ...]
    per_family: tuple[MeanRow, ...]
    means: tuple[MeanRow, ...]
    accounting: tuple[AccountRow, ...]


class SensitivitySection(Record, frozen=True, kw_only=True):
    """What P@k would be under other rules; none of it is the declared measure."""

    absent_reason: str
    """Why there is no P@k; `over_returned` has a reason of its own."""
    bounds: VariantTable
    """Every open rank as not relevant, and as relevant (R61)."""
    duplicates: VariantTable
    """Under the other policy for duplicates, and with duplicates collapsed (R68)."""
    labellings: VariantTable
    """Under each assessor's own labels, strict, lenient, and final."""
    over_returned: ReturnedSection


class DifferenceRow(Record, frozen=True, kw_only=True):
    """Difference of P@k of two systems on one query, or its mean over a family."""

    over: Over
    name: str
    first: str
    second: str
    cutoff: int
    queries: int
    """Queries in the figure."""
    figure: Figure


class SignRow(Record, frozen=True, kw_only=True):
    """Mean difference on the same queries under another set of labels."""

    labels: str
    figure: Figure
    sign: str
    """In words: the same, another, none, or open."""


class ComparisonRow(Record, frozen=True, kw_only=True):
    """Two systems at one cutoff, on the queries that both have a complete P@k for."""

    first: str
    second: str
    cutoff: int
    queries: int
    left_out: tuple[LeftOut, ...]
    difference: Figure
    """Mean of P@k of the first less P@k of the second."""
    interval: Interval
    wins: int
    ties: int
    losses: int
    """Queries where the first has more, as many, or fewer relevant hits."""
    effect: Figure
    """d_z: mean ÷ standard deviation of the differences."""
    p: Figure
    adjusted: Figure
    """After Holm, over the declared comparisons at this cutoff."""
    detectable: Figure
    """Smallest mean difference that a test at 0.05 finds with power 0.8 at this n."""
    bounded_queries: int
    bounds: Figure
    """Mean difference over all queries where both gave a list, open ranks at their worst."""
    signs: tuple[SignRow, ...]


class OrderRow(Record, frozen=True, kw_only=True):
    """Order of the systems under two sets of labels."""

    cutoff: int
    first: str
    second: str
    queries: int
    tau_b: Figure
    swapped: tuple[str, ...]
    """Pairs of systems that change places, with both differences of mean P@k."""


class ComparisonSection(Record, frozen=True, kw_only=True):
    """Comparing systems, on paired queries."""

    absent_reason: str
    method: tuple[str, ...]
    per_query: tuple[DifferenceRow, ...]
    per_family: tuple[DifferenceRow, ...]
    rows: tuple[ComparisonRow, ...]
    order_means: tuple[VariantRow, ...]
    order_names: tuple[str, ...]
    order: tuple[OrderRow, ...]
    order_note: str


class Computation(Record, frozen=True, kw_only=True):
    """What the resampled figures rest on: with these the report comes out the same, to the byte."""

    seed: int
    replicates: int
    queries: int
    libraries: tuple[Pair, ...]
