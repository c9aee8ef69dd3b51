"""The published form of a study: the five folders, from which the store can be made again.

One file per kind of evidence, one canonical JSON line per record, in the order they were written;
raw replies lie uncompressed under their digest. `publish` and `read_published` are each other's
inverse: publish, rebuild, publish gives the same bytes.

A packet that has not come back is withheld: its deal would open the shuffle (not that of failure
review, which nobody works at blind). The event that dealt
it stays in the chain, so that a reader sees that there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from judge.canonical import canonical, sha256
from judge.errors import Integrity, Invalid
from judge.files import parse_json, read_bytes, write_atomic
from judge.records.attempt import Attempt
from judge.records.audit import LeakAudit
from judge.records.base import Record
from judge.records.event import StudyEvent
from judge.records.judgement import Deal, LabelEvent, Packet
from judge.records.run import RunRecord
from judge.records.source import ResolvedId, SourceCheck
from judge.store.chain import first_break
from judge.store.engine import R
from judge.store.ledger import GENESIS, KIND_OF, Ledger, root_of
from judge.store.sharing import original_digest, read_left_out

CHAIN = "protocol/chain.jsonl"
RAW = "runs/raw"
FILES: dict[str, str] = {
    "frozen": "protocol/frozen.json",
    "amendment": "protocol/amendments.jsonl",
    "query": "queries/frozen.jsonl",
    "round": "runs/rounds.jsonl",
    "intent": "runs/intents.jsonl",
    "attempt": "runs/attempts.jsonl",
    "run": "runs/records.jsonl",
    "document": "runs/documents.jsonl",
    "resolved": "runs/resolved.jsonl",
    "source": "runs/sources.jsonl",
    "text": "runs/texts.jsonl",
    "pooled": "judgements/pool.jsonl",
    "deal": "judgements/deals.jsonl",
    "packet_head": "judgements/packets.jsonl",
    "audit": "judgements/audits.jsonl",
    "label": "judgements/labels.jsonl",
    "imported_label": "judgements/imported.jsonl",
    "unit_step": "judgements/steps.jsonl",
    "agreement": "judgements/agreement.jsonl",
}
"""The file of each kind of evidence, relative to the study's folder."""


@dataclass(frozen=True)
class Published:
    """What the folders hold: the chain, the records of each event, and the raw replies."""

    steps: tuple[tuple[StudyEvent, tuple[tuple[Record, ...], ...]], ...]
    blobs: dict[str, bytes]
    withheld: frozenset[str]
    """Packets that had not come back."""
    notes: dict[str, str]
    """Digests of notes that were left out of a release, by the hash of the act that held each."""
    partial: bool
    """Whether texts were left out of any record, so that it does not match its own digest."""


def withheld_packets(ledger: Ledger) -> frozenset[str]:
    """Ids of dealt packets of which no label has come back.

    The chain names them, so that a store made again without their deals knows of them too. A deal
    of failure review opens no shuffle and is never withheld: it is what keeps relevance locked.
    """
    dealt = frozenset(event.subject for event in ledger.events() if event.kind == "dealt")
    dealt -= {deal.packet_id for deal in ledger.all(Deal) if deal.kind == "failures"}
    return dealt - {event.packet_id for event in ledger.all(LabelEvent)}


def publish(ledger: Ledger, folder: Path) -> list[Path]:
    """Writes the store out; returns the files written or removed, in order.

    A file whose bytes would not change is left alone.
    """
    changes = publish_changes(ledger, folder)
    for path, data in changes.items():
        if data is None:
            path.unlink()
        else:
            write_atomic(path, data)
    return list(changes)


def publish_changes(ledger: Ledger, folder: Path) -> dict[Path, bytes | None]:
    """What publishing would write, by path; None for a file that it would remove."""
    withheld = withheld_packets(ledger)
    contents: dict[Path, bytes] = {folder / CHAIN: _lines(ledger.events())}
    for name, kind in KIND_OF.items():
        records = [record for record in ledger.all(kind) if not _is_of(record, withheld)]
        contents[folder / FILES[name]] = _lines(records)
    changes: dict[Path, bytes | None] = {}
    for path, data in contents.items():
        if not data and path.is_file():
            changes[path] = None
        elif data and (not path.is_file() or path.read_bytes() != data):
            changes[path] = data
    for key in ledger.blobs():
        path, data = folder / RAW / key, ledger.blob(key)
        if not path.is_file() or path.read_bytes() != data:
            changes[path] = data
    return changes


def _is_of(record: Record, packets: frozenset[str]) -> bool:
    return isinstance(record, Deal | Packet | LeakAudit) and record.packet_id in packets


def _lines(records: Sequence[Record]) -> bytes:
    return b"".join(canonical(record) + b"\n" for record in records)


def read_published(folder: Path) -> Published:
    """What the folders hold, every digest checked. Raises `Integrity` naming the file and line."""
    chain = _read(folder, CHAIN, StudyEvent)
    if not chain:
        raise Invalid(f"{folder}: no {CHAIN} here, so this is not a published study")
    broken = first_break(chain, GENESIS)
    if broken is not None:
        raise Integrity(f"{CHAIN}: the chain is broken: {broken}")
    kept = read_left_out(folder)
    waiting = {
        name: enumerate(_read(folder, FILES[name], kind), 1) for name, kind in KIND_OF.items()
    }
    notes: dict[str, str] = {}
    deals = {record.packet_id for record in _read(folder, FILES["deal"], Deal)}
    steps = []
    withheld = set()
    for event in chain:
        groups = []
        for batch in event.batches:
            if batch.kind not in KIND_OF:
                continue
            if event.kind == "dealt" and event.subject not in deals:
                withheld.add(event.subject)
                continue
            lines = tuple(_take(waiting[batch.kind], batch.count))
            group = tuple(record for _, record in lines)
            digests = []
            for line, record in lines:
                gone = kept.get((FILES[batch.kind], line))
                digests.append(original_digest(record, gone))
                if gone is not None and isinstance(record, LabelEvent):
                    notes[record.hash] = gone.note_sha256
            if len(group) < batch.count or root_of(digests) != batch.root:
                raise Integrity(
                    f"{FILES[batch.kind]}: the records of event {event.seq} ({event.kind} "
                    f"{event.subject}) are not what was written"
                )
            groups.append(group)
        steps.append((event, tuple(groups)))
    for name, rest in waiting.items():
        if next(rest, None) is not None:
            raise Integrity(f"{FILES[name]}: holds records that belong to no event")
    labelled = {record.packet_id for record in _read(folder, FILES["label"], LabelEvent)}
    if withheld & labelled:
        raise Integrity(f"{FILES['deal']}: the deal of a packet that came back is missing")
    return Published(tuple(steps), _read_raw(folder), frozenset(withheld), notes, bool(kept))


def _take(records: Iterator[tuple[int, Record]], count: int) -> Iterator[tuple[int, Record]]:
    for _, record in zip(range(count), records, strict=False):
        yield record


def _read(folder: Path, name: str, kind: type[R]) -> list[R]:
    path = folder / name
    if not path.is_file():
        return []
    data = read_bytes(path)
    if not data.endswith(b"\n"):
        raise Integrity(f"{name}: the last line is cut off")
    records = []
    for number, line in enumerate(data[:-1].split(b"\n"), 1):
        try:
            record = msgspec.convert(parse_json(line.decode("utf-8")), kind, strict=True)
        except (ValueError, msgspec.ValidationError) as error:
            raise Integrity(f"{name}: line {number} is not a record: {error}") from None
        if canonical(record) != line:
            raise Integrity(f"{name}: line {number} is not in canonical form")
        records.append(record)
    return records


def _read_raw(folder: Path) -> dict[str, bytes]:
    raw = folder / RAW
    blobs = {}
    for path in sorted(raw.iterdir()) if raw.is_dir() else ():
        data = read_bytes(path)
        if sha256(data) != path.name:
            raise Integrity(f"{RAW}/{path.name}: the bytes do not match the digest in the name")
        blobs[path.name] = data
    return blobs


def rebuild(published: Published, ledger: Ledger) -> None:
    """Fills an empty store with what the folders held."""
    ledger.restore(published.steps, published.blobs)


def label_chain_problems(
    ledger: Ledger, withheld: frozenset[str], notes: Mapping[str, str] | None = None
) -> list[str]:
    """Where the labels of a collected packet are not the whole chain that its desk wrote.

    ``notes`` as in `Published`.
    """
    found = []
    by_packet: dict[str, list[LabelEvent]] = {}
    for event in ledger.all(LabelEvent):
        by_packet.setdefault(event.packet_id, []).append(event)
    for deal in ledger.all(Deal):
        if deal.packet_id in withheld:
            continue
        broken = first_break(by_packet.get(deal.packet_id, []), deal.packet_sha256, notes)
        if broken is not None:
            found.append(f"labels of {deal.assessor} ({deal.kind}): {broken}")
    return found


def raw_problems(ledger: Ledger, present: Collection[str]) -> list[str]:
    """Where the raw bytes ``present`` are not those that the records of a store rest on.

    Every record that names a reply by its digest counts, those of failed requests too (R32): a
    reply that is gone, and bytes that no record names, are sentences.
    """
    named = dict(_named(ledger))
    missing = [
        f"{who}: its raw reply {key[:12]}… is missing"
        for key, who in named.items()
        if key not in present
    ]
    return missing + [
        f"{RAW}/{key}: no record names these bytes" for key in sorted(set(present) - named.keys())
    ]


def _named(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """The digests that records name, each with what rests on it."""
    for run in ledger.all(RunRecord):
        yield from ((key, run.run_id) for key in run.raw_replies)
    for attempt in ledger.all(Attempt):
        if attempt.body is not None:
            yield attempt.body, f"{attempt.run_id}, request {attempt.number}"
    for check in ledger.all(SourceCheck):
        who = f"{check.record_id}, check {check.number}"
        yield from ((said.body, who) for said in check.says if said.body is not None)
    for one in ledger.all(ResolvedId):
        if one.body is not None:
            yield one.body, one.pmcid
