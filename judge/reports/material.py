"""Everything a report is computed from, gathered once; nothing below reads a file or a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.records.audit import LeakAudit
from judge.records.judgement import AgreementFreeze, Deal, FailureNote, JudgedItem, Label
from judge.records.life import UnitStep
from judge.records.protocol import Amendment, Frozen
from judge.records.query import Query
from judge.records.run import Document, PooledRecord, RunRecord
from judge.records.statement import Statement


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
    failures: tuple[FailureNote, ...] = ()
    statement: Statement = field(default_factory=Statement)
    excused: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By (query id, system): why the scored round was closed without a run (R26)."""
    audits: tuple[LeakAudit, ...] = ()
    """Of the packets that came back: the others may not be spoken of yet."""
    closed: bool = False
    """Whether labels may not be shown yet (`judge.judgements.openness`)."""
    steps: tuple[UnitStep, ...] = ()
    """Retractions, evidence found, exclusions, in order."""
    repeats: Mapping[str, tuple[tuple[Label, Label], ...]] = field(default_factory=dict)
    """By assessor: the first and the second label of every item that was shown twice, unmarked."""
