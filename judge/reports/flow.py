"""Queries → requests → hits → pooled → judged → adjudicated, in numbers that add up (R65, R66).

Each step is counted from its own evidence (queries, runs, lists, pool, labels), and so is each of
its parts; a sum that fails means that two pieces of evidence contradict each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from judge.errors import Integrity
from judge.records.flow import Flow, FlowPart, FlowStep
from judge.records.judgement import JUDGEMENTS, ItemState, JudgedItem
from judge.records.report import Status
from judge.records.run import OUTCOMES, RunRecord
from judge.reports.material import Material
from judge.reports.standing import ranked_list, scored_runs
from judge.reports.status import LABELS_CLOSED, PLAN_ONLY

NOTE = (
    "Every step is the sum of its parts, and what goes on is the next step; a request is one query "
    "at one system, counted once whatever the number of attempts."
)
_AGREE = ("first labels agree", True)
_DISAGREE = ("first labels disagree", True)
_SENT = ("could not be judged by everybody, and went to be settled", True)
_NOT_SETTLED: dict[ItemState, tuple[str, bool]] = {
    "split_access": ("one assessor could not judge", False),
    "both_cannot_judge": ("no assessor could judge", False),
    "below_evidence": ("judged on less than the evidence asked for", False),
    "one_label": ("not labelled by every assessor", False),
    "unjudged": ("without a label", False),
    "imported_final": ("final label made elsewhere", False),
    "excluded": ("excluded, with a reason", False),
}


def flow(material: Material, status: Status) -> Flow:
    """The flow of the scored round; no step of labels while they are closed (R51).

    Raises `Integrity`, with every sum that fails, where the numbers do not add up.
    """
    if status == "planned":
        return Flow(absent_reason=PLAN_ONLY, note="", steps=())
    runs = scored_runs(material)
    steps = [_queries(material), _requests(material, runs), _replies(runs)]
    steps += _hits(material, runs)
    note = NOTE
    if not material.closed:
        steps += _labels(material)
    else:
        note = f"{NOTE} {LABELS_CLOSED}"
    refuse_unless_whole(steps, [*_item_problems(material), *_pool_problems(material, runs)])
    return Flow(absent_reason="", note=note, steps=tuple(steps))


def refuse_unless_whole(steps: Sequence[FlowStep], problems: Sequence[str] = ()) -> None:
    """Raises `Integrity` where a step is not the sum of its parts, or ``problems`` were found."""
    found = list(problems)
    for step in steps:
        if sum(part.count for part in step.parts) != step.total:
            sums = " + ".join(f"{part.count} {part.name}" for part in step.parts)
            found.append(f"{step.name}: {step.total} is not {sums or 'the sum of no parts'}")
    for before, after in pairwise(steps):
        onward = sum(part.count for part in before.parts if part.goes_on)
        if after.code in _ONE_TO_ONE and onward != after.total:
            found.append(
                f"{before.name} hands on {onward}, but {after.name[0].lower()}{after.name[1:]} "
                f"counts {after.total}"
            )
    if found:
        raise Integrity(
            f"The flow does not add up: {'; '.join(found)}.",
            hint="run `judge verify`; no report is written until every number is accounted for",
        )


_ONE_TO_ONE = frozenset({"replies", "hits_in_depth", "labelled", "adjudication"})
"""Steps that count the same things as the step before; the others turn to another unit."""


def _step(code: str, name: str, total: int, *parts: tuple[str, int, bool]) -> FlowStep:
    return FlowStep(
        code=code,
        name=name,
        total=total,
        parts=tuple(FlowPart(name=what, count=count, goes_on=on) for what, count, on in parts),
    )


def _queries(material: Material) -> FlowStep:
    kinds = Counter(query.expected for query in material.evaluation)
    return _step(
        "queries",
        "Frozen queries",
        len(material.evaluation) + len(material.development),
        ("ordinary", kinds["ordinary"], True),
        ("no-match controls (asked, no P@k)", kinds["no_match_control"], True),
        ("documented guards (asked, no P@k)", kinds["documented_guard"], True),
        ("invalid by design (asked, no P@k)", kinds["invalid_by_design"], True),
        ("development (never scored)", len(material.development), False),
    )


def _requests(material: Material, runs: Mapping[tuple[str, str], RunRecord]) -> FlowStep:
    systems = [system.code for system in material.frozen.protocol.systems]
    pairs = [(query.id, code) for query in material.evaluation for code in systems]
    open_pairs = [pair for pair in pairs if pair not in runs]
    excused = sum(pair in material.excused for pair in open_pairs)
    return _step(
        "requests",
        f"Requests: evaluation queries at {len(systems)} systems",
        len(pairs),
        ("made", len(runs), True),
        ("not made, with a written reason", excused, False),
        ("not made yet", len(open_pairs) - excused, False),
    )


def _replies(runs: Mapping[tuple[str, str], RunRecord]) -> FlowStep:
    lists = [run for run in runs.values() if run.gave_list()]
    filled = sum(bool(run.raw_results) for run in lists)
    none = Counter(run.outcome for run in runs.values() if not run.gave_list())
    return _step(
        "replies",
        "Requests made",
        len(runs),
        ("gave a list with hits", filled, True),
        ("gave a valid empty list", len(lists) - filled, False),
        *((f"no list: {name}", none[name], False) for name in OUTCOMES if none[name]),
    )


def _hits(material: Material, runs: Mapping[tuple[str, str], RunRecord]) -> list[FlowStep]:
    depth = material.frozen.protocol.depth.pool
    pooled = {(one.query_id, one.record_id) for one in material.pool}
    total = deep = 0
    within: Counter[tuple[str, str]] = Counter()
    for (query_id, _), run in runs.items():
        for rank, record in _ranked(run, material):
            total += 1
            if rank > depth:
                deep += 1
            else:
                within[query_id, record] += 1
    found = within.keys() & pooled
    own = sum(record.startswith("id:") for _, record in found)
    in_depth = sum(within.values())
    return [
        _step(
            "hits",
            "Hits in these lists",
            total,
            (f"at ranks 1 to {depth}", total - deep, True),
            (f"below the pool depth of {depth}", deep, False),
        ),
        _step(
            "hits_in_depth",
            "Hits within the pool depth",
            in_depth,
            ("pooled records with a public identifier", len(found) - own, True),
            ("pooled records known by the service's own id alone", own, True),
            ("the same record for the same query again: merged", in_depth - len(within), False),
            ("not pooled", len(within) - len(found), False),
        ),
        _step(
            "pool",
            "Pooled records",
            len(material.pool),
            ("found in the lists above", len(found), True),
            ("found only in lists that do not count now", len(pooled - found), True),
        ),
    ]


def _ranked(run: RunRecord, material: Material) -> Sequence[tuple[int, str]]:
    """The list of a run by record as pooled; nothing where there is none."""
    return ranked_list(run, material).ranked if run.raw_results is not None else ()


def _first(item: JudgedItem) -> tuple[str, bool]:
    """What the first labels of a record amount to, and whether they go on to be settled."""
    if item.state in _NOT_SETTLED:
        return _NOT_SETTLED[item.state]
    labels = {given.label for given in item.labels.values()}
    if "cannot_judge" in labels:
        return _SENT
    return _AGREE if len(labels) == 1 else _DISAGREE


def _labels(material: Material) -> list[FlowStep]:
    first = Counter(_first(item) for item in material.items)
    settled = [item for item in material.items if _first(item) in (_DISAGREE, _SENT)]
    final = sum(item.final in JUDGEMENTS for item in settled)
    undecided = sum(item.final is None for item in settled)
    return [
        _step(
            "labelled",
            "Pooled records by their first labels",
            len(material.items),
            *(
                (name, first[name, on], on)
                for name, on in (_AGREE, _DISAGREE, _SENT, *_NOT_SETTLED.values())
                if first[name, on] or (name, on) in (_AGREE, _DISAGREE)
            ),
        ),
        _step(
            "adjudication",
            "Records that two judged or that were settled",
            first[_AGREE] + len(settled),
            ("agreed, no decision needed", first[_AGREE], False),
            ("settled with a judgement", final, False),
            ("settled without a judgement", len(settled) - final - undecided, False),
            ("still open", undecided, False),
        ),
    ]


def _item_problems(material: Material) -> list[str]:
    """Items must be the pool, one to one."""
    pool = Counter((one.query_id, one.record_id) for one in material.pool)
    items = Counter((one.query_id, one.record_id) for one in material.items)
    told = []
    if twice := sum(count > 1 for count in pool.values()):
        told.append(f"{twice} records are pooled twice")
    if missing := (pool - items).total():
        told.append(f"{missing} pooled records are not among the judged items")
    if foreign := (items - pool).total():
        told.append(f"{foreign} judged items are not in the pool")
    return told


def _pool_problems(material: Material, runs: Mapping[tuple[str, str], RunRecord]) -> list[str]:
    """The pool map must say what the counted lists say."""
    holds = {
        (run.run_id, rank, record)
        for run in runs.values()
        for rank, record in _ranked(run, material)
    }
    counted = {run.run_id for run in runs.values()}
    wrong = [
        f"{one.record_id} of {one.query_id} at rank {place.rank} of {place.run_id}"
        for one in material.pool
        for place in one.found_by
        if place.run_id in counted and (place.run_id, place.rank, one.record_id) not in holds
    ]
    return [f"pooled from lists that do not hold them: {', '.join(wrong)}"] if wrong else []
