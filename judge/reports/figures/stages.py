"""The flow of the study: from frozen queries to settled labels."""

from __future__ import annotations

from collections.abc import Sequence

from judge.reports.figures.drawings import Chart, Flow, Step


def stages(steps: Sequence[tuple[str, int, str]], table: str) -> list[Chart | str]:
    """The figure above ``table``; each step is its label, its count, and what left on the way to
    it, in words that hold their own counts."""
    if not steps:
        return []
    return [
        Chart(
            id="flow",
            title="From queries to settled labels",
            description="Each box holds what is left at a stage; beside an arrow stands what left "
            "before it, and why.",
            tables=(table,),
            drawing=Flow(tuple(Step(label, count, aside) for label, count, aside in steps)),
        )
    ]
