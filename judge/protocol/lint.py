"""What is wrong in a protocol beyond its types: empty answers, depths that cross, unknown codes.

`lint` is a pure function; it lists every problem, each with the field and what is allowed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from judge.clock import is_date
from judge.errors import Problem
from judge.files import nearest
from judge.protocol.thresholds import threshold_problems
from judge.protocol.wording import Grounds, too_much
from judge.records.protocol import SHARED, Protocol

LABEL_KEYS = frozenset("105?l")
"""Keys that give a label at the desk; a reason key must differ, so that a held key says nothing."""

PROMPT_KEYS = {
    "f": "full text",
    "g": "criteria",
    "k": "keys",
    "t": "terms",
    "u": "drop this label",
    "v": "colours",
}
"""What the desk's other keys do while a reason is asked for; a reason with one of them hides it."""

_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")


def lint(protocol: Protocol, rubric: str) -> list[Problem]:
    """Every problem of ``protocol``, with ``rubric`` the text of the criteria."""
    return [
        *_empty(protocol),
        *_codes(protocol),
        *_depth(protocol),
        *_wording(protocol),
        *_rubric(protocol, rubric),
        *_claims(protocol),
        *_people(protocol),
        *_rest(protocol),
        *threshold_problems(protocol),
    ]


def hidden_keys(protocol: Protocol) -> list[Problem]:
    """Reason keys that hide a key of the desk while a reason is asked for: to weigh, not to mend.

    The reason comes first there, so that the other meaning cannot be had.
    """
    return [
        Problem(
            f"reasons[{number}].key",
            f"{reason.key!r} hides the desk's key for {PROMPT_KEYS[reason.key]!r} while a reason "
            "is asked for",
            f"another key than {' '.join(PROMPT_KEYS)}",
        )
        for number, reason in enumerate(protocol.reasons, 1)
        if reason.key in PROMPT_KEYS
    ]


def _empty(protocol: Protocol) -> Iterable[Problem]:
    say = {
        "title": "name the study",
        "decision": "say what decision this evaluation serves",
        "intended_users": "say who will use the search",
        "source_scope": "say which sources and years are in scope",
    }
    for field, allowed in say.items():
        if not getattr(protocol, field).strip():
            yield Problem(field, "empty", allowed)
    for field in ("families", "unacceptable_failures", "systems", "measures"):
        if not getattr(protocol, field):
            yield Problem(field, "empty", "at least one is needed")
    for number, family in enumerate(protocol.families, 1):
        if not family.need.strip():
            yield Problem(f"families[{number}].need", "empty", "say what people want to find")
    for number, failure in enumerate(protocol.unacceptable_failures, 1):
        if not failure.text.strip():
            yield Problem(f"unacceptable_failures[{number}].text", "empty")


def _wording(protocol: Protocol) -> Iterable[Problem]:
    """A title that no report could carry; which gold there is, the queries say later (R42, R60)."""
    grounds = Grounds(evaluated=True, frozen_index=protocol.index_frozen, gold=True)
    return too_much({"title": protocol.title}, grounds)


def _codes(protocol: Protocol) -> Iterable[Problem]:
    people = protocol.people
    third = [people.adjudicator] if people.adjudication == "third_person" else []
    groups: dict[str, list[str]] = {
        "families": [family.code for family in protocol.families],
        "unacceptable_failures": [failure.code for failure in protocol.unacceptable_failures],
        "systems": [system.code for system in protocol.systems],
        "reasons": [reason.code for reason in protocol.reasons],
        "claims": [claim.id for claim in protocol.claims],
        "criteria": [criterion.code for criterion in protocol.criteria],
        "people": [*people.assessors, *people.practice, *third],
        "strata": [stratum.name for stratum in protocol.strata],
    }
    for field, codes in groups.items():
        for code in codes:
            if not _CODE.fullmatch(code):
                yield Problem(
                    field, f"code {code!r}", "1 to 40 of A-Z a-z 0-9 . _ -, a letter or digit first"
                )
        # Case decides nothing: codes name files, and some disks do not tell a from A.
        for folded, count in Counter(code.casefold() for code in codes).items():
            if count > 1:
                same = ", ".join(repr(code) for code in codes if code.casefold() == folded)
                yield Problem(
                    field, f"{same} are one code", "codes are unique, whatever their case"
                )


def _depth(protocol: Protocol) -> Iterable[Problem]:
    depth = protocol.depth
    cutoffs = depth.cutoffs
    if not cutoffs:
        yield Problem("depth.cutoffs", "empty", "at least one cutoff")
    if any(cutoff < 1 for cutoff in cutoffs) or list(cutoffs) != sorted(set(cutoffs)):
        yield Problem("depth.cutoffs", str(list(cutoffs)), "rising whole numbers from 1")
    if depth.pool < 1:
        yield Problem("depth.pool", str(depth.pool), "at least 1")
    if cutoffs and max(cutoffs) > depth.pool:
        yield Problem(
            "depth.cutoffs",
            f"cutoff {max(cutoffs)} is deeper than the pool ({depth.pool})",
            "no cutoff exceeds depth.pool",
        )
    if depth.requested < depth.pool:
        yield Problem(
            "depth.requested",
            f"{depth.requested} is less than depth.pool ({depth.pool})",
            "ask for at least as many as are judged",
        )


def _rubric(protocol: Protocol, rubric: str) -> Iterable[Problem]:
    for field in ("version", "target_entity", "organism", "mechanism", "evidence_type"):
        if not getattr(protocol.rubric, field).strip():
            yield Problem(f"rubric.{field}", "empty", "fill in or write 'not relevant here'")
    if not rubric.strip():
        yield Problem("rubric.md", "empty", "write down what counts as relevant")
    for number, line in enumerate(rubric.splitlines(), 1):
        # As in the rubric that `judge init` writes: a clause that somebody meant to finish.
        if line.rstrip().endswith("…"):
            yield Problem("rubric.md", f"line {number} ends in …", "finish the clause")
    for number, reason in enumerate(protocol.reasons, 1):
        where = f"reasons[{number}]"
        if len(reason.key) != 1 or not reason.key.isprintable() or reason.key.isspace():
            yield Problem(f"{where}.key", repr(reason.key), "one printable character")
        elif reason.key in LABEL_KEYS:
            yield Problem(f"{where}.key", f"{reason.key!r} is a label key", "none of 1 0 5 ? l")
        if not reason.labels:
            yield Problem(f"{where}.labels", "empty", "the labels this reason may complete")
        if not reason.text.strip():
            yield Problem(f"{where}.text", "empty", "say the reason in a few words")
        if reason.clause not in rubric or not reason.clause.strip():
            yield Problem(
                f"{where}.clause", f"{reason.clause!r} is not in rubric.md", "cite a clause of it"
            )
    for label in ("relevant", "not_relevant", "uncertain"):
        given = [reason for reason in protocol.reasons if label in reason.labels]
        if not given:
            yield Problem("reasons", f"no reason for {label}", "every judgement needs one (R50)")
        for key, count in Counter(reason.key for reason in given).items():
            if count > 1:
                yield Problem("reasons", f"key {key!r} stands {count} times for {label}", "")


def _claims(protocol: Protocol) -> Iterable[Problem]:
    systems = [system.code for system in protocol.systems]
    for number, claim in enumerate(protocol.claims, 1):
        where = f"claims[{number}]"
        if claim.system not in systems:
            close = nearest(claim.system, systems)
            yield Problem(
                f"{where}.system", f"{claim.system!r} is no system{close}", "a code of systems"
            )
        if not claim.text.strip():
            yield Problem(f"{where}.text", "empty", "say what the documentation says")
        if not claim.address.strip():
            yield Problem(f"{where}.address", "empty", "say where it was read")
        if not is_date(claim.read_on):
            yield Problem(f"{where}.read_on", repr(claim.read_on), "a day as YYYY-MM-DD")
    first: dict[frozenset[str], int] = {}
    for number, pair in enumerate(protocol.comparisons, 1):
        unknown = [code for code in pair if code not in systems]
        if unknown or len(set(pair)) != 2:
            yield Problem(f"comparisons[{number}]", str(list(pair)), "two different system codes")
            continue
        earlier = first.setdefault(frozenset(pair), number)
        if earlier != number:
            yield Problem(
                f"comparisons[{number}]",
                f"{list(pair)} is the pair of comparisons[{earlier}]",
                "each pair once: Holm's correction counts them",
            )


def _people(protocol: Protocol) -> Iterable[Problem]:
    people = protocol.people
    if not people.assessors:
        yield Problem("people.assessors", "empty", "the codes of those who label")
    if "agreement" in protocol.measures and len(people.assessors) < 2:
        yield Problem("people.assessors", "one assessor", "agreement needs two")
    if people.adjudication == "third_person":
        if not people.adjudicator.strip():
            yield Problem("people.adjudicator", "empty", "the code of the third person")
        elif people.adjudicator in people.assessors:
            yield Problem(
                "people.adjudicator",
                f"{people.adjudicator!r} is an assessor",
                "a third person",
            )
    elif len(people.assessors) < 2:
        yield Problem("people.adjudication", "'discussion' with one assessor", "two to discuss")
    for field, allowed in (
        ("run_by", "say who (R81)"),
        ("judged_by", "say who (R81)"),
        ("ties", "say who, or 'none' for no ties (R81)"),
    ):
        if not getattr(people, field).strip():
            yield Problem(f"people.{field}", "empty", allowed)


def _rest(protocol: Protocol) -> Iterable[Problem]:
    if not protocol.choices.same_record:
        yield Problem("choices.same_record", "empty", "what makes two hits duplicates (R67)")
    for number, criterion in enumerate(protocol.criteria, 1):
        for field in ("text", "reason"):
            if not getattr(criterion, field).strip():
                yield Problem(f"criteria[{number}].{field}", "empty", "each needs both (R80)")
        if criterion.threshold is not None:
            yield from _share(
                f"criteria[{number}].threshold.at_least", criterion.threshold.at_least
            )
    for field in ("largest_entity_share", "repeats_share"):
        yield from _share(field, getattr(protocol, field))
    for name in protocol.sharing:
        if name not in SHARED:
            told = f"no field to share{nearest(name, SHARED)}"
            yield Problem(f"sharing.{name}", told, "one of " + ", ".join(SHARED))
    for number, stratum in enumerate(protocol.strata, 1):
        if not stratum.values:
            yield Problem(f"strata[{number}].values", "empty", "the values a query may have")


def _share(field: str, text: str) -> Iterable[Problem]:
    share = share_of(text)
    if share is None or not 0 <= share <= 1:
        yield Problem(field, repr(text), 'a share as "1/5", from 0 to 1')


def share_of(text: str) -> Fraction | None:
    """A share such as ``1/5`` or ``0`` as an exact fraction; None where it is not one."""
    try:
        return Fraction(text) if re.fullmatch(r"[0-9]+(/[0-9]*[1-9][0-9]*)?", text) else None
    except ZeroDivisionError:
        return None
