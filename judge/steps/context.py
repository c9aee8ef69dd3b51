"""What a step touches of the world: the study's folder, the clock, and chance."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import msgspec

from judge.clock import Clock, system_clock
from judge.errors import Integrity, Refused
from judge.files import decode_text, read_bytes
from judge.judgements.items import Key, items_of, units_of
from judge.judgements.life import Unit
from judge.judgements.packet import Entropy, system_entropy
from judge.judgements.pool import pool
from judge.protocol.amend import effective, effective_query
from judge.protocol.freeze import check_frozen, freeze_id
from judge.protocol.rubric import Rubrics, rubric_text, rubrics
from judge.records.attempt import RoundStep
from judge.records.judgement import (
    Deal,
    ImportedLabel,
    JudgedItem,
    LabelEvent,
    Packet,
)
from judge.records.life import UnitStep
from judge.records.protocol import Amendment, Frozen, Protocol
from judge.records.query import FrozenQuery, Query
from judge.records.run import Document, PooledRecord, RunRecord
from judge.records.source import ImportedText, ResolvedId, SourceCheck
from judge.runs.capture import current_runs
from judge.runs.merging import merged_records
from judge.runs.resolving import with_pmids
from judge.store.ledger import Ledger
from judge.study import Study, check_frozen_files
from judge.text import told_abstract

Progress = Callable[[str, int, int], None]
"""Told what is going on, how much is done and how much there is."""


def silent(what: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Context:
    """The surroundings of one step; tests and the worked study pass their own clock and chance."""

    study: Study
    clock: Clock = system_clock
    monotonic: Callable[[], float] = time.monotonic
    entropy: Entropy = system_entropy
    progress: Progress = silent

    def today(self) -> str:
        """The day as YYYY-MM-DD."""
        return self.clock()[:10]

    def rubric(self, work: Work) -> str:
        """The text of the rubric in force: the frozen file, as amended."""
        frozen = decode_text(read_bytes(self.study.rubric), "protocol/rubric.md")
        return rubric_text(frozen, work.amendments)

    @contextmanager
    def frozen(self) -> Iterator[Work]:
        """The frozen study at work, after the frozen bytes and files were checked (R24)."""
        with self.study.ledger(self.clock) as ledger:
            work = Work(ledger)
            frozen = work.frozen
            if not self.study.frozen.is_file():
                raise Integrity(
                    "protocol/frozen.json is gone",
                    hint="put it back; with the files as they were, `judge freeze` writes it again",
                )
            check_frozen(read_bytes(self.study.frozen), frozen)
            check_frozen_files(self.study, work.frozen)
            yield work


@dataclass(frozen=True)
class Work:
    """A frozen study's records, each kind read from the ledger when first asked for."""

    ledger: Ledger

    @cached_property
    def frozen(self) -> Frozen:
        found = self.ledger.find(Frozen, "frozen")
        if found is None:
            raise Refused("not frozen yet; nothing was written", hint="judge lint, judge freeze")
        return found

    @cached_property
    def freeze_id(self) -> str:
        return freeze_id(self.frozen)

    @cached_property
    def amendments(self) -> tuple[Amendment, ...]:
        return self.ledger.all(Amendment)

    @cached_property
    def protocol(self) -> Protocol:
        """The protocol as amended."""
        return effective(self.frozen, self.amendments)

    @cached_property
    def _queries(self) -> tuple[FrozenQuery, ...]:
        return self.ledger.all(FrozenQuery)

    @cached_property
    def evaluation(self) -> tuple[Query, ...]:
        """The evaluation queries as amended."""
        return self._of("evaluation")

    @cached_property
    def development(self) -> tuple[Query, ...]:
        """The development queries as amended."""
        return self._of("development")

    def _of(self, which: str) -> tuple[Query, ...]:
        return tuple(
            effective_query(one.query, self.amendments) for one in self._queries if one.set == which
        )

    @cached_property
    def runs(self) -> tuple[RunRecord, ...]:
        """Every run record, planned ones and earlier attempts included."""
        return self.ledger.all(RunRecord)

    @cached_property
    def resolved(self) -> dict[str, ResolvedId]:
        """The newest answer of the ID converter for each PMCID."""
        return {one.pmcid: one for one in self.ledger.all(ResolvedId)}

    @cached_property
    def keyed_runs(self) -> tuple[RunRecord, ...]:
        """`runs`, with the PMIDs that PMCIDs were resolved to: for keys and matching alone.

        The raw records stay as they are, in the ledger and in `runs`.
        """
        return with_pmids(self.runs, self.resolved)

    @cached_property
    def current(self) -> dict[tuple[str, str], RunRecord]:
        """The newest execution of each (system, query) of the scored round, from `keyed_runs`."""
        return current_runs(self.keyed_runs, self.protocol.scored_round)

    @cached_property
    def excused(self) -> dict[tuple[str, str], str]:
        """The written reason of each (system, query) that the scored round was closed without
        (R26); a pair that has an execution all the same is not among them."""
        return {
            (one.system, one.query_id): one.reason
            for step in self.ledger.all(RoundStep)
            if step.name == self.protocol.scored_round
            for one in step.excused
            if (one.system, one.query_id) not in self.current
        }

    @cached_property
    def open_queries(self) -> tuple[tuple[str, str], ...]:
        """The (system, query) pairs of the scored round with neither outcome nor reason."""
        return tuple(
            (system.code, query.id)
            for query in self.evaluation
            for system in self.protocol.systems
            if (system.code, query.id) not in self.current
            and (system.code, query.id) not in self.excused
        )

    @cached_property
    def checks(self) -> dict[str, SourceCheck]:
        """The newest check of each record at its sources."""
        return {check.record_id: check for check in self.ledger.all(SourceCheck)}

    @cached_property
    def documents(self) -> dict[str, Document]:
        """The neutral text of each record: of its sources, else brought, else of the first run.

        Earlier ones stay in the ledger.
        """
        found = {document.record_id: document for document in self.ledger.all(Document)}
        for brought in self.ledger.all(ImportedText):
            found[brought.document.record_id] = brought.document
        for check in self.ledger.all(SourceCheck):
            if check.document is not None:
                found[check.record_id] = check.document
        # What somebody went and found counts for more than what a source has.
        found.update({one.record_id: one.document for one in self.steps if one.document})
        return {
            record: document
            if (told := told_abstract(document.abstract)) == document.abstract
            else msgspec.structs.replace(document, abstract=told)
            for record, document in found.items()
        }

    @cached_property
    def links(self) -> dict[str, str]:
        """Where a record can be read that somebody found, by record; the newest counts."""
        return {one.record_id: one.link for one in self.steps if one.link}

    @cached_property
    def steps(self) -> tuple[UnitStep, ...]:
        """Retractions, evidence found, exclusions, in order."""
        return self.ledger.all(UnitStep)

    @cached_property
    def pool(self) -> tuple[PooledRecord, ...]:
        return self.ledger.all(PooledRecord)

    @cached_property
    def merged(self) -> dict[str, dict[str, str]]:
        """By query id: the record that a key of a current run stands for, where it is another."""
        policy = self.protocol.choices.same_record
        return merged_records(self.current, self.documents, policy, self.pool)

    @cached_property
    def found(self) -> tuple[PooledRecord, ...]:
        """The pool, each record with all places of today's lists within the pool depth.

        What was pooled once keeps its first places in `pool`, though a deeper pool finds it again.
        """
        depth = self.protocol.depth.pool
        today = {
            (one.query_id, one.record_id): one
            for one in pool(self.evaluation, self.current, depth, merged=self.merged)
        }
        return tuple(today.get((one.query_id, one.record_id), one) for one in self.pool)

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        return self.ledger.all(Deal)

    @cached_property
    def packets(self) -> dict[str, Packet]:
        return {packet.packet_id: packet for packet in self.ledger.all(Packet)}

    @cached_property
    def label_events(self) -> tuple[LabelEvent, ...]:
        return self.ledger.all(LabelEvent)

    @cached_property
    def imported(self) -> tuple[ImportedLabel, ...]:
        return self.ledger.all(ImportedLabel)

    @cached_property
    def rubrics(self) -> Rubrics:
        """The versions of the rubric and what made each."""
        return rubrics(self.frozen.protocol.rubric.version, self.amendments)

    @cached_property
    def units(self) -> dict[Key, Unit]:
        """Everything that was said and done about each (need, record)."""
        families = {query.id: query.family for query in self.evaluation}
        return units_of(
            self.deals, self.packets, self.label_events, self.imported, self.steps, families
        )

    @cached_property
    def items(self) -> tuple[JudgedItem, ...]:
        """The state of every pooled record."""
        return items_of(self.pool, self.units, self.protocol, self.rubrics)
