"""What a team concludes in its own words, and whether the study can carry it."""

from __future__ import annotations

from judge.errors import Refused
from judge.protocol.wording import Grounds, too_much
from judge.records.report import Head, Status
from judge.reports.material import Material


def conclusions(material: Material, status: Status, shown: Head, *, gold: bool) -> tuple[str, ...]:
    """The conclusions of the statement; none of a plan (R02).

    Raises `Refused` with every sentence of the title, the conclusions and the answers to
    acceptance criteria that says more than was measured, and the rule against it (R02, R42, R48,
    R60).
    """
    said = material.statement
    origins = {one.name for one in shown.labels_by_origin}
    grounds = Grounds(
        evaluated=status not in ("planned", "captured") and origins != {"scripted"},
        frozen_index=shown.kind == "frozen_index",
        gold=gold,
    )
    texts = {
        "protocol.toml: title": material.frozen.protocol.title,
        **{f"statement.toml: conclusions[{at}]": one for at, one in enumerate(said.conclusions, 1)},
        **{f"statement.toml: criteria {one.code!r}": one.text for one in said.criteria},
    }
    problems = list(too_much(texts, grounds))
    if problems:
        told = "".join(f"\n  {problem}" for problem in problems)
        raise Refused(
            f"{len(problems)} sentences say more than this study can carry; no report was written"
            f"{told}",
            hint="say what was measured, in reports/statement.toml (a title: judge amend), then "
            "judge report",
        )
    return () if status == "planned" else said.conclusions
