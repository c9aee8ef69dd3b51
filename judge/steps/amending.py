"""Changing the rubric's text after the freeze, with what the change means for labels (R56)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from judge.errors import Invalid
from judge.files import decode_text, read_bytes
from judge.judgements.failure_review import refuse_after_review
from judge.protocol.amend import Seen, check_filing, effective
from judge.protocol.rubric import amended_rubric
from judge.records.protocol import Amendment, RubricChange
from judge.steps.context import Context, Work
from judge.steps.planning import amended_faults, least_seen
from judge.steps.retracting import refrozen


@dataclass(frozen=True)
class RubricAmended:
    """An amended rubric, and how many labels ended by it."""

    amendment: Amendment
    ended: int


def amend_rubric(
    context: Context,
    file: Path,
    *,
    version: str,
    change: RubricChange,
    author: str,
    reason: str,
    seen: Seen,
) -> RubricAmended:
    """Files a new text of the rubric. `protocol/rubric.md` stays as it was frozen.

    Packets dealt from now on hold the new text. Labels stay with the version they were given
    under; a breaking change ends those that it touches, whenever they come in (`Rubrics.touched`).
    Raises `Invalid` where the text lacks a clause that a reason cites, or the change does not say
    what it touches, `Refused` for a breaking one once failure review has begun: the labels that it
    ends could not be given anew.
    """
    with context.frozen() as work:
        said = {"--author": author, "--reason": reason}
        if change.kind == "breaking":
            refuse_after_review(work.deals, "a breaking change of the rubric")
        check_filing(seen, least_seen(work.ledger, work.runs), said)
        before = context.rubric(work)
        after = decode_text(read_bytes(file), file.name)
        amendment = amended_rubric(
            work.protocol,
            work.rubrics,
            number=len(work.amendments) + 1,
            at_utc=context.clock(),
            author=author,
            reason=reason,
            seen=seen,
            before=before,
            after=after,
            version=version,
            change=change,
        )
        amended = effective(work.frozen, (*work.amendments, amendment))
        known = amended_faults(work.protocol, work.evaluation, work.development, before)
        found = amended_faults(amended, work.evaluation, work.development, after)
        if problems := [one for one in found if one not in known]:
            raise Invalid("the rubric cannot have this text; nothing was written", problems)
        work.ledger.record("amended", amendment.target, [amendment])
        now = Work(work.ledger)
        refrozen(context, now)
        return RubricAmended(amendment, _live(work) - _live(now))


def _live(work: Work) -> int:
    return sum(len(item.labels) for item in work.items)
