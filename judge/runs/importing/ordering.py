"""One ranked list from its lines: by explicit rank, or by score as trec_eval orders.

trec_eval reads no ranks. It sorts by score, then by document id, both descending, ids compared
byte by byte (`comp_sim_docno` in its form_res_rels.c). Version 10 compares scores as 64-bit
numbers; version 9, and pytrec_eval with it, rounds them to 32 bits first. The order here is that of
version 10, and a list that the other would order differently says so.
"""

from __future__ import annotations

import math
import re
import struct
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from judge.records.run import Hit, Notice
from judge.runs.importing.common import Faults, Row, span_text, spans

Order = Literal["rank", "trec"]
Duplicates = Literal["keep", "refuse"]
MissingRanks = Literal["refuse", "keep"]

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_SHOWN = 10


def ranked_list(
    rows: list[Row],
    where: str,
    *,
    order: Order,
    base: int,
    duplicates: Duplicates,
    missing_ranks: MissingRanks,
    faults: Faults,
) -> tuple[tuple[Hit, ...], list[Notice]]:
    """The hits of one list, and what was noticed about it.

    ``where`` names the list in messages; ``base`` is the first rank of its run, 0 or 1. Under
    ``rank`` the ranks are the file's own, counted from 1; under ``trec`` they are 1..n. What makes
    the list unusable goes to ``faults``: a rank that is absent, repeated, or (where refused)
    missing between others; a score that is no number under ``trec``; a document that stands twice
    where that is refused.
    """
    scores = _scores(rows)
    by_score = None if scores is None else _trec_order(rows, scores)
    if order == "trec":
        if by_score is None:
            _score_faults(rows, faults)
            return (), []
        ranked = list(enumerate(by_score, 1))
        text = "ordered by score, then by id, both descending, as trec_eval does; ranks of the "
        text += "file, if any, are not used"
        notices = [Notice(kind="order", text=text), *_column_notices(rows, base)]
    else:
        if not _check_ranks(rows, where, base, missing_ranks, faults):
            return (), []
        ranked = sorted(
            ((_rank(row) - base + 1, row) for row in rows), key=lambda placed: placed[0]
        )
        notices = _kept_notices(rows, base)
    if scores is not None and by_score is not None:
        notices += _score_notices(rows, scores, by_score)
    notices += _duplicates(ranked, where, duplicates, faults)
    repaired = sum(row.repaired for row in rows)
    if repaired:
        text = f"characters that cannot be stored, replaced by U+FFFD: {repaired}"
        notices.append(Notice(kind="repaired_text", text=text))
    hits = tuple(
        Hit(rank=rank, record_id=row.record_id, score=row.score, **row.fields)
        for rank, row in ranked
    )
    return hits, notices


def first_rank(rows: Iterable[Row]) -> int:
    """0 for a run whose ranks start at 0 in any of its lists, else 1.

    Taken over the whole run: a list that begins at 1 in a run from 0 lacks its first document.
    """
    return 0 if any(row.rank == 0 for row in rows) else 1


def _rank(row: Row) -> int:
    return 0 if row.rank is None else row.rank


def _score_faults(rows: list[Row], faults: Faults) -> None:
    for row in rows:
        if _number(row.score) is None:
            found = f"the score {row.score!r} is not a number" if row.score else "no score"
            faults.add(row.line, found, "a finite decimal number, to order by score")


def _number(text: str | None) -> float | None:
    """A score as trec_eval would compare it; None for what is no finite decimal number.

    (trec_eval itself takes "high" for 0 and so makes all such scores equal.)
    """
    if text is None or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _scores(rows: list[Row]) -> dict[int, float] | None:
    """Score by line, or None where a row has none that is a number."""
    scores: dict[int, float] = {}
    for row in rows:
        value = _number(row.score)
        if value is None:
            return None
        scores[row.line] = value
    return scores


def _trec_order(rows: list[Row], scores: dict[int, float]) -> list[Row]:
    # Code points sort as their UTF-8 bytes do, which is what strcmp compares.
    return sorted(rows, key=lambda row: (scores[row.line], row.record_id), reverse=True)


def _single(value: float) -> float:
    """``value`` rounded to 32 bits, as a C cast does."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _gaps(ranks: Iterable[int], base: int) -> list[tuple[int, int]]:
    """The spans of ranks that are missing from ``base`` to the last."""
    gaps = []
    expected = base
    for rank in sorted(set(ranks)):
        if rank > expected:
            gaps.append((expected, rank - 1))
        expected = rank + 1
    return gaps


def _check_ranks(
    rows: list[Row], where: str, base: int, missing_ranks: MissingRanks, faults: Faults
) -> bool:
    good = True
    lines: dict[int, int] = {}
    for row in rows:
        if row.rank is None:
            faults.add(row.line, "no rank", "an explicit rank for every document")
            good = False
        elif row.rank in lines:
            found = f"rank {row.rank} of {where} stands on line {lines[row.rank]} already"
            faults.add(row.line, found, "one document at each rank")
            good = False
        else:
            lines[row.rank] = row.line
    if good and missing_ranks == "refuse" and (gaps := _gaps(lines, base)):
        after = lines[gaps[0][1] + 1]
        faults.add(after, f"ranks missing in {where}: {span_text(gaps)}", "ranks without a gap")
        good = False
    return good


def _kept_notices(rows: list[Row], base: int) -> list[Notice]:
    """What is odd about ranks that are kept."""
    notices = []
    if base == 0:
        text = "ranks start at 0 in the file; taken one higher"
        notices.append(Notice(kind="rank_base", text=text))
    if gaps := _gaps(map(_rank, rows), base):
        text = f"ranks missing in the file: {span_text(gaps)}; they stay unfilled"
        notices.append(Notice(kind="missing_ranks", text=text))
    return notices


def _column_notices(rows: list[Row], base: int) -> list[Notice]:
    """What is odd about a rank column that is not used."""
    ranks = [row.rank for row in rows if row.rank is not None]
    notices = []
    if ranks and base == 0:
        notices.append(Notice(kind="rank_base", text="ranks start at 0 in the file"))
    repeated = [rank for rank, count in Counter(ranks).items() if count > 1]
    if repeated:
        text = f"ranks that stand more than once in the file: {spans(repeated)}"
        notices.append(Notice(kind="repeated_ranks", text=text))
    if gaps := _gaps(ranks, base):
        text = f"ranks missing in the file: {span_text(gaps)}"
        notices.append(Notice(kind="missing_ranks", text=text))
    return notices


def _score_notices(rows: list[Row], scores: dict[int, float], by_score: list[Row]) -> list[Notice]:
    """Ties, a rank column that disagrees with the scores, and scores equal in 32 bits only."""
    notices = []
    shared = Counter(scores.values())
    tied = [place for place, row in enumerate(by_score, 1) if shared[scores[row.line]] > 1]
    if tied:
        text = f"hits that share their score with another: {len(tied)}, by score at {spans(tied)}"
        notices.append(Notice(kind="ties", text=text))
    ranks = {row.rank for row in rows}
    if None not in ranks and len(ranks) == len(rows):
        by_rank = sorted(rows, key=_rank)
        moved = [
            row.rank or 0 for row, other in zip(by_rank, by_score, strict=True) if row is not other
        ]
        if moved:
            text = f"the rank column and the scores give another document at {len(moved)} of "
            text += f"{len(rows)} ranks: {spans(moved)}"
            notices.append(Notice(kind="rank_against_score", text=text))
    single = _trec_order(rows, {line: _single(value) for line, value in scores.items()})
    other = [
        place
        for place, (row, older) in enumerate(zip(by_score, single, strict=True), 1)
        if row is not older
    ]
    if other:
        text = "scores that differ beyond 32 bits: trec_eval before version 10 and pytrec_eval "
        text += f"put another document at {spans(other)} by score"
        notices.append(Notice(kind="score_precision", text=text))
    return notices


def _duplicates(
    ranked: list[tuple[int, Row]], where: str, duplicates: Duplicates, faults: Faults
) -> list[Notice]:
    places: dict[str, list[tuple[int, int]]] = {}
    for rank, row in ranked:
        places.setdefault(row.record_id, []).append((rank, row.line))
    repeated = {text: found for text, found in places.items() if len(found) > 1}
    if duplicates == "refuse":
        for text, found in repeated.items():
            first, *later = sorted(line for _, line in found)
            for line in later:
                faults.add(line, f"{text!r} stands in {where} on line {first} already")
        return []
    if not repeated:
        return []
    parts = [
        f"{text!r} at ranks {', '.join(str(rank) for rank, _ in found)}"
        for text, found in list(repeated.items())[:_SHOWN]
    ]
    more = f" and {len(repeated) - _SHOWN} more" if len(repeated) > _SHOWN else ""
    text = f"documents that stand more than once, all kept: {'; '.join(parts)}{more}"
    return [Notice(kind="duplicate_documents", text=text)]
