"""One unit whose labels are retracted, whose paper is found, whose rubric changes."""

from __future__ import annotations

from typing import Any

import msgspec

from judge.judgements.items import units_of
from judge.judgements.life import Happening, Unit, firsts
from judge.protocol.rubric import Rubrics
from judge.records.judgement import JudgedItem
from judge.records.life import UnitStep
from judge.records.protocol import Protocol, RubricChange
from tests.judgements.judging import judged_items
from tests.judgements.test_items import RECORD, Study
from tests.steps.studies import TWO_ASSESSORS

KEY = ("q1", "pmid:1")


class Life(Study):
    """`Study`, with steps outside the desk and versions of the rubric."""

    def __init__(self, protocol: Protocol = TWO_ASSESSORS) -> None:
        super().__init__(protocol)
        self.steps: list[UnitStep] = []
        self.rubrics = Rubrics(("1",))

    @property
    def units(self) -> dict[tuple[str, str], Unit]:
        return units_of(
            self.deals, self.packets, self.events, self.imported, self.steps, {"q1": "f"}
        )

    @property
    def unit(self) -> Unit:
        return self.units.get(KEY, Unit("f"))

    @property
    def item(self) -> JudgedItem:
        (found,) = judged_items(
            [RECORD],
            self.deals,
            self.packets,
            self.events,
            self.imported,
            self.protocol,
            steps=self.steps,
            rubrics=self.rubrics,
            families={"q1": "f"},
        )
        return found

    @property
    def frozen(self) -> dict[str, str]:
        """What a freeze of agreement would hold of the unit."""
        codes = self.protocol.people.assessors
        found = firsts(self.units, KEY, codes, self.rubrics)
        return {code: given.label for code, given in found.items()}

    def step(self, kind: Any, *codes: str, cause: Any = None, **fields: Any) -> Life:
        """A step that ends what the table of consequences says of the labels of ``codes``."""
        happening: Happening | None = {
            "retraction": "assessor_removed" if cause == "removed_from_study" else "retraction",
            "evidence": "evidence",
            "need_changed": "need_changed",
        }.get(kind)
        lapsed = {}
        for code in codes if happening else ():
            if packets := self.unit.lapsing(code, happening, self.rubrics):  # type: ignore[arg-type]
                lapsed[code] = packets
        self.steps.append(
            UnitStep(
                number=len(self.steps) + 1,
                at_utc="2026-12-01T10:00:00Z",
                kind=kind,
                query_id="q1",
                record_id="pmid:1",
                by="R1",
                reason="said",
                cause=cause,
                lapsed=lapsed,
                **fields,
            )
        )
        return self

    def rubric(self, kind: Any, **touches: tuple[str, ...]) -> Life:
        """The next version of the rubric: packets dealt from now on are under it."""
        version = str(len(self.rubrics.versions) + 1)
        change = RubricChange(kind=kind, **touches)
        self.rubrics = Rubrics((*self.rubrics.versions, version), (*self.rubrics.changes, change))
        rubric = msgspec.structs.replace(self.protocol.rubric, version=version)
        self.protocol = msgspec.structs.replace(self.protocol, rubric=rubric)
        return self

    def discussed(self, decision: Any = None) -> Life:
        """Both labels were seen by both; with ``decision`` they settled it."""
        people = msgspec.structs.replace(self.protocol.people, adjudication="discussion")
        self.protocol = msgspec.structs.replace(self.protocol, people=people)
        packet_id = self.dealt("A-B", kind="discussion")
        self.act(packet_id, "reveal")
        if decision:
            self.act(packet_id, "decision", decision)
        return self

    def again(self, code: str, label: Any, **fields: Any) -> Life:
        """A revision in the newest packet of ``code``."""
        own = [deal for deal in self.deals if deal.assessor == code]
        self.act(own[-1].packet_id, "label", label, **fields)
        return self
