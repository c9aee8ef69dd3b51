"""Judgements for other tools: TREC qrels per assessor and final, CSV, JSON Lines.

Pure functions from judged items to bytes. What a format cannot carry is counted, not dropped in
silence.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from judge.canonical import canonical
from judge.records.judgement import JudgedItem, Label

GRADES: dict[Label, int] = {"relevant": 1, "not_relevant": 0}
"""Grades of a qrels file. The other labels have none: a grade would say more than was judged."""


def qrels(items: Iterable[JudgedItem], assessor: str | None = None) -> tuple[bytes, dict[str, int]]:
    """A qrels file (``query 0 record grade``), and how many items it could not carry, by label.

    With ``assessor`` that person's labels, otherwise the final ones.
    """
    lines: list[str] = []
    left_out: dict[str, int] = {}
    for item in items:
        label = _label(item, assessor)
        if label is not None and label in GRADES:
            lines.append(f"{item.query_id} 0 {item.record_id} {GRADES[label]}\n")
        else:
            name = label or "not_yet_judged"
            left_out[name] = left_out.get(name, 0) + 1
    return "".join(lines).encode(), left_out


def jsonl(items: Iterable[JudgedItem]) -> bytes:
    """One judged item a line, canonical JSON: the lossless form."""
    return b"".join(canonical(item) + b"\n" for item in items)


def table(items: Iterable[JudgedItem], assessors: Iterable[str]) -> bytes:
    """A CSV for people: one row an item, a label, reason and note per assessor, then the final.

    A cell that a spreadsheet would read as a formula gets one apostrophe in front, and so does one
    that starts with an apostrophe, so that taking one off again always gives the text back. Ids
    are left as they are.
    """
    codes = list(assessors)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            "query_id",
            "record_id",
            *(f"{field}_{code}" for code in codes for field in ("label", "reason", "note")),
            "state",
            "final",
        ]
    )
    for item in items:
        row = [item.query_id, item.record_id]
        for code in codes:
            given = item.labels.get(code)
            row += (
                [given.cannot_kind or given.label, given.reason, guarded(given.note)]
                if given
                else ["not_yet_judged", "", ""]
            )
        writer.writerow([*row, item.state, item.final or "not_yet_judged"])
    return out.getvalue().encode()


def of_assessor(items: Iterable[JudgedItem], assessor: str | None) -> list[dict[str, object]]:
    """The labels of one assessor, or the final ones, a row an item; null where there is none."""
    rows: list[dict[str, object]] = []
    for item in items:
        given = item.labels.get(assessor) if assessor else item.adjudication
        rows.append(
            {
                "query_id": item.query_id,
                "record_id": item.record_id,
                "label": _label(item, assessor),
                "cannot_kind": getattr(given, "cannot_kind", None),
                "reason": given.reason if given else "",
                "note": given.note if given else "",
                "evidence": given.evidence if given else None,
                "origin": given.origin if given else None,
                "state": item.state,
            }
        )
    return rows


def sheet(rows: Iterable[Mapping[str, object]]) -> bytes:
    """The rows of `of_assessor` as CSV; free text is `guarded`, what is null an empty cell."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    for number, row in enumerate(rows):
        if not number:
            writer.writerow(row)
        writer.writerow(
            [guarded(str(value)) if name == "note" else value for name, value in row.items()]
        )
    return out.getvalue().encode()


def guarded(text: str) -> str:
    """Free text for a spreadsheet cell; `unguarded` gives it back."""
    return f"'{text}" if text[:1] in "=+-@\t\r'" and text else text


def unguarded(cell: str) -> str:
    """The text that `guarded` was given."""
    return cell[1:] if cell[:1] == "'" else cell


def _label(item: JudgedItem, assessor: str | None) -> Label | None:
    if assessor is None:
        return item.final
    given = item.labels.get(assessor)
    return given.label if given else None
