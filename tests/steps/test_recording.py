"""Publish, rebuild, verify: an auditor who has only the folders sees what the store holds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import Integrity, Invalid, JudgeError, Refused
from judge.records.judgement import Deal
from judge.records.run import Document
from judge.steps.importing import import_grades
from judge.steps.judging import (
    collect_packet,
    make_packet,
    unlock_packet,
)
from judge.steps.planning import amend_study
from judge.steps.recording import publish_study, rebuild_study, verify_study
from judge.store.published import CHAIN, FILES
from judge.study import FOLDERS
from tests.steps.acts import CLOCK, at, folders, problems, strangers_copy
from tests.steps.studies import (
    context_of,
    copy_of,
    label_packet,
    labels_of,
    stage,
    worked,
)

# --- publish, rebuild, publish ------------------------------------------------------------------


@pytest.mark.parametrize(
    "study", [lambda: stage("settled"), lambda: stage("judged"), worked], ids=["a", "b", "worked"]
)
def test_a_study_made_again_from_its_folders_is_the_same(
    tmp_path: Path, study: Callable[[], Path]
) -> None:
    context = context_of(copy_of(study(), tmp_path))
    publish_study(context)
    published = folders(context.study.root)
    again = strangers_copy(context.study.root, tmp_path / "again")
    assert problems(again) == ()
    rebuild_study(again, CLOCK)
    assert problems(again) == ()  # with a packet that is still out, too
    assert publish_study(context_of(again)) == []
    assert folders(again) == published
    with context.frozen() as work, context_of(again).frozen() as other:
        assert other.items == work.items
        assert other.ledger.events() == work.ledger.events()


AMENDMENTS: list[tuple[str, str]] = [
    ("protocol.title", "Ein Titel – 標題 🙂"),
    ("protocol.depth.cutoffs", "[1, 3]"),
    ("queries.q1.need", "Papers on aspirin [/]."),
    ("queries.q2.strata", "{}"),
    ("queries.q2.max_year", "2019"),
    ("protocol.comparisons", '[["K", "S"]]'),
]


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(AMENDMENTS), max_size=3),
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1)),
)
def test_any_history_comes_back_as_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory,
    amendments: list[tuple[str, str]],
    texts: list[str],
) -> None:
    tmp_path = tmp_path_factory.mktemp("history")
    context = at("judged", tmp_path)
    for target, after in amendments:
        try:
            amend_study(
                context,
                target=target,
                after=after,
                author="R1",
                reason="Said late.",
                seen="results_seen",
            )
        except (Invalid, Refused):
            continue  # it holds already
    notes = [
        Document(record_id=f"f{n}", title=text, provenance="test")
        for n, text in enumerate(texts)
        if text.strip()
    ]
    if notes:
        with context.frozen() as work:
            work.ledger.record("checked", "notes", notes)
    publish_study(context)
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()
    assert publish_study(context_of(again)) == []
    with context.frozen() as work, context_of(again).frozen() as other:
        assert other.ledger.all(Document) == work.ledger.all(Document)
        assert other.protocol == work.protocol
        assert other.evaluation == work.evaluation
    shutil.rmtree(tmp_path)


def test_imported_labels_come_back_too(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    qrels = context.study.root / "final.qrels"
    with context.frozen() as work:
        lines = [f"{one.query_id} 0 {one.record_id} 1\n" for one in work.pool]
    qrels.write_text("".join(lines))
    import_grades(context, qrels, relevant_from=1, assessor="final")
    publish_study(context)
    again = strangers_copy(context.study.root, tmp_path / "again")
    rebuild_study(again, CLOCK)
    assert problems(again) == ()
    with context.frozen() as work, context_of(again).frozen() as other:
        assert other.items == work.items
        assert {item.state for item in other.items} == {"imported_final"}


def test_a_store_is_never_replaced(tmp_path: Path) -> None:
    root = copy_of(worked(), tmp_path)
    before = (root / "study.db").read_bytes()
    with pytest.raises(Refused, match="a store is never replaced"):
        rebuild_study(root, CLOCK)
    assert (root / "study.db").read_bytes() == before


def test_folders_that_do_not_hold_together_leave_no_store_behind(tmp_path: Path) -> None:
    root = strangers_copy(worked(), tmp_path / "copy")
    path = root / FILES["label"]
    path.write_bytes(path.read_bytes().replace(b'"relevant"', b'"uncertain"', 1))
    with pytest.raises(Integrity, match=r"judgements/labels\.jsonl"):
        rebuild_study(root, CLOCK)
    assert sorted(one.name for one in root.iterdir()) == sorted(FOLDERS)


def test_a_frozen_file_that_changed_is_not_rebuilt_over(tmp_path: Path) -> None:
    root = strangers_copy(worked(), tmp_path / "copy")
    path = root / "protocol" / "rubric.md"
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(Integrity, match=r"protocol/rubric\.md"):
        rebuild_study(root, CLOCK)
    assert not (root / "study.db").exists()


def test_a_folder_that_was_never_published_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="not a published study"):
        rebuild_study(tmp_path, CLOCK)


# --- what may not be published ------------------------------------------------------------------


@pytest.mark.parametrize("made", ["dealt", "A is in", "A was unlocked"])
def test_publishing_waits_for_both(tmp_path: Path, made: str) -> None:
    context = at("judged" if made == "A was unlocked" else "dealt", tmp_path)
    if made == "A is in":
        label_packet(context.study.packet("A"), labels_of(0))
        collect_packet(context, context.study.packet("A"))
    if made == "A was unlocked":
        unlock_packet(context, "A", "a slip")
    before = folders(context.study.root)
    with pytest.raises(Refused, match="not handed in; labels stay closed, so publishing"):
        publish_study(context)
    assert folders(context.study.root) == before


def test_a_study_without_packets_may_be_published(tmp_path: Path) -> None:
    context = at("pooled", tmp_path)
    publish_study(context)
    assert problems(context.study.root) == ()
    assert (context.study.root / CHAIN).is_file()
    assert not (context.study.root / "judgements" / "items.csv").exists()


def test_the_key_of_a_practice_packet_stays_here(tmp_path: Path) -> None:
    context = at("settled", tmp_path)
    make_packet(context, "C")
    publish_study(context)
    with context.frozen() as work:
        (deal,) = [one for one in work.ledger.all(Deal) if one.practice]
    published = folders(context.study.root)
    assert not [name for name, data in published.items() if deal.order_seed.encode() in data]
    assert not [name for name, data in published.items() if deal.packet_sha256.encode() in data]
    assert (
        "withheld: 1 packets that have not come back" in verify_study(context.study, CLOCK).passed
    )
    # Once it has come back there is nothing left to hide.
    label_packet(context.study.packet("C"), lambda title: "relevant")
    collect_packet(context, context.study.packet("C"))
    publish_study(context)
    data = (context.study.root / FILES["deal"]).read_bytes()
    assert deal.order_seed.encode() in data
    again = strangers_copy(context.study.root, tmp_path / "again")
    assert problems(again) == ()
