"""Rounds: a dated pass over all evaluation queries, opened once, closed when nothing is left out.

The round that the protocol declares for scoring is open from the freeze on; every other is opened
by name. A later round is a new observation, never a correction of an earlier one (R43).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from judge.errors import Invalid, Problem, Refused
from judge.records.attempt import Excused, RoundStep
from judge.runs.capture import DEVELOPMENT
from judge.text import id_fault

_REASON = re.compile(r"(?P<query>\S+) at (?P<system>[^\s:]+):\s*(?P<reason>\S.*)", re.DOTALL)


@dataclass(frozen=True)
class Round:
    """A round as its steps leave it."""

    name: str
    opened_utc: str
    closed_utc: str | None
    scored: bool
    excused: tuple[Excused, ...] = ()


def rounds(
    steps: Iterable[RoundStep], *, first: str, frozen_utc: str, scored: str
) -> tuple[Round, ...]:
    """All rounds in the order of their opening. ``first`` is the one planned with the freeze,
    ``scored`` the one that the protocol, as amended, scores."""
    found = {first: Round(first, frozen_utc, None, first == scored)}
    for step in steps:
        if step.step == "opened":
            found[step.name] = Round(step.name, step.at_utc, None, step.name == scored)
        else:
            opened = found[step.name]
            found[step.name] = Round(
                opened.name, opened.opened_utc, step.at_utc, opened.scored, step.excused
            )
    return tuple(found.values())


def open_round(known: Sequence[Round]) -> Round:
    """The round that is open. Raises `Refused` where all are closed."""
    for one in known:
        if one.closed_utc is None:
            return one
    names = ", ".join(one.name for one in known)
    raise Refused(
        f"every round is closed ({names}); a closed round does not change",
        hint="judge round open NAME starts a new one",
    )


def check_new(name: str, known: Sequence[Round]) -> None:
    """Raises `Invalid` for a name that is none, `Refused` for one that is taken and while another
    round is open."""
    if fault := id_fault(name) or ("a slash in it" if "/" in name else ""):
        raise Invalid(f"{name!r} cannot name a round: {fault}")
    for one in known:
        if one.name == name:
            raise Refused(
                f"round {name} was opened at {one.opened_utc}; a round is never opened over an "
                "old one",
                hint="judge round open with another name",
            )
        if one.closed_utc is None:
            raise Refused(
                f"round {one.name} is still open; nothing was written", hint="judge round close"
            )
    if name == DEVELOPMENT:
        raise Refused(f"{DEVELOPMENT!r} is the round of the development queries, always open")


def excuses(
    reasons: Iterable[str], missing: Collection[tuple[str, str]], known: Collection[tuple[str, str]]
) -> tuple[Excused, ...]:
    """Written reasons, ``q14 at b: the service was withdrawn``, for pairs without an outcome.

    ``missing`` and ``known`` are (system, query) pairs. Raises `Invalid` with every reason that
    cannot be read, names nothing that was planned, or explains away an outcome (R26).
    """
    problems: list[Problem] = []
    found: dict[tuple[str, str], Excused] = {}
    for number, text in enumerate(reasons, 1):
        where = f"--reason {number}"
        match = _REASON.fullmatch(text.strip())
        if match is None:
            problems.append(Problem(where, f"{text!r}", "write 'QUERY at SYSTEM: why'"))
            continue
        pair = (match["system"], match["query"])
        if pair not in known:
            problems.append(Problem(where, f"{pair[1]} at {pair[0]} was not planned"))
        elif pair not in missing:
            problems.append(Problem(where, f"{pair[1]} at {pair[0]} has an outcome already"))
        else:
            found[pair] = Excused(query_id=pair[1], system=pair[0], reason=match["reason"].strip())
    if problems:
        raise Invalid("the round was not closed", problems)
    return tuple(found.values())


def check_known(doubts: Collection[tuple[str, str]]) -> None:
    """Raises `Refused` naming every (system, query) with a paid request that an interrupted
    capture left without a record of its end."""
    if doubts:
        shown = ", ".join(f"{query} at {system}" for system, query in doubts)
        raise Refused(
            f"nobody knows the end of {len(doubts)} paid requests ({shown}); the round stays open",
            hint="judge capture writes them down as in doubt",
        )


def check_closable(missing: Sequence[tuple[str, str]], excused: Sequence[Excused]) -> None:
    """Raises `Refused` naming every (system, query) that has neither an outcome nor a reason."""
    given = {(one.system, one.query_id) for one in excused}
    left = [f"{query} at {system}" for system, query in missing if (system, query) not in given]
    if left:
        shown = ", ".join(left[:10]) + (", …" if len(left) > 10 else "")
        raise Refused(
            f"{len(left)} queries have no outcome ({shown}); the round stays open",
            hint=f"judge capture, or judge round close --reason '{left[0]}: why' for each",
        )
