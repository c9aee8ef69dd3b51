"""The rubric as amended: its text, its versions, and which labels a change touches (R56, R57).

A change declares its kind. *Editorial* changes no meaning: labels before and after count as one
version. *Clarifying* keeps labels and marks them with the version they were given under; agreement
is never pooled over such versions. *Breaking* ends the labels that it touches, by family of the
query or by reason code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from judge.canonical import canonical
from judge.errors import Invalid, Problem
from judge.files import nearest, parse_json
from judge.records.protocol import Amendment, Protocol, RubricChange
from judge.text import unstorable

TARGET = "rubric"
"""What an amendment of the rubric's text names as its target."""


@dataclass(frozen=True)
class Rubrics:
    """The versions of a rubric in order, with the change that made each but the first."""

    versions: tuple[str, ...] = ()
    changes: tuple[RubricChange, ...] = ()
    """One fewer than ``versions``."""

    def same_as(self, version: str) -> str:
        """The first version that means what ``version`` means: editorial changes apart."""
        if version not in self.versions:
            return version
        place = self.versions.index(version)
        while place and self.changes[place - 1].kind == "editorial":
            place -= 1
        return self.versions[place]

    def touched(self, version: str, family: str, reason: str) -> bool:
        """Whether a later, breaking change ends a label under ``version``."""
        if version not in self.versions:
            return False
        later = self.changes[self.versions.index(version) :]
        return any(
            change.kind == "breaking" and (family in change.families or reason in change.reasons)
            for change in later
        )


UNCHANGED = Rubrics()
"""No history: every label counts, each version for itself."""


def rubrics(version: str, amendments: Iterable[Amendment]) -> Rubrics:
    """The history of a rubric from the frozen version on.

    ``version`` is the frozen one or, where an amendment changed it, any later one too: the
    amendments say what they changed.
    """
    versions = [version]
    changes: list[RubricChange] = []
    for one in amendments:
        if one.rubric is not None:
            if not changes:
                versions = [str(parse_json(one.before)["version"])]
            versions.append(str(parse_json(one.after)["version"]))
            changes.append(one.rubric)
    return Rubrics(tuple(versions), tuple(changes))


def rubric_text(frozen_text: str, amendments: Iterable[Amendment]) -> str:
    """The text that assessors read now; ``frozen_text`` is that of `protocol/rubric.md`."""
    text = frozen_text
    for one in amendments:
        if one.rubric is not None:
            text = str(parse_json(one.after)["text"])
    return text


def amended_rubric(
    protocol: Protocol,
    history: Rubrics,
    *,
    number: int,
    at_utc: str,
    author: str,
    reason: str,
    seen: Literal["nothing_run", "run_results_not_seen", "results_seen"],
    before: str,
    after: str,
    version: str,
    change: RubricChange,
) -> Amendment:
    """A change of the rubric's text.

    ``protocol`` is the one in force, ``before`` and ``after`` are the texts. Raises `Invalid` for a
    version that was used, a text that stays as it was, and a breaking change that touches nothing
    or names what the protocol does not declare.
    """
    problems = []
    if not version.strip() or unstorable(version):
        problems.append(Problem("--version", repr(version), "a name for the new version"))
    elif version in history.versions:
        problems.append(Problem("--version", f"{version} was used", "a new one"))
    if fault := unstorable(after):
        problems.append(Problem("--rubric", fault))
    if after == before:
        problems.append(Problem("--rubric", "the text that is in force"))
    breaking, touches = change.kind == "breaking", change.families or change.reasons
    if breaking and not touches:
        problems.append(
            Problem("--change breaking", "touches nothing", "--family or --reason-code: whose")
        )
    if touches and not breaking:
        problems.append(Problem(f"--change {change.kind}", "ends no label", "--change breaking"))
    known = {
        "--family": (change.families, [one.code for one in protocol.families]),
        "--reason-code": (change.reasons, [one.code for one in protocol.reasons]),
    }
    for option, (given, codes) in known.items():
        problems += [
            Problem(option, f"{code!r} is not declared{nearest(code, codes)}", ", ".join(codes))
            for code in given
            if code not in codes
        ]
    if problems:
        raise Invalid("the rubric cannot be changed so; nothing was written", problems)
    return Amendment(
        number=number,
        at_utc=at_utc,
        author=author,
        reason=reason,
        seen=seen,
        target=TARGET,
        before=canonical({"text": before, "version": protocol.rubric.version}).decode(),
        after=canonical({"text": after, "version": version}).decode(),
        rubric=change,
    )
