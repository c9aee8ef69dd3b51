"""Where a study stands: counts, gaps, and the next command. Shows nobody's labels."""

from __future__ import annotations

from collections import Counter

from judge.decode import read_toml
from judge.errors import JudgeError
from judge.files import read_bytes
from judge.judgements.collect import handed_in
from judge.judgements.life import to_find, to_settle
from judge.judgements.pool import pool
from judge.records.base import Record
from judge.records.judgement import SETTLING, AgreementFreeze
from judge.records.run import LIST_OUTCOMES, PooledRecord
from judge.records.statement import Statement
from judge.steps.context import Context, Work
from judge.steps.judging import dealt_to, settling_seat
from judge.steps.openness import live_deals, openness_of
from judge.steps.planning import read_draft
from judge.steps.reviewing import next_review, review_lines
from judge.store.published import publish_changes
from judge.study import Stage, Study, anchor

_SHOWN = 5  # problems of a plan: a status is read at a glance


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
    count = len(draft.problems)
    gaps = [str(one) for one in draft.problems[:_SHOWN]]
    if count > _SHOWN:
        gaps.append(f"and {count - _SHOWN} more; judge lint lists all")
    return Status(
        study=str(study.root),
        title=draft.protocol.title if draft.protocol else "",
        stage="planned",
        lines=(
            ("protocol", "ready to freeze" if ready else f"{count} problem{'s' * (count != 1)}"),
            *((f"{which} queries", str(len(found))) for which, found in draft.queries.items()),
        ),
        gaps=tuple(gaps),
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
    found = openness_of(work)
    waiting, open_labels = found.waiting, found.all_in
    agreed = work.ledger.count(AgreementFreeze)
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
    stage = _stage(work, unasked, waiting, bool(reported), open_labels)
    gaps = [
        f"{query} was not run at {system}: {reason}" for (system, query), reason in excused.items()
    ]
    gaps += [f"{_items(count)} {_WORDS[n]}" for n, count in states.items() if n in _WORDS]
    locked = any(deal.kind == "failures" for deal in work.deals)
    if open_labels and not locked:
        gaps += _ways_on(work)
    unpooled = 0 if unasked or not work.pool else len(_unpooled(work))
    if unpooled:
        gaps.append(f"{_items(unpooled)} to depth {protocol.depth.pool} not in the pool yet")
    gaps += [
        f"{path.name} is not here; where it is lost: "
        f"judge packet make {deal.assessor} --replace --reason '…'"
        for deal in live_deals(work)
        if not (path := study.packet(deal.assessor, deal.kind)).is_file()
        and not handed_in(deal, work.label_events)
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
        next="judge pool" if unpooled and not locked else _next(study, work, stage, waiting),
        anchor=anchor(events),
    )


_TOLD = frozenset(
    ("collected", "retracted", "access", "amended", "checked", "imported_labels", "imported_texts")
)
"""Kinds of event that make a report say something else."""

_WORDS = {
    "disagree": "in dispute",
    "adjudication_stale": "whose decision rests on labels that stand no longer",
    "excluded": "excluded",
    "split_access": "judged by one and not judgeable for the other",
    "both_cannot_judge": "that nobody could judge",
    "below_evidence": "judged on less than the rubric asks for",
    "unjudged": "without a label",
    "one_label": "with one label",
}


def _ways_on(work: Work) -> list[str]:
    """What can be labelled again, found, or settled, each with its command."""
    said = []
    for code in work.protocol.people.assessors:
        if again := _to_label_again(work, code):
            said.append(f"{_items(again)} to label (again): judge packet make {code}")
    if missing := len({item.record_id for item in work.items if to_find(item)}):
        records = "record" if missing == 1 else "records"
        said.append(f"{missing} {records} that somebody could not judge: judge access")
    return said


def _to_label_again(work: Work, code: str) -> int:
    """How many items somebody who labels here can be dealt (again)."""
    if not any(one.assessor == code and one.kind == "label" for one in work.deals):
        return 0
    return len({(one.query_id, one.record_id) for one in work.pool} - dealt_to(work, code))


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
    reported: bool,
    open_labels: bool,
) -> Stage:
    if unasked:
        return "frozen"
    if not work.pool or not (work.deals or work.imported):
        return "captured"
    if waiting or not open_labels:
        return "judging"
    settling = [one for one in live_deals(work) if one.kind in SETTLING]
    # A packet that was opened again is out, though its old decisions still stand.
    out = [one for one in settling if not handed_in(one, work.label_events)]
    if out or any(map(to_settle, work.items)):
        return "adjudicating"
    return "scored" if reported else "closed"


def _next(study: Study, work: Work, stage: Stage, waiting: tuple[str, ...]) -> str:
    if stage == "frozen":
        return "judge capture"
    if not work.pool:
        return "judge pool"
    if waiting:
        elsewhere = {label.assessor for label in work.imported}
        pooled = {(one.query_id, one.record_id) for one in work.pool}
        # Every packet before the first label: people label at the same time.
        for code in waiting:
            if code not in elsewhere and pooled - dealt_to(work, code):
                return f"judge packet make {code}"
        code = waiting[0]
        if code in elsewhere:
            return f"judge import-labels FILE, with the rest of the labels of {code}"
        return f"judge label {code}, then judge collect {code}"
    if stage == "judging":  # all are in, and the step that freezes their labels was cut short
        return f"judge collect {work.protocol.people.assessors[-1]}"
    if not any(deal.kind == "failures" for deal in work.deals):
        for code in work.protocol.people.assessors:
            if _to_label_again(work, code):
                return f"judge packet make {code}"
    if stage == "adjudicating":
        return f"judge adjudicate, then judge collect {settling_seat(work.protocol)[0]}"
    if stage in ("closed", "scored") and (review := next_review(work)):
        return review
    if stage == "closed":
        return "judge report"
    kinds = [event.kind for event in work.ledger.events()]
    since = len(kinds) - kinds[::-1].index("reported")
    if not _TOLD.isdisjoint(kinds[since:]):
        return "judge report"  # the newest one does not know of it
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
