"""The front of a report: who, what for, and under which frozen rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from judge.clock import is_utc
from judge.errors import Invalid, Problem, Refused
from judge.files import parse_json
from judge.protocol.amend import effective
from judge.records.measured import (
    Pair,
)
from judge.records.protocol import Amendment, Frozen, Protocol
from judge.records.report import (
    AmendmentLine,
    Answer,
    Choice,
    Count,
    Head,
    Kind,
    Purpose,
    Rules,
    Status,
    StratumCount,
)
from judge.records.run import RunRecord
from judge.reports.material import Material
from judge.reports.standing import scored_runs
from judge.reports.status import any_label, banner
from judge.text import fold

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def head(material: Material, status: Status) -> Head:
    """Title, status, origin of the labels, and people (R01, R42, R54, R81).

    Raises `Refused` where the protocol does not say who ran, who judged, or which ties there are.
    """
    protocol = material.frozen.protocol
    people = protocol.people
    for what, text in (
        ("run_by", people.run_by),
        ("judged_by", people.judged_by),
        ("ties", people.ties),
    ):
        if not text.strip():
            raise Refused(
                f"people.{what} is empty: a report says who ran, who judged, and their ties (R81).",
                hint="file it with `judge amend`",
            )
    title, kind, why = _title(material, status)
    origins = label_origins(material)
    same = fold(people.run_by) == fold(people.judged_by)
    return Head(
        title=title,
        kind=kind,
        kind_reason=why,
        study=protocol.title,
        status=status,
        banner=banner(material, status),
        labels_banner=_labels_banner(origins),
        labels_by_origin=tuple(
            Count(name=name, count=origins[name])
            for name in ("blind", "scripted", "consensus", "imported")
            if origins[name]
        ),
        run_by=people.run_by,
        judged_by=people.judged_by,
        same_people="The same people ran and judged."
        if same
        else "Not declared as the same people.",
        ties=people.ties,
        assessors=people.assessors,
        adjudicator="none: the assessors discuss"
        if people.adjudication == "discussion"
        else people.adjudicator,
    )


def label_origins(material: Material) -> Counter[str]:
    """How many labels and decisions are of each origin; empty while labels are closed."""
    origins: Counter[str] = Counter()
    if not any_label(material):
        return origins
    for item in material.items:
        origins.update(label.origin for label in item.labels.values())
        if item.adjudication is not None:
            origins[item.adjudication.origin] += 1
        if item.state == "imported_final":
            origins["imported"] += 1
    return origins


def _labels_banner(origins: Counter[str]) -> str:
    said: list[str] = []
    if origins["scripted"]:
        said.append(
            "SCRIPTED LABELS – the labels were written in advance to exercise the tool: nobody "
            "judged blind, and nothing is evaluated."
        )
    if origins["imported"]:
        said.append(f"Labels made elsewhere, not blinded by this tool: {origins['imported']}.")
    if origins["consensus"]:
        said.append(f"Labels settled in discussion: {origins['consensus']}.")
    if origins["blind"]:
        said.append(f"Labels given blind in this tool's labelling app: {origins['blind']}.")
    return " ".join(said)


def last_retrieval_day(material: Material) -> str:
    """Day of the last scored retrieval as YYYY-MM-DD; `unavailable` where no run says."""
    moments = [
        run.retrieved_at_utc
        for run in scored_runs(material).values()
        if run.retrieved_at_utc is not None and is_utc(run.retrieved_at_utc)
    ]
    return max(moments)[:10] if moments else "unavailable"


def long_date(day: str) -> str:
    """``2026-11-30`` as ``30 November 2026``, whatever the locale; other text as it is."""
    parts = day.split("-")
    if len(parts) != 3:
        return day
    return f"{int(parts[2])} {_MONTHS[int(parts[1]) - 1]} {parts[0]}"


def _title(material: Material, status: Status) -> tuple[str, Kind, str]:
    if status == "planned":
        return "Plan of an evaluation", "plan", "No query has been run."
    day = last_retrieval_day(material)
    date = long_date(day) if day != "unavailable" else "date of retrieval unavailable"
    frozen, why = _index_frozen(material)
    if frozen:
        return f"Reproducible comparison, {date}", "frozen_index", why
    return f"Dated live-service evaluation, {date}", "dated_live_service", why


def _index_frozen(material: Material) -> tuple[bool, str]:
    """Whether the index is believed to have stood still, and why or why not (R42)."""
    protocol = material.frozen.protocol
    if not protocol.index_frozen:
        return False, "The protocol does not declare the index frozen."
    by_system: dict[str, list[RunRecord]] = {system.code: [] for system in protocol.systems}
    for run in scored_runs(material).values():
        by_system.setdefault(run.system, []).append(run)
    for system, runs in by_system.items():
        dated = sorted(runs, key=lambda run: (run.retrieved_at_utc or "", run.run_id))
        first = dated[0].index_digest if dated else None
        last = dated[-1].index_digest if dated else None
        if first is None or last is None:
            return False, (
                f"The protocol declares the index frozen, but {system} exposed no digest of its "
                "index at its first and last request."
            )
        if first != last:
            return False, (
                f"The protocol declares the index frozen, but the digest that {system} exposed "
                "changed between its first and last request."
            )
    return True, "Every system exposed the same index digest at its first and last request."


def purpose(material: Material, status: Status) -> Purpose:
    """Decision, users, scope, and the declared unacceptable failures with their answers.

    Raises `Invalid` for an answer to a failure that is not declared, and, once judging is closed,
    `Refused` for a declared failure without an answer, or one "seen" without its query (R09).
    """
    protocol = material.frozen.protocol
    answers = {answer.code: answer for answer in material.statement.answers}
    declared = {failure.code for failure in protocol.unacceptable_failures}
    unknown = [
        Problem("reports/statement.toml", f"answers {code!r}", "not declared in the protocol")
        for code in answers
        if code not in declared
    ]
    if unknown:
        raise Invalid("reports/statement.toml answers failures that nobody declared", unknown)
    open_ones = [
        failure.code
        for failure in protocol.unacceptable_failures
        if failure.code not in answers
        or (answers[failure.code].answer == "seen" and not answers[failure.code].queries)
    ]
    if open_ones and status == "closed":
        raise Refused(
            f"Unacceptable failures without an answer: {', '.join(open_ones)}. Each needs seen "
            "(with the queries), not_seen or not_testable_here (R09).",
            hint="answer them in reports/statement.toml, then run `judge report` again",
        )
    shown: list[Answer] = []
    for failure in protocol.unacceptable_failures:
        answer = answers.get(failure.code)
        # A plan has seen nothing, so it answers nothing (R01).
        told = answer if answer is not None and status != "planned" else None
        shown.append(
            Answer(
                code=failure.code,
                text=failure.text,
                answer="unanswered" if told is None else told.answer,
                queries=() if told is None else told.queries,
                remark="" if told is None else told.text,
            )
        )
    return Purpose(
        decision=protocol.decision,
        intended_users=protocol.intended_users,
        source_scope=protocol.source_scope,
        families=tuple(
            Pair(name=family.name or family.code, text=f"{family.task_type}: {family.need}")
            for family in protocol.families
        ),
        unacceptable=tuple(shown),
    )


def rules(material: Material, declared: Frozen) -> Rules:
    """The frozen protocol by digest, its choices, and every amendment (R25: none hidden).

    ``material`` holds the protocol as amended, ``declared`` as it was frozen.
    """
    frozen = material.frozen
    protocol = frozen.protocol
    digests = {
        "protocol/frozen.json (freeze id)": material.freeze_id,
        "protocol/rubric.md": frozen.rubric_sha256,
        **{f"queries/{name}": value for name, value in frozen.queries_sha256.items()},
        "corpus": frozen.corpus_sha256,
    }
    return Rules(
        freeze_id=material.freeze_id,
        frozen_at=material.frozen_at,
        digests=_pairs(digests),
        choices=_choices(declared, material.amendments),
        measures=protocol.measures,
        strata=tuple(
            StratumCount(
                stratum=stratum.name,
                value=value,
                queries=sum(
                    query.strata.get(stratum.name) == value for query in material.evaluation
                ),
            )
            for stratum in protocol.strata
            for value in stratum.values
        ),
        amendments=tuple(_amendment(one) for one in material.amendments),
    )


def _choices(declared: Frozen, amendments: tuple[Amendment, ...]) -> tuple[Choice, ...]:
    """Every choice as frozen, and as in force where amendments changed it."""
    steps = [
        _chosen(effective(declared, amendments[:count])) for count in range(len(amendments) + 1)
    ]
    found = []
    for name, text in steps[0].items():
        changes = tuple(
            one.number
            for one, before, after in zip(amendments, steps, steps[1:], strict=False)
            if before[name] != after[name]
        )
        in_force = steps[-1][name] if changes else ""
        found.append(Choice(name=name, text=text, in_force=in_force, amendments=changes))
    return tuple(found)


def _chosen(protocol: Protocol) -> dict[str, str]:
    choices = protocol.choices
    return {
        "cutoffs": ", ".join(map(str, protocol.depth.cutoffs)),
        "requested depth": str(protocol.depth.requested),
        "pool depth": str(protocol.depth.pool),
        "an uncertain label counts as": choices.uncertain,
        "a failed request leaves the mean of": choices.failed_request,
        "duplicates": choices.duplicates,
        "same record": ", ".join(choices.same_record) or "same_id",
        "gaps in a mean": choices.gaps,
        "scored round": protocol.scored_round,
        "rubric": f"version {protocol.rubric.version}; evidence: {protocol.rubric.evidence_level}",
    }


def _pairs(table: Mapping[str, str]) -> tuple[Pair, ...]:
    return tuple(Pair(name=name, text=text) for name, text in table.items())


def _amendment(one: Amendment) -> AmendmentLine:
    seen = {
        "nothing_run": "nothing had been run",
        "run_results_not_seen": "runs had been made, results not seen",
        "results_seen": "results had been seen",
    }[one.seen]
    consequence = ""
    if one.seen != "nothing_run" and one.target.startswith("queries"):
        consequence = (
            f"{one.target} was changed after it had been run; its result is not a held-out outcome."
        )
    elif one.rubric is not None:
        consequence = _rubric_consequence(one, seen)
    elif one.seen != "nothing_run" and one.target.startswith("protocol.rubric"):
        consequence = f"The rubric changed after runs had been made ({seen})."
    elif one.seen != "nothing_run" and one.target.startswith("protocol.depth"):
        consequence = "Depth or cutoffs changed after runs had been made: new cutoffs are post hoc."
    if one.seen == "results_seen" and "post hoc" not in consequence and one.rubric is None:
        late = f"{one.target} changed after results had been seen: what rests on it is post hoc."
        consequence = f"{consequence} {late}".lstrip()
    return AmendmentLine(
        number=one.number,
        at_utc=one.at_utc,
        author=one.author,
        target=one.target,
        reason=one.reason,
        seen=seen,
        consequence=consequence,
    )


def _rubric_consequence(one: Amendment, seen: str) -> str:
    """What a change of the rubric's text means for labels that were given before it (R56, R57)."""
    change = one.rubric
    if change is None:
        return ""
    version = parse_json(one.after)["version"]
    means = {
        "editorial": "no meaning changed, and labels before and after count as one version",
        "clarifying": "labels before it keep their version, and agreement is printed per version",
        "breaking": "labels it touches ended ("
        + ", ".join(
            [*(f"family {f}" for f in change.families), *(f"reason {r}" for r in change.reasons)]
        )
        + ")",
    }[change.kind]
    return f"Rubric version {version}, {change.kind}, when {seen}: {means}."
