"""Everything a report is computed from, gathered once; nothing below reads a file or a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.records.audit import LeakAudit
from judge.records.failure import CodedItem
from judge.records.judgement import AgreementFreeze, Deal, JudgedItem, Label
from judge.records.life import UnitStep
from judge.records.protocol import Amendment, Frozen
from judge.records.query import Query
from judge.records.run import Document, PooledRecord, RunRecord
from judge.records.source import SourceCheck
from judge.records.statement import Statement
from judge.runs.capture import current_runs
from judge.runs.merging import merged_records


@dataclass(frozen=True)
class Material:
    """A study as the report sees it. Tuples are in the order of the protocol, file or round."""

    frozen: Frozen
    freeze_id: str
    frozen_at: str
    evaluation: tuple[Query, ...]
    development: tuple[Query, ...]
    runs: tuple[RunRecord, ...]
    """Every run record of every round, planned ones and earlier attempts included."""
    documents: dict[str, Document]
    pool: tuple[PooledRecord, ...]
    items: tuple[JudgedItem, ...]
    """One per pooled record, in pool order."""
    deals: tuple[Deal, ...]
    agreement: tuple[AgreementFreeze, ...]
    amendments: tuple[Amendment, ...] = ()
    coded: tuple[CodedItem, ...] = ()
    """What coders of failure review named; empty while one of them is out."""
    coders_out: tuple[str, ...] = ()
    """Coders who have not handed in."""
    statement: Statement = field(default_factory=Statement)
    excused: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By (query id, system): why the scored round was closed without a run (R26)."""
    audits: tuple[LeakAudit, ...] = ()
    """Of the packets that came back: the others may not be spoken of yet."""
    checks: Mapping[str, SourceCheck] = field(default_factory=dict)
    """By record: its newest check at the sources; empty where `judge check-sources` never ran."""
    closed: bool = False
    """Whether labels may not be shown yet (`judge.judgements.openness`)."""
    steps: tuple[UnitStep, ...] = ()
    """Retractions, evidence found, exclusions, in order."""
    repeats: Mapping[str, tuple[tuple[Label, Label], ...]] = field(default_factory=dict)
    """By assessor: the first and the second label of every item that was shown twice, unmarked."""
    guesses: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """By assessor asked after the lock: the one system that found an item, and the system named,
    `judge.records.judgement.DONT_KNOW` for none."""
    declared: tuple[tuple[str, str], ...] = ()
    """Who handed in which declaration: of each packet of labels that came back, practice left
    out, its person and the text on the screen."""

    unlocked: tuple[tuple[str, str, str], ...] = ()
    """Person, kind of packet and reason of every time that a packet was opened after hand-in."""

    @cached_property
    def merged(self) -> dict[str, dict[str, str]]:
        """By query id: the record that a key of the scored round was pooled as, where another."""
        protocol = self.frozen.protocol
        runs = current_runs(self.runs, protocol.scored_round)
        policy = protocol.choices.same_record
        return merged_records(runs, self.documents, policy, self.pool)
