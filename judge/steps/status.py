"""Where a study stands: counts, gaps, and the next command. Shows nobody's labels."""

from __future__ import annotations

from collections import Counter

from judge.decode import read_toml
from judge.errors import JudgeError
from judge.files import read_bytes
from judge.judgements.collect import handed_in, waiting_for
from judge.judgements.pool import pool
from judge.records.base import Record
from judge.records.judgement import AgreementFreeze
from judge.records.run import LIST_OUTCOMES, PooledRecord
from judge.records.statement import Statement
from judge.steps.context import Context, Work
from judge.steps.judging import live_deals
from judge.steps.planning import read_draft
from judge.steps.reviewing import next_review, review_lines
from judge.store.published import publish_changes
from judge.study import Stage, Study, anchor


class Status(Record, frozen=True, kw_only=True):
    """A study at a glance; `judge status --json` prints this record."""

    study: str
    title: str
    stage: Stage
    lines: tuple[tuple[str, str], ...]
    """What and how much, in the order of the stages."""
    gaps: tuple[str, ...]
    next: str
    """The command that goes on; empty where nothing is left to do."""
    anchor: str
    """One line to mail or paste outside; empty before the first event."""


def status_of(context: Context) -> Status:
    """The status of a study in whatever stage it is."""
    study = context.study
    if not study.was_frozen(context.clock):
        return _planned(study)
    with context.frozen() as work:
        return _frozen(study, work)


def _planned(study: Study) -> Status:
    draft = read_draft(study)
    ready = not draft.problems
    return Status(
        study=str(study.root),
        title=draft.protocol.title if draft.protocol else "",
        stage="planned",
        lines=(
            ("protocol", "ready to freeze" if ready else f"{len(draft.problems)} problems"),
            *((f"{which} queries", str(len(found))) for which, found in draft.queries.items()),
        ),
        gaps=tuple(str(one) for one in draft.problems[:5]),
        next="judge freeze" if ready else "judge lint",
        anchor="",
    )


def _frozen(study: Study, work: Work) -> Status:
    protocol = work.protocol
    asked = [(system.code, query.id) for system in protocol.systems for query in work.evaluation]
    runs = [work.current[pair] for pair in asked if pair in work.current]
    planned, answers = len(asked), len(runs)
    excused = {pair: work.excused[pair] for pair in asked if pair in work.excused}
    outcomes = Counter(str(run.outcome) for run in runs)
    no_list = sum(count for name, count in outcomes.items() if name not in LIST_OUTCOMES)
    waiting = waiting_for(work.pool, work.deals, work.label_events, work.imported, work.protocol)
    agreed = work.ledger.count(AgreementFreeze)
    open_labels = not waiting and bool(agreed or work.imported)
    states: Counter[str] = Counter()
    if open_labels:
        states.update(item.state for item in work.items)
    events = work.ledger.events()
    reported = [event for event in events if event.kind == "reported"]
    lines = [
        ("frozen", f"{work.freeze_id[:12]}…, {len(work.amendments)} amendments"),
        ("evaluation queries", f"{len(work.evaluation)} at {len(protocol.systems)} systems"),
        ("answers", _answers(answers, planned, no_list, len(excused))),
        ("pool", f"{_items(len(work.pool))} to depth {protocol.depth.pool}"),
        *((f"assessor {code}", _person(work, code)) for code in protocol.people.assessors),
    ]
    if work.checks:
        signs = [{said.retraction for said in check.says} for check in work.checks.values()]
        retracted = sum("yes" in one for one in signs)
        lines.append(("at their sources", f"{len(signs)} records checked, {retracted} retracted"))
    if open_labels:
        lines.append(("agreement", f"first labels frozen ({agreed})" if agreed else "imported"))
        settled = sum(1 for item in work.items if item.final is not None)
        lines.append(("final labels", f"{settled} of {len(work.items)}"))
    if reviewing := review_lines(work):
        lines.append(("failure review", "; ".join(reviewing)))
    if questions := [one for one in live_deals(work) if one.kind == "guess"]:
        back = {one.packet_id for one in questions if handed_in(one, work.label_events)}
        told = (
            f"{one.assessor} {'answered' if one.packet_id in back else 'out'}" for one in questions
        )
        lines.append(("which system?", ", ".join(told)))
    lines.append(("reports", ", ".join(event.subject for event in reported[-3:]) or "none"))
    unasked = answers + len(excused) < planned
    stage = _stage(work, unasked, waiting, states, bool(reported), open_labels)
    gaps = [
        f"{query} was not run at {system}: {reason}" for (system, query), reason in excused.items()
    ]
    gaps += [f"{_items(count)} {_WORDS[n]}" for n, count in states.items() if n in _WORDS]
    unpooled = 0 if unasked or not work.pool else len(_unpooled(work))
    if unpooled:
        gaps.append(f"{_items(unpooled)} to depth {protocol.depth.pool} not in the pool yet")
    gaps += [
        f"{path.name} is not here; where it is lost: "
        f"judge packet make {deal.assessor} --replace --reason '…'"
        for deal in live_deals(work)
        if not (path := study.packet(deal.assessor, deal.kind)).is_file()
        and not any(event.packet_id == deal.packet_id for event in work.label_events)
    ]
    unanswered = _unanswered(study, work)
    if stage in ("closed", "scored") and unanswered:
        gaps.append(f"reports/statement.toml does not answer {', '.join(unanswered)}")
    return Status(
        study=str(study.root),
        title=protocol.title,
        stage=stage,
        lines=tuple(lines),
        gaps=tuple(gaps),
        next="judge pool" if unpooled else _next(study, work, stage, waiting, states),
        anchor=anchor(events),
    )


_WORDS = {
    "disagree": "in dispute",
    "split_access": "judged by one and not judgeable for the other",
    "both_cannot_judge": "that nobody could judge",
    "below_evidence": "judged on less than the rubric asks for",
    "unjudged": "without a label",
    "one_label": "with one label",
}


def _answers(answers: int, planned: int, no_list: int, excused: int) -> str:
    left_out = f", {excused} left out with a reason" if excused else ""
    return f"{answers} of {planned}, {no_list} gave no list{left_out}"


def _items(count: int) -> str:
    return f"{count} {'item' if count == 1 else 'items'}"


def _unpooled(work: Work) -> tuple[PooledRecord, ...]:
    """What a re-read or an amended depth brought within the pool's depth since it was made."""
    known = frozenset((record.query_id, record.record_id) for record in work.pool)
    return pool(work.evaluation, work.current, work.protocol.depth.pool, known, work.merged)


def _person(work: Work, code: str) -> str:
    pooled = {(record.query_id, record.record_id) for record in work.pool}
    given = {(one.query_id, one.record_id) for one in work.imported if one.assessor == code}
    if given:
        if pooled <= given:
            return "labels imported"
        return f"labels of {len(given & pooled)} of {_items(len(pooled))} imported"
    own = [deal for deal in live_deals(work) if deal.assessor == code and deal.kind == "label"]
    if not own:
        return "no packet yet"
    dealt = sum(len(deal.items) for deal in own)
    back = all(handed_in(deal, work.label_events) for deal in own)
    return f"{_items(dealt)} dealt, {'handed in' if back else 'out'}"


def _stage(
    work: Work,
    unasked: bool,
    waiting: tuple[str, ...],
    states: Counter[str],
    reported: bool,
    open_labels: bool,
) -> Stage:
    if unasked:
        return "frozen"
    if not work.pool or not (work.deals or work.imported):
        return "captured"
    if waiting or not open_labels:
        return "judging"
    if states["disagree"]:
        return "adjudicating"
    return "scored" if reported else "closed"


def _next(
    study: Study, work: Work, stage: Stage, waiting: tuple[str, ...], states: Counter[str]
) -> str:
    if stage == "frozen":
        return "judge capture"
    if not work.pool:
        return "judge pool"
    if waiting:
        code = waiting[0]
        if any(label.assessor == code for label in work.imported):
            return f"judge import-labels FILE, with the rest of the labels of {code}"
        own = [deal for deal in live_deals(work) if deal.assessor == code and deal.kind == "label"]
        covered = {(item.query_id, item.record_id) for deal in own for item in deal.items}
        if len(covered) < len(work.pool):
            return f"judge packet make {code}"
        return f"judge label {code}, then judge collect {code}"
    if stage == "judging":  # all are in, and the step that freezes their labels was cut short
        return f"judge collect {work.protocol.people.assessors[-1]}"
    if states["disagree"]:
        return f"judge adjudicate, then judge collect {work.protocol.people.adjudicator}"
    if stage in ("closed", "scored") and (review := next_review(work)):
        return review
    if stage == "closed":
        return "judge report"
    kinds = [event.kind for event in reversed(work.ledger.events())]
    if "collected" in kinds and kinds.index("collected") < kinds.index("reported"):
        return "judge report"  # a packet came back since the newest one
    return "judge publish" if publish_changes(work.ledger, study.root) else "judge verify"


def _unanswered(study: Study, work: Work) -> list[str]:
    """Failures and criteria without an answer; a criterion with a threshold needs none."""
    protocol = work.protocol
    failures = [failure.code for failure in protocol.unacceptable_failures]
    criteria = [one.code for one in protocol.criteria if one.threshold is None]
    codes = [*failures, *criteria]
    if not study.statement.is_file():
        return codes
    try:
        statement = read_toml(read_bytes(study.statement), "statement.toml", Statement)
    except JudgeError:
        return codes
    answered = {answer.code for answer in statement.answers}
    judged = {answer.code for answer in statement.criteria}
    return [
        *(code for code in failures if code not in answered),
        *(code for code in criteria if code not in judged),
    ]
