"""Published tables of two or more raters, and the values that their sources print.

``table`` is counts by the first rater's label (rows) and the second's; ``raters`` is one row of
labels per rater, ``.`` for a missing one; ``counts`` is items by labels. Values are to the places
that the source gives, or worked to seven where the source's are fewer.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """One published example."""

    source: str
    table: tuple[tuple[int, ...], ...] = ()
    raters: tuple[str, ...] = ()
    counts: tuple[tuple[int, ...], ...] = ()
    values: dict[str, float] = field(default_factory=dict)
    fleiss: float | None = None
    """Fleiss' kappa, where every item has as many raters: alpha follows from it."""


CASES = (
    Case(
        "Krippendorff 2011, section A",
        raters=("0100000010", "1110010000"),
        values={"alpha": 0.0952381},
    ),
    Case(
        "Krippendorff 2011, section B",
        raters=("aabbdcccedda", "babbbccceddd"),
        values={"alpha": 0.6919643},
    ),
    Case(
        "Krippendorff 2011, sections C and D",
        raters=("123321412...", "1233224125.3", ".3332342251.", "12332441251."),
        values={"alpha": 0.7434211},
    ),
    Case(
        "three coders, fifteen units",
        raters=(".....341211 33.3".replace(" ", ""), "1.213343.......", "..21344.21133.4"),
        values={"alpha": 0.6913580},
    ),
    Case(
        "one dissent in a constant table",
        raters=("33333", "33333", "33..3", "33331", "3.333"),
        values={"alpha": 0.0},
    ),
    Case("two units, both crossed", raters=("AB", "BA"), values={"alpha": -0.5}),
    Case(
        "Cohen 1960, table 1, times 200",
        table=((88, 10, 2), (14, 40, 6), (18, 10, 12)),
        values={"raw": 0.7, "kappa": 0.4915254},
    ),
    Case(
        "Feinstein & Cicchetti 1990, 1",
        table=((40, 9), (6, 45)),
        values={"raw": 0.85, "kappa": 0.6995192, "ac1": 0.7007481, "pabak": 0.7},
    ),
    Case(
        "Feinstein & Cicchetti 1990, 2",
        table=((80, 10), (5, 5)),
        values={"raw": 0.85, "kappa": 0.3181818, "ac1": 0.808, "pabak": 0.7},
    ),
    Case(
        "Feinstein & Cicchetti 1990, 3",
        table=((45, 15), (25, 15)),
        values={"raw": 0.6, "kappa": 0.1304348, "ac1": 0.266055, "pabak": 0.2},
    ),
    Case(
        "Feinstein & Cicchetti 1990, 4",
        table=((25, 35), (5, 35)),
        values={"raw": 0.6, "kappa": 0.2592593, "ac1": 0.2079208, "pabak": 0.2},
    ),
    Case(
        "Cicchetti & Feinstein 1990, 1",
        table=((40, 9), (6, 45)),
        values={"on relevant": 0.8421053, "on not relevant": 0.8571429, "overlap": 0.7272727},
    ),
    Case(
        "Cicchetti & Feinstein 1990, 2",
        table=((80, 10), (5, 5)),
        values={"on relevant": 0.9142857, "on not relevant": 0.4, "overlap": 0.8421053},
    ),
    Case(
        "Gwet 2008, high agreement",
        table=((118, 5), (2, 0)),
        values={
            "raw": 0.944,
            "kappa": -0.0233918,
            "ac1": 0.9407764,
            "pabak": 0.888,
            "alpha": -0.0246914,
        },
    ),
    Case(
        "Gwet 2014, abstractors",
        table=((13, 0, 0), (0, 20, 7), (0, 4, 56)),
        values={
            "raw": 0.89,
            "kappa": 0.7964094,
            "ac1": 0.8493305,
            "pabak": 0.835,
            "alpha": 0.7972585,
        },
    ),
    Case(
        # Unit 12's second rating is the third rater's here.
        "Gwet 2014, four raters",
        raters=("123321412...", "1233224125..", ".33323422513", "12332441251."),
        values={"alpha": 0.7434211},
    ),
    Case(
        "Gwet, six raters (the first fifteen of Fleiss 1971)",
        counts=(
            (0, 0, 0, 6, 0),
            (0, 3, 0, 0, 3),
            (0, 1, 4, 0, 1),
            (0, 0, 0, 0, 6),
            (0, 3, 0, 3, 0),
            (2, 0, 4, 0, 0),
            (0, 0, 4, 0, 2),
            (2, 0, 3, 1, 0),
            (2, 0, 0, 4, 0),
            (0, 0, 0, 0, 6),
            (1, 0, 0, 5, 0),
            (1, 1, 0, 4, 0),
            (0, 3, 3, 0, 0),
            (1, 0, 0, 5, 0),
            (0, 2, 0, 3, 1),
        ),
        values={"alpha": 0.4204384},
        fleiss=0.4139265,
    ),
    Case(
        "fourteen raters, ten subjects",
        counts=(
            (0, 0, 0, 0, 14),
            (0, 2, 6, 4, 2),
            (0, 0, 3, 5, 6),
            (0, 3, 9, 2, 0),
            (2, 2, 8, 1, 1),
            (7, 7, 0, 0, 0),
            (3, 2, 6, 3, 0),
            (2, 5, 3, 2, 2),
            (6, 5, 2, 1, 0),
            (0, 2, 2, 3, 7),
        ),
        fleiss=0.2099307,
    ),
    Case(
        # The book's "kappa" of .776 is Scott's pi.
        "Manning, Raghavan & Schütze, table 8.2",
        table=((300, 20), (10, 70)),
        values={"raw": 0.925, "kappa": 0.7761194, "alpha": 0.7761905, "ac1": 0.887271},
    ),
    Case(
        "salmon, of the epiR manual",
        table=((19, 6), (10, 256)),
        values={
            "kappa": 0.6735837,
            "on relevant": 0.7037037,
            "ac1": 0.9338869,
            "alpha": 0.6739616,
        },
    ),
    Case(
        "Sim & Wright 2005",
        table=((22, 2), (4, 11)),
        values={
            "kappa": 0.6666667,
            "pabak": 0.6923077,
            "prevalence index": 0.2820513,
            "bias index": -0.0512821,
            "largest kappa": 0.8888889,
        },
    ),
)
