"""A study: its folder, its store, and the stage it has reached.

The five folders are the record, `study.db` is the work. Everything here reads; what changes a
study is in the stages, and goes through the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from judge.canonical import sha256
from judge.clock import Clock
from judge.errors import Integrity, Refused
from judge.files import read_bytes
from judge.records.base import NOT_APPLICABLE
from judge.records.event import StudyEvent
from judge.records.judgement import PacketKind
from judge.records.protocol import Frozen
from judge.records.query import QuerySet
from judge.store.ledger import Ledger

FOLDERS = ("protocol", "queries", "runs", "judgements", "reports")

Stage = Literal["planned", "frozen", "captured", "judging", "adjudicating", "closed", "scored"]
"""How far a study has come; each stage's commands are refused before it."""


@dataclass(frozen=True)
class Study:
    """The paths of a study folder."""

    root: Path

    @classmethod
    def locate(cls, start: Path) -> Study:
        """The study that ``start`` lies in: the nearest folder upwards with a protocol."""
        for folder in (start, *start.parents):
            if (folder / "protocol" / "protocol.toml").is_file():
                return cls(folder)
        raise Refused(
            f"{start} is not inside a study folder",
            hint="judge init DIR, or --study DIR",
        )

    @property
    def protocol(self) -> Path:
        return self.root / "protocol" / "protocol.toml"

    @property
    def rubric(self) -> Path:
        return self.root / "protocol" / "rubric.md"

    @property
    def frozen(self) -> Path:
        return self.root / "protocol" / "frozen.json"

    @property
    def corpus(self) -> Path:
        return self.root / "runs" / "corpus" / "notes.jsonl"

    @property
    def statement(self) -> Path:
        return self.root / "reports" / "statement.toml"

    @property
    def store(self) -> Path:
        return self.root / "study.db"

    def queries(self, which: QuerySet) -> Path:
        """The query file of a set: JSON Lines, or CSV where only that exists."""
        table = self.root / "queries" / f"{which}.csv"
        lines = self.root / "queries" / f"{which}.jsonl"
        if table.is_file() and lines.is_file():
            raise Refused(f"both {table.name} and {lines.name} exist; keep one of them")
        return table if table.is_file() else lines

    def packet(self, code: str, kind: str = "label") -> Path:
        """The packet file of a person."""
        suffix = "" if kind == "label" else f".{kind}"
        return self.root / "packets" / f"{code}{suffix}.packet"

    def packets(self, code: str) -> list[Path]:
        """The packet files of a person that are here, of every kind, labelling first."""
        paths = [self.packet(code, kind) for kind in get_args(PacketKind)]
        return [path for path in paths if path.is_file()]

    def was_frozen(self, clock: Clock) -> bool:
        """Whether there was a freeze, by its file or, where that is gone, by the store."""
        if self.frozen.is_file() or not self.store.is_file():
            return self.frozen.is_file()
        with self.ledger(clock) as ledger:
            return ledger.find(Frozen, "frozen") is not None

    @contextmanager
    def ledger(self, clock: Clock) -> Iterator[Ledger]:
        """The open store. Raises `Refused` where the study has none."""
        if not self.store.is_file():
            if self.frozen.is_file():
                raise Refused(
                    f"{self.root}: a frozen study without its store",
                    hint=f"judge rebuild {self.root}",
                )
            raise Refused(
                f"{self.root}: not frozen yet, so there is no store",
                hint="judge lint, then judge freeze",
            )
        with Ledger.open(self.store, clock) as ledger:
            yield ledger


def check_frozen_files(study: Study, frozen: Frozen, *, corpus: bool = True) -> None:
    """Raises `Integrity` where a file that was frozen by its digest has changed since (R24).

    Without ``corpus`` that of the embedded search may be gone, as from a release it cannot be in.
    """
    expected = {study.rubric: frozen.rubric_sha256}
    for name, digest in frozen.queries_sha256.items():
        expected[study.root / "queries" / name] = digest
    if frozen.corpus_sha256 != NOT_APPLICABLE and (corpus or study.corpus.is_file()):
        expected[study.corpus] = frozen.corpus_sha256
    changed = [path for path, digest in expected.items() if not _holds(path, digest)]
    if changed:
        names = ", ".join(str(path.relative_to(study.root)) for path in changed)
        raise Integrity(
            f"frozen files no longer match their digests: {names}",
            hint="put them back as they were; a wanted change goes through `judge amend`",
        )


def _holds(path: Path, digest: str) -> bool:
    return path.is_file() and sha256(read_bytes(path)) == digest


def anchor(events: tuple[StudyEvent, ...]) -> str:
    """One line to mail or paste somewhere outside: it dates the study's chain for others."""
    last = events[-1]
    return f"blindjudge {last.at_utc} event {last.seq} {last.hash}"
