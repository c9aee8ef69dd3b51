"""The release gate: what must hold before a bundle is written, and what would mend the rest.

The six checks of R79, and what R39, R81 and R82 ask for. Pure: a list from facts, no file is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from judge.records.judgement import JudgedItem
from judge.records.protocol import SHARED
from judge.records.release import GateLine, ReleaseKind
from judge.reports.material import Material
from judge.reports.standing import scored_runs
from judge.reports.status import status_of

_AMEND = "judge amend --target protocol.sharing"
KINDS: Mapping[ReleaseKind, str] = {
    "benchmark": "benchmark",
    "worked_example": "worked example",
    "record": "record of an evaluation with labels made elsewhere",
}


@dataclass(frozen=True)
class Facts:
    """What the gate cannot see in a study's records."""

    problems: tuple[str, ...] = ()
    """What `judge verify` finds wrong with the study."""
    report: str = ""
    """Folder of the recorded report that is what the records amount to; empty for none."""
    keys: tuple[str, ...] = ()
    """Files of the bundle that hold a key."""
    addresses: tuple[str, ...] = ()
    """Files of the bundle that hold an e-mail address."""
    shown: tuple[str, ...] = ()
    """Files of the bundle that show a text which may not be shared."""
    lists_rest_on_left_out: bool = False
    """Whether the ranked lists cannot be told without a text that may not be shared."""
    claims: tuple[str, ...] = ()
    """Files in the team's or this tool's words that say benchmark where this is none."""


def kind_of(material: Material) -> ReleaseKind:
    """From where the labels came."""
    origins = {origin for item in material.items for origin in _origins(item)}
    if "scripted" in origins:
        return "worked_example"
    return "benchmark" if origins == {"blind"} else "record"


def _origins(item: JudgedItem) -> set[str]:
    given = {one.origin for one in item.labels.values()}
    if item.state == "imported_final":
        given.add("imported")
    return given | ({item.adjudication.origin} if item.adjudication else set())


def sharing_of(declared: Mapping[str, str]) -> dict[str, str]:
    """Every field with its decision; what the protocol is silent about is left out."""
    return {name: declared.get(name, "leave_out") for name in SHARED}


def gate(material: Material, facts: Facts) -> tuple[GateLine, ...]:
    """Every check in order; ``material`` as amended. Nothing is released unless all hold."""
    return (
        _query_set(material),
        _runs(material),
        _rubric(material),
        _coverage(material),
        _failures(material),
        _limitations(facts),
        _line(
            "blindness",
            "R51",
            "no packet of labels is out",
            ["labels are still closed"] if material.closed else [],
            "judge collect, once every assessor has handed in",
        ),
        _people(material),
        _line(
            "record",
            "R24",
            "every digest, chain and file of the study holds",
            [f"{len(facts.problems)} problems, {facts.problems[0]}"] if facts.problems else [],
            "judge verify",
        ),
        _line(
            "credentials",
            "R39",
            "no key of a service that is set here stands in any file",
            [f"a key stands in {_some(facts.keys)}"] if facts.keys else [],
            "take it out of the named file; a key in a reply needs a new study",
        ),
        _line(
            "addresses",
            "R39",
            "no e-mail address stands in any file",
            [f"an e-mail address stands in {_some(facts.addresses)}"] if facts.addresses else [],
            f"take it out of the named file, or leave its field out: {_AMEND}",
        ),
        _sharing(material, facts),
        _line(
            "name",
            "R79",
            f"released as: {KINDS[kind_of(material)]}",
            [f"{_some(facts.claims)} calls it more than it is"] if facts.claims else [],
            "change the word in the named file; the protocol's by judge amend",
        ),
    )


def _query_set(material: Material) -> GateLine:
    count = len(material.evaluation)
    return _line(
        "query set",
        "R79",
        f"{count} evaluation queries, frozen before any run",
        [] if count else ["no evaluation query is frozen"],
        "judge freeze",
    )


def _runs(material: Material) -> GateLine:
    runs, systems = scored_runs(material), material.frozen.protocol.systems
    waiting = [
        f"{query.id} at {system.code}"
        for query in material.evaluation
        for system in systems
        if (query.id, system.code) not in runs and (query.id, system.code) not in material.excused
    ]
    missing = [f"no run and no reason for {_some(waiting)}"] if waiting else []
    mend = "judge capture, or judge round close with reasons"
    if material.frozen.protocol.sharing.get("raw_results") != "share":
        missing.append("the ranked lists may not be shared (sharing.raw_results)")
        mend = mend if waiting else _AMEND
    return _line(
        "executed run records",
        "R79",
        f"{len(runs)} runs of {len(systems)} systems, {len(material.excused)} left out with a "
        "written reason",
        missing,
        mend,
    )


def _rubric(material: Material) -> GateLine:
    versions = {
        label.rubric_version
        for item in material.items
        for label in item.labels.values()
        if label.rubric_version
    }
    return _line(
        "rubric",
        "R79",
        "the criteria and reasons every label rests on, in one version",
        [f"labels rest on versions {', '.join(sorted(versions))}"] if len(versions) > 1 else [],
        "judge amend says how versions are counted; or label the older ones again",
    )


def _coverage(material: Material) -> GateLine:
    states = Counter(item.state for item in material.items)
    waiting = any(states[name] for name in ("unjudged", "one_label", "disagree"))
    missing = []
    if not material.items:
        missing.append("nothing is pooled")
    elif material.closed:
        missing.append("packets are out")
    elif waiting:
        # No number: while an adjudicator is at work it would be that of the disagreements.
        missing.append("pooled items wait for a person")
    elif status_of(material) != "closed":
        missing.append("no label is in")
    final = sum(item.final is not None for item in material.items)
    return _line(
        "judgement coverage",
        "R79",
        f"{final} of {len(material.items)} pooled items have a final label; the others are "
        "counted as gaps",
        missing,
        "judge status names the next step",
    )


def _failures(material: Material) -> GateLine:
    answered = {one.code for one in material.statement.answers}
    declared = material.frozen.protocol.unacceptable_failures
    open_ones = [one.code for one in declared if one.code not in answered]
    missing = [f"no answer to {_some(open_ones)}"] if open_ones else []
    if material.coders_out:
        missing.append(f"failure review is out with {', '.join(material.coders_out)}")
    return _line(
        "failure handling",
        "R79",
        f"{len(declared)} declared failures answered; a failed request counts for "
        + material.frozen.protocol.choices.failed_request.replace("_", " "),
        missing,
        "write reports/statement.toml, then judge report"
        if open_ones
        else "judge collect the packets of failure review",
    )


def _limitations(facts: Facts) -> GateLine:
    return _line(
        "limitations",
        "R79",
        f"{facts.report} is what the records amount to, with its limitations",
        [] if facts.report else ["no report of the study as it is now"],
        "judge report",
    )


def _people(material: Material) -> GateLine:
    people = material.frozen.protocol.people
    missing = [
        f"people.{name} is empty"
        for name in ("run_by", "judged_by", "ties")
        if not getattr(people, name).strip()
    ]
    return _line(
        "people",
        "R81",
        f"run by {people.run_by}; judged by {people.judged_by}; ties: {people.ties}",
        missing,
        "judge amend --target protocol.people",
    )


def _sharing(material: Material, facts: Facts) -> GateLine:
    declared = material.frozen.protocol.sharing
    decided = sharing_of(declared)
    gone = [name for name in SHARED if decided[name] == "leave_out"]
    silent = [name for name in gone if name not in declared]
    found = f"left out: {', '.join(gone)}" if gone else "every field is shared"
    if silent:
        found += f" (no decision on {', '.join(silent)}, which leaves them out)"
    missing = []
    if facts.shown:
        missing.append(f"{_some(facts.shown)} shows a text that is left out")
    if facts.lists_rest_on_left_out:
        missing.append("which hits are one record rests on titles, which are left out")
    return _line("sharing", "R82", found, missing, f"share the field: {_AMEND}")


def _line(name: str, rule: str, held: str, missing: list[str], mend: str) -> GateLine:
    return GateLine(
        name=name,
        rule=rule,
        held=not missing,
        found="; ".join(missing) or held,
        mend=mend if missing else "",
    )


def _some(names: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
