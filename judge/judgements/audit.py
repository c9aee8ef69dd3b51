"""The leak audit: can anything an assessor sees tell which system found an item?

Two halves. `marks` looks for what may never be in a packet: a name, a foreign link, an id that a
record's number gives, an item twice, the submitted text (L1, L3, L4, L8, L12). `leak_audit` fits
what no list foresees: for each visible feature alone the best guess of the system, on the items
that exactly one system found.

Labels are permuted within needs: an assessor sees the need, so what the need alone tells (one
system answered it, the other refused) is not told by the feature. Under exchangeable labels the
observed best is above the 99.9th percentile of 1,000 permutations in at most 2 of 1,001 packets.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from judge.judgements.pool import only_system
from judge.judgements.visible import Feature, Shown, features
from judge.judgements.wording import one_neutral
from judge.records.audit import FeatureLine, LeakAudit, Told
from judge.records.base import NOT_APPLICABLE
from judge.records.judgement import Packet
from judge.records.protocol import Protocol
from judge.records.query import Query
from judge.records.run import PooledRecord, RunRecord
from judge.runs.identity import canonical_link
from judge.text import fold

PERMUTATIONS = 1000
LEAST = 30
"""Items found by one system alone; with fewer, nothing is refused by statistics."""
_FOLDS = 5
_MOST_VALUES = 16
"""Rarer values of a feature count as one: they would be too few to learn from."""
_AT_ONCE = 250
"""Permutations computed together: bounds the memory, changes no number."""
_ROUNDING = 1e-9
"""More than sums of shares lose; less than one item changes."""
_Ints = npt.NDArray[np.signedinteger[Any]]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Known:
    """What would unblind if a packet held it."""

    names: tuple[str, ...]
    """System codes and mode words of three letters or more: a shorter one stands in any text."""
    hosts: tuple[str, ...]
    run_ids: tuple[str, ...]
    submitted: Mapping[str, tuple[str, ...]]
    """By query: every text sent to a service."""
    needs: Mapping[str, str]
    links: Mapping[str, str] = field(default_factory=dict)
    """By record: where it can be read that somebody found, shown in place of the canonical link."""


def known_of(
    protocol: Protocol,
    queries: Sequence[Query],
    runs: Sequence[RunRecord],
    links: Mapping[str, str] | None = None,
) -> Known:
    """The names of a study's systems, endpoints and runs, and what was sent for each need."""
    hosts = {urlsplit(system.endpoint).hostname for system in protocol.systems}
    sent = {
        query.id: {query.text, *(one.text for one in query.translations.values())}
        for query in queries
    }
    for run in runs:
        sent.setdefault(run.query_id, set()).add(run.query)
    words = {name for system in protocol.systems for name in (system.code, system.mode)}
    return Known(
        names=tuple(sorted(word for word in words if len(word) > 2)),
        hosts=tuple(sorted(host for host in hosts if host)),
        run_ids=tuple(sorted({run.run_id for run in runs})),
        submitted={query: tuple(sorted(texts)) for query, texts in sent.items()},
        needs={query.id: query.need for query in queries},
        links=links or {},
    )


# --- what may never be in a packet --------------------------------------------------------------


def marks(packet: Packet, items: Sequence[Shown], known: Known) -> tuple[str, ...]:
    """Each kind of mark that is in the packet, with the first place it was found.

    Titles, journals and abstracts are the record's own words, the rubric and its reasons the
    team's, the same for every item: a mode word may stand there by right.
    """
    found: dict[str, str] = {}
    names = _any_token((*known.names, *known.hosts, *known.run_ids))
    traces = _any_token((*known.hosts, *known.run_ids))
    for where, text in (
        ("study title", packet.study_title),
        ("packet id", packet.packet_id),
        ("rubric version", packet.rubric_version),
    ):
        if name := names.search(text):
            found.setdefault(f"head {where}", f"the {where} names {name[0]!r}")
    for reason in packet.reasons:
        if name := traces.search(reason.text):
            found.setdefault("reason", f"reason {reason.code} names {name[0]!r}")
    if name := traces.search(packet.rubric):
        found.setdefault("rubric", f"the rubric names {name[0]!r}")
    for item in items:
        for kind, said in _item_marks(item, known, names):
            found.setdefault(kind, f"item {item.position}: {said}")
    pairs = Counter(
        (item.pooled.query_id, item.pooled.record_id) for item in items if not item.repeat
    )
    twice = sum(count > 1 for count in pairs.values())
    if twice:
        found["twice"] = f"{twice} records stand twice under one need"
    if len({item.item_id for item in items}) < len(items):
        found["ids"] = "two items have one id"
    return tuple(found.values())


def _item_marks(item: Shown, known: Known, names: re.Pattern[str]) -> list[tuple[str, str]]:
    view, record = item.view, item.pooled.record_id
    found = []
    link = canonical_link(record)
    if view.link not in (link, known.links.get(record, link)):
        found.append(("link", "field 'link' is not the canonical link of its record"))
    for part, text in (("id", item.item_id), ("year", view.year), ("type", view.type)):
        if text and (name := names.search(text)):
            found.append((part, f"field {part!r} names {name[0]!r}"))
    if item.item_id in _derived(record):
        found.append(("derived", "its id follows from the record's own number"))
    query = item.pooled.query_id
    shown, need = fold(view.need), fold(known.needs.get(query, ""))
    for text in known.submitted.get(query, ()):
        sent = fold(text)
        if sent and sent in shown and sent not in need:
            found.append(("submitted", "field 'need' holds the submitted text"))
    return found


def _any_token(words: Sequence[str]) -> re.Pattern[str]:
    """Any of ``words`` between characters that are no letter or digit; nothing without words."""
    inner = "|".join(re.escape(word) for word in sorted(set(words), key=len, reverse=True))
    return re.compile(rf"(?<![^\W_])(?:{inner})(?![^\W_])" if inner else r"(?!)", re.IGNORECASE)


def _derived(record: str) -> set[str]:
    """What somebody who has the record's number would try as its id (L3)."""
    kind, _, value = record.partition(":")
    plain = {record, value, f"{kind}{value}"}
    digests = {
        hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()[:16]
        for name in ("sha256", "sha1", "md5")
        for text in plain
    }
    return plain | digests


# --- what a guess can learn ---------------------------------------------------------------------


def leak_audit(packet: Packet, items: Sequence[Shown]) -> LeakAudit:
    """The table of one packet. The same packet gives the same table, on every machine.

    Hidden repeats are left out: they stand at the end whoever found them. Whether an item comes
    again is a feature of its first time.
    """
    dealt, items = len(items), [item for item in items if not item.repeat]
    columns = features(items)
    seed = int.from_bytes(hashlib.sha256(packet.packet_id.encode()).digest()[:8], "big")
    single = [index for index, item in enumerate(items) if item.system is not None]
    systems = [str(items[index].system) for index in single]
    needs = [items[index].pooled.query_id for index in single]
    exchangeable = _exchangeable(systems, needs)
    power = len(single) >= LEAST and exchangeable > 0
    lines = [
        *_lines("system", [_of(column, single) for column in columns], systems, needs, seed, power),
        *_rank_lines(items, [one for one in columns if one.kind == "deal"], seed),
    ]
    return LeakAudit(
        packet_id=packet.packet_id,
        assessor=packet.assessor,
        kind=packet.kind,
        items=dealt,
        single=len(single),
        exchangeable=exchangeable,
        permutations=PERMUTATIONS if power else 0,
        lines=tuple(lines),
        said=f"{_said(len(single), exchangeable, power)} {_lengths(items)}",
    )


def _said(single: int, exchangeable: int, power: bool) -> str:
    if power:
        return (
            f"On {single} items that one system alone found; with so many, only a difference "
            "above the threshold can be told from chance. Meaning cannot be seen by it."
        )
    why = f"{single} items were found by one system only, fewer than {LEAST}"
    if single >= LEAST:
        why = "no need holds items of two systems that one system alone found"
    return f"The audit has no power: {why}. Nothing was refused by it, and nothing is shown by it."


def _lengths(items: Sequence[Shown]) -> str:
    sources = sorted({item.source or "not known" for item in items})
    if one_neutral(item.source for item in items):
        return f"Every text is from one source ({sources[0]}), so its length is content: residual."
    return f"Sources of the texts: {'; '.join(sources)}. A length that tells the system is refused."


def has_power(pooled: Sequence[PooledRecord]) -> bool:
    """Whether an audit of a packet with all of ``pooled`` can refuse by statistics."""
    single = [(one.query_id, system) for one in pooled if (system := only_system(one))]
    needs, systems = [need for need, _ in single], [system for _, system in single]
    return len(single) >= LEAST and _exchangeable(systems, needs) > 0


def _exchangeable(systems: Sequence[str], needs: Sequence[str]) -> int:
    of_need: dict[str, set[str]] = {}
    for need, system in zip(needs, systems, strict=True):
        of_need.setdefault(need, set()).add(system)
    return sum(len(of_need[need]) > 1 for need in needs)


def _of(column: Feature, indices: Sequence[int]) -> Feature:
    return Feature(column.name, column.kind, tuple(column.values[index] for index in indices))


def _rank_lines(items: Sequence[Shown], columns: Sequence[Feature], seed: int) -> list[FeatureLine]:
    """Whether position or id tells the upper half of a need by best rank (L2); all items."""
    best = [min(found.rank for found in item.pooled.found_by) for item in items]
    needs = [item.pooled.query_id for item in items]
    ranks: dict[str, list[int]] = {}
    for need, rank in zip(needs, best, strict=True):
        ranks.setdefault(need, []).append(rank)
    middle = {need: sorted(of)[len(of) // 2] for need, of in ranks.items()}
    halves = [
        "upper" if rank < middle[need] else "lower" for need, rank in zip(needs, best, strict=True)
    ]
    return _lines("best_rank", columns, halves, needs, seed, len(items) >= LEAST)


def _lines(
    tells: Told,
    columns: Sequence[Feature],
    labels: Sequence[str],
    needs: Sequence[str],
    seed: int,
    power: bool,
) -> list[FeatureLine]:
    """A line for each feature; the threshold is that of the best one that can refuse."""
    names = sorted(set(labels))
    if len(names) < 2:  # nothing to guess
        return [_line(tells, column, NOT_APPLICABLE) for column in columns]
    source = np.random.default_rng(seed)
    truth = np.searchsorted(np.array(names), np.array(labels)).astype(np.int16)
    folds = source.permutation(len(labels)) % _FOLDS
    threshold = np.inf
    if power:
        tested = [_codes(column.values) for column in columns if column.kind != "residual"]
        drawn = _permuted(truth, needs, source)
        best = _accuracy(tested, folds, drawn, len(names)).max(axis=0)
        threshold = float(np.sort(best)[-(-PERMUTATIONS * 999 // 1000) - 1])
    codes = [_codes(column.values) for column in columns]
    lines = []
    for column, (reached,) in zip(
        columns, _accuracy(codes, folds, truth[None, :], len(names)), strict=True
    ):
        told = f"{reached:.3f}"
        if power and column.kind != "residual":
            flagged = bool(reached > threshold + _ROUNDING)
            lines.append(_line(tells, column, told, f"{threshold:.3f}", flagged))
        else:
            lines.append(_line(tells, column, told))
    return lines


def _line(
    tells: Told,
    column: Feature,
    accuracy: str,
    threshold: str = NOT_APPLICABLE,
    flagged: bool = False,
) -> FeatureLine:
    return FeatureLine(
        name=column.name,
        kind=column.kind,
        tells=tells,
        values=len(set(column.values)),
        accuracy=accuracy,
        threshold=threshold,
        flagged=flagged,
    )


def _permuted(truth: _Ints, needs: Sequence[str], source: np.random.Generator) -> _Ints:
    """``truth`` with its labels exchanged within needs, once in each row."""
    drawn = np.tile(truth, (PERMUTATIONS, 1))
    rows: dict[str, list[int]] = {}
    for index, need in enumerate(needs):
        rows.setdefault(need, []).append(index)
    for indices in rows.values():
        if len(set(truth[indices].tolist())) > 1:
            drawn[:, indices] = source.permuted(drawn[:, indices], axis=1)
    return drawn


def _codes(values: Sequence[str]) -> _Ints:
    """Values as numbers, the most frequent first; the rare ones share the last."""
    counts = Counter(values)
    order = sorted(counts, key=lambda value: (-counts[value], value))
    number = {value: min(place, _MOST_VALUES - 1) for place, value in enumerate(order)}
    return np.array([number[value] for value in values], dtype=np.intp)


def _accuracy(codes: Sequence[_Ints], folds: _Ints, labels: _Ints, systems: int) -> _Floats:
    """Balanced accuracy of guessing each row of ``labels`` from each of ``codes``, five-fold.

    The guess for a value is the system with the largest share of its own training items there,
    one item added to each value (Laplace), so that few items claim little; a tie is shared
    equally, so that no system's name decides. Returns an array of codes by rows.
    """
    ends = np.cumsum([int(one.max()) + 1 for one in codes])
    members = [np.flatnonzero(folds == fold) for fold in range(_FOLDS)]
    cells = [_cells(codes, ends, indices) for indices in members]
    parts = []
    for start in range(0, len(labels), _AT_ONCE):
        some = labels[start : start + _AT_ONCE].T
        # system, fold, value (of all features), permutation; whole numbers below 2**24 are exact
        counts = np.array(
            [
                [
                    one @ (some[indices] == system).astype(np.float32)
                    for one, indices in zip(cells, members, strict=True)
                ]
                for system in range(systems)
            ],
            dtype=np.float64,
        )
        parts.append([_balanced(one) for one in np.split(counts, ends[:-1], axis=2)])
    return np.concatenate(parts, axis=1)


def _cells(codes: Sequence[_Ints], ends: _Ints, indices: _Ints) -> npt.NDArray[np.float32]:
    """Which value each item of a fold has: a row for each value of each feature."""
    cells = np.zeros((int(ends[-1]), len(indices)), dtype=np.float32)
    for one, end in zip(codes, ends, strict=True):
        cells[end - int(one.max()) - 1 + one[indices], np.arange(len(indices))] = 1
    return cells


def _balanced(counts: _Floats) -> _Floats:
    """Accuracy for one feature's counts, by system, fold, value and permutation."""
    training = counts.sum(axis=1, keepdims=True) - counts
    shares = (training + 1) / (training.sum(axis=2, keepdims=True) + counts.shape[2])
    best = shares == shares.max(axis=0, keepdims=True)
    credit = best / best.sum(axis=0, keepdims=True)
    sizes = counts.sum(axis=(1, 2))
    right: _Floats = ((counts * credit).sum(axis=(1, 2)) / sizes).mean(axis=0)
    return right


# --- what follows from it -----------------------------------------------------------------------


def deals_again(table: LeakAudit) -> bool:
    """Whether another draw of the order and the ids may help."""
    return any(line.flagged for line in table.lines if line.kind == "deal") and not any(
        line.flagged for line in table.lines if line.kind == "form"
    )


def leaks(table: LeakAudit, found: Sequence[str]) -> tuple[str, ...]:
    """Why a packet is refused, a sentence for each leak; empty for one that may be dealt."""
    told = {"system": "the system", "best_rank": "the rank"}
    return (
        *found,
        *(
            f"field {line.name!r} tells {told[line.tells]} "
            f"(balanced accuracy {line.accuracy}, threshold {line.threshold})"
            for line in table.lines
            if line.flagged
        ),
    )
