"""The published form: the folders and the store are each other's inverse, and no line is loose."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from judge.clock import stepping_clock
from judge.errors import Integrity, Invalid, JudgeError
from judge.records.audit import LeakAudit
from judge.records.event import StudyEvent
from judge.records.judgement import Deal, LabelEvent, Packet
from judge.records.run import RunRecord
from judge.store.ledger import KIND_OF, Ledger
from judge.store.published import (
    CHAIN,
    FILES,
    RAW,
    label_chain_problems,
    publish,
    publish_changes,
    read_published,
    rebuild,
    withheld_packets,
)
from tests.steps.studies import START, copy_of, stage, worked


def opened(path: Path) -> Ledger:
    return Ledger.open(path, stepping_clock(START))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The small study, settled and published; its store is there too."""
    folder = copy_of(stage("settled"), tmp_path)
    with opened(folder / "study.db") as ledger:
        publish(ledger, folder)
    return folder


def bytes_of(folder: Path) -> dict[str, bytes]:
    names = [CHAIN, *FILES.values()]
    found = {name: folder / name for name in names if (folder / name).is_file()}
    found |= {f"{RAW}/{path.name}": path for path in (folder / RAW).iterdir()}
    return {name: path.read_bytes() for name, path in found.items()}


def rebuilt(folder: Path, target: Path) -> Ledger:
    ledger = Ledger.empty(target / "study.db", stepping_clock(START))
    rebuild(read_published(folder), ledger)
    return ledger


@pytest.mark.parametrize("study", [lambda: stage("settled"), worked, lambda: stage("pooled")])
def test_publish_rebuild_publish_gives_the_same_bytes(
    tmp_path: Path, study: Callable[[], Path]
) -> None:
    first, second, place = tmp_path / "first", tmp_path / "second", tmp_path / "place"
    with opened(study() / "study.db") as ledger:
        publish(ledger, first)
        kinds = [kind for kind in KIND_OF.values() if kind not in (Deal, Packet, LeakAudit)]
        before = {kind: ledger.all(kind) for kind in kinds}
        events = ledger.events()
    with rebuilt(first, place) as ledger:
        assert {kind: ledger.all(kind) for kind in kinds} == before
        assert ledger.events() == events
        publish(ledger, second)
        assert publish_changes(ledger, first) == {}
    assert bytes_of(second) == bytes_of(first)


def test_every_kind_of_evidence_has_a_file_of_its_own() -> None:
    assert set(FILES) == set(KIND_OF)
    assert len({*FILES.values(), CHAIN}) == len(FILES) + 1


def test_a_file_that_would_not_change_is_left_alone(root: Path) -> None:
    with opened(root / "study.db") as ledger:
        assert publish(ledger, root) == []
        (root / FILES["run"]).write_bytes(b"{}\n")
        (root / FILES["imported_label"]).write_bytes(b"{}\n")  # no label was imported
        assert sorted(publish(ledger, root)) == sorted(
            [root / FILES["imported_label"], root / FILES["run"]]
        )
        assert not (root / FILES["imported_label"]).exists()
        assert publish(ledger, root) == []


# --- what is withheld ---------------------------------------------------------------------------


def test_the_deal_of_a_packet_that_is_out_is_not_published(tmp_path: Path) -> None:
    with opened(worked() / "study.db") as ledger:
        (out,) = withheld_packets(ledger)
        deal = ledger.find(Deal, out)
        assert deal is not None
        assert deal.assessor == "C"
        publish(ledger, tmp_path)
        published = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert deal.order_seed.encode() not in published
        assert deal.packet_sha256.encode() not in published
        others = [one for one in ledger.all(Deal) if one.packet_id != out]
        assert len(others) == 5  # two of labels, one of decisions, two of failure review
        assert all(one.order_seed.encode() in published for one in others)
        # That there is one stays visible: the chain has its event.
        assert out.encode() in (tmp_path / CHAIN).read_bytes()
    found = read_published(tmp_path)
    assert found.withheld == {out}
    with rebuilt(tmp_path, tmp_path / "place") as again:
        assert again.keys(Deal) == {one.packet_id for one in others}
        assert withheld_packets(again) == {out}
        assert again.problems(withheld=frozenset({out})) == []
        assert label_chain_problems(again, frozenset({out})) == []


def test_labels_do_not_leave_with_their_deal(root: Path) -> None:
    # Without this an assessor's labels would drop out of every score, unnoticed.
    for name in ("deal", "packet_head", "audit"):
        lines = (root / FILES[name]).read_bytes().splitlines(keepends=True)
        (root / FILES[name]).write_bytes(b"".join(lines[1:]))
    with pytest.raises(Integrity, match="the deal of a packet that came back is missing"):
        read_published(root)


# --- changed afterwards -------------------------------------------------------------------------


def test_any_byte_of_any_file_is_missed(root: Path) -> None:
    source = random.Random(20261130)
    for name, data in bytes_of(root).items():
        for _ in range(3):
            place = source.randrange(len(data))
            changed = bytearray(data)
            changed[place] ^= 1 << source.randrange(8)
            (root / name).write_bytes(changed)
            with pytest.raises(Integrity) as error:
                read_published(root)
            assert error.value.message
        (root / name).write_bytes(data)
    read_published(root)


@pytest.mark.parametrize("name", [CHAIN, FILES["label"], FILES["run"], FILES["frozen"]])
def test_a_last_line_that_is_cut_is_found_wherever(root: Path, name: str) -> None:
    data = (root / name).read_bytes()
    last = data[:-1].rfind(b"\n") + 1
    for place in {last + 1, last + 2, (last + len(data)) // 2, len(data) - 2, len(data) - 1}:
        (root / name).write_bytes(data[:place])
        with pytest.raises(Integrity) as error:
            read_published(root)
        assert error.value.message == f"{name}: the last line is cut off"


@pytest.mark.parametrize("name", [FILES["label"], FILES["run"], FILES["query"]])
def test_a_line_that_is_gone_doubled_or_moved_is_found(root: Path, name: str) -> None:
    data = (root / name).read_bytes()
    lines = data.splitlines(keepends=True)
    for changed in (lines[1:], lines[:-1], [*lines, lines[-1]], [lines[1], lines[0], *lines[2:]]):
        (root / name).write_bytes(b"".join(changed))
        with pytest.raises(Integrity, match=f"{name}: "):
            read_published(root)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.replace(b'{"', b'{ "', 1), "line 1 is not in canonical form"),
        (lambda data: data.replace(b"\n", b"\r\n"), "line 1 is not in canonical form"),
        (lambda data: data.replace(b'"seq":', b'"seq":1,"seq":', 1), "'seq' stands twice"),
        (lambda data: data.replace(b'"kind"', b'"kid"', 1), "line 1 is not a record"),
        (lambda data: b"\n" + data, "line 1 is not a record"),
        (lambda data: data + b"\x00" * 20, "the last line is cut off"),
        (lambda data: data + b"\x00" * 20 + b"\n", "is not a record"),
        (lambda data: b"\xef\xbb\xbf" + data, "line 1 is not a record"),
        (lambda data: b"", "the last line is cut off"),
    ],
)
def test_a_file_that_was_written_anew_is_found(
    root: Path, change: Callable[[bytes], bytes], words: str
) -> None:
    path = root / FILES["label"]
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(Integrity) as error:
        read_published(root)
    assert words in error.value.message
    assert FILES["label"] in error.value.message


def test_a_file_that_is_gone_is_found(root: Path) -> None:
    for name, data in bytes_of(root).items():
        (root / name).unlink()
        if name == CHAIN:
            with pytest.raises(Invalid, match="this is not a published study"):
                read_published(root)
        elif not name.startswith(RAW):  # a missing reply is the runs' own check
            with pytest.raises(Integrity, match=r"not what was written|belong to no event"):
                read_published(root)
        (root / name).write_bytes(data)
    read_published(root)


def test_a_reply_under_a_wrong_name_is_found(root: Path) -> None:
    (root / RAW / ("0" * 64)).write_bytes(b"another reply")
    with pytest.raises(Integrity, match="bytes do not match the digest in the name"):
        read_published(root)


def test_a_folder_without_a_chain_is_no_published_study(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="this is not a published study"):
        read_published(tmp_path)


def test_published_lines_are_keyed_by_need_and_record_never_by_item(root: Path) -> None:
    with closing(sqlite3.connect(root / "packets" / "A.packet")) as connection:
        ids = [str(one) for (one,) in connection.execute("SELECT item_id FROM item")]
    published = b"".join(bytes_of(root).values())
    assert len(ids) == 7
    assert not [one for one in ids if one.encode() in published]


def test_the_chain_has_a_step_for_everything_that_was_done(root: Path) -> None:
    found = read_published(root)
    kinds = [event.kind for event, _ in found.steps]
    steps = ["created", "frozen", "captured", "pooled", "dealt", "collected", "agreement_frozen"]
    assert [kind for kind in dict.fromkeys(kinds) if kind in steps] == steps
    runs = [
        record
        for _, groups in found.steps
        for group in groups
        for record in group
        if isinstance(record, RunRecord)
    ]
    assert len([run for run in runs if run.status == "executed"]) == 6
    assert all(isinstance(event, StudyEvent) for event, _ in found.steps)
    with rebuilt(root, root / "place") as ledger:
        assert label_chain_problems(ledger, frozenset()) == []
        assert len(ledger.all(LabelEvent)) == 8 + 8 + 2 * 3 + 1
