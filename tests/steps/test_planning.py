"""From files to a freeze and its amendments, with everything that can be wrong with them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.errors import Integrity, Refused
from judge.records.protocol import Frozen
from judge.records.query import FrozenQuery
from judge.records.run import RunRecord
from judge.steps.context import Context
from judge.steps.judging import collect_packet, make_packet, pool_study
from judge.steps.planning import freeze_study, init, read_draft
from judge.steps.running import capture_study
from judge.store.ledger import Ledger
from tests.steps.acts import amend
from tests.steps.studies import (
    DEVELOPMENT,
    NOTES,
    PROTOCOL,
    QUERIES,
    START,
    context_of,
    copy_of,
    label_packet,
    stage,
    write_inputs,
)


@pytest.fixture
def draft(tmp_path: Path) -> Context:
    """A study that is written down and not frozen."""
    write_inputs(tmp_path / "study")
    return context_of(tmp_path / "study")


@pytest.fixture
def frozen(tmp_path: Path) -> Context:
    return context_of(copy_of(stage("frozen"), tmp_path))


def findings(context: Context) -> list[str]:
    return [str(one) for one in read_draft(context.study).problems]


# --- init ---------------------------------------------------------------------------------------


def test_init_makes_the_five_folders_and_lint_says_what_to_fill_in(tmp_path: Path) -> None:
    made = init(tmp_path / "new")
    assert {path.relative_to(tmp_path / "new").parts[0] for path in made} == {
        "protocol",
        "queries",
        "runs",
        "judgements",
        "reports",
    }
    found = findings(context_of(tmp_path / "new"))
    for empty in ("decision", "intended_users", "source_scope", "unacceptable_failures"):
        assert any(empty in one for one in found)


def test_init_does_not_write_into_a_study(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "mine.md").write_text("mine")
    with pytest.raises(Refused, match="holds reports already; nothing was written"):
        init(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["reports"]


# --- lint ---------------------------------------------------------------------------------------


def test_a_study_that_says_everything_can_be_frozen(draft: Context) -> None:
    assert findings(draft) == []


def test_mistakes_of_every_file_are_listed_at_once(draft: Context) -> None:
    broken = PROTOCOL.replace('decision = "Which mode to open first."', 'decision = ""')
    broken = broken.replace("pool = 4", 'pool = "4"').replace("gaps =", "gabs =")
    write_inputs(
        draft.study.root,
        protocol=broken,
        queries=[QUERIES[0], QUERIES[1] | {"family": "g"}, QUERIES[2] | {"expcted": "x"}],
        development=[QUERIES[0] | {"id": "d1"}],
        notes=[NOTES[0], NOTES[1] | {"id": "n1"}],
    )
    found = "\n".join(findings(draft))
    for said in (
        "decision: empty",
        "depth.pool: text ('4') where a whole number is expected",
        "choices.gabs: unknown key (did you mean 'gaps'?)",
        "choices.gaps: missing",
        "unknown key (did you mean 'expected'?)",
        "id 'n1' stands in line 1 already",
    ):
        assert said in found


@pytest.mark.parametrize(
    ("name", "harm", "said"),
    [
        ("protocol/protocol.toml", lambda data: b"", "the file is empty"),
        ("protocol/protocol.toml", lambda data: data[:690], "not TOML"),
        ("protocol/protocol.toml", lambda data: data.replace(b"\n", b"\r\n"), "ends in CRLF"),
        ("protocol/protocol.toml", lambda data: data.replace(b"small", b"sm\xe4ll"), "0xe4"),
        ("protocol/rubric.md", lambda data: b"", "the file is empty"),
        ("protocol/rubric.md", lambda data: b"\xff\xfe" + data, "UTF-16"),
        ("queries/evaluation.jsonl", lambda data: b"", "the file is empty"),
        ("queries/evaluation.jsonl", lambda data: data[:-9], "cut off here"),
        ("queries/evaluation.jsonl", lambda data: data.replace(b"\n", b"\r\n"), "ends in CRLF"),
        (
            "queries/evaluation.jsonl",
            lambda data: data.replace(b'"aspirin"', b'"' + b"a" * 100_000 + b'"'),
            "100,000 characters",
        ),
        (
            "queries/evaluation.jsonl",
            lambda data: data.replace(b'"aspirin"', b'"\\ud83d"'),
            "is a lone surrogate (U+D83D)",
        ),
        ("runs/corpus/notes.jsonl", lambda data: data[:-9], "cut off here"),
        ("runs/corpus/notes.jsonl", lambda data: b"\x00" * 20, "a NUL character"),
    ],
)
def test_a_file_that_is_damaged_stops_a_freeze_and_loses_nothing(
    draft: Context, name: str, harm: Any, said: str
) -> None:
    path = draft.study.root / name
    harmed = harm(path.read_bytes())
    path.write_bytes(harmed)
    assert any(said in one for one in findings(draft)), findings(draft)
    with pytest.raises(Refused, match="before a freeze; nothing was written"):
        freeze_study(draft)
    assert path.read_bytes() == harmed
    assert not draft.study.store.exists()
    assert not draft.study.frozen.exists()


@pytest.mark.parametrize("name", ["protocol/rubric.md", "queries/development.jsonl"])
def test_a_file_that_is_missing_stops_a_freeze(draft: Context, name: str) -> None:
    (draft.study.root / name).unlink()
    assert any("no such file" in one for one in findings(draft))
    with pytest.raises(Refused):
        freeze_study(draft)


def test_an_embedded_service_needs_its_corpus(draft: Context) -> None:
    draft.study.corpus.unlink()
    (found,) = findings(draft)
    assert found.startswith("runs/corpus/notes.jsonl: missing, and the embedded service of K, S")
    with pytest.raises(Refused, match="1 problem stands before a freeze"):
        freeze_study(draft)


def test_lint_after_the_freeze_names_what_was_edited(frozen: Context) -> None:
    assert [str(one) for one in read_draft(frozen.study).warnings] == []
    text = frozen.study.protocol.read_text()
    frozen.study.protocol.write_text(text.replace("pool = 4", "pool = 5"))
    assert [str(one) for one in read_draft(frozen.study).warnings] == [
        "protocol.toml: no longer says what was frozen (changed: depth.pool); "
        "a wanted change goes through judge amend"
    ]


def test_a_reason_key_that_hides_a_key_of_the_desk_warns_and_stops_nothing(
    draft: Context,
) -> None:
    text = draft.study.protocol.read_text()
    draft.study.protocol.write_text(text.replace('key = "a"', 'key = "f"'))
    found = read_draft(draft.study)
    assert found.problems == ()
    assert [str(one) for one in found.warnings] == [
        "protocol.toml: reasons[1].key: 'f' hides the desk's key for 'full text' while a reason "
        "is asked for; another key than f g k t u v"
    ]


def test_hostile_notes_are_taken_as_they_are(draft: Context) -> None:
    texts = [
        "red \x1b[31mTEXT\x1b[0m",
        "a\x00b",
        "x\ud800y",
        "Effect of [/ on Y",
        "safe \u202egnirts\u202c end",
        "benzo[a]pyrene",
        "P<0.001 & more",
    ]
    notes = [
        {"id": f"h{number}", "title": f"Aspirin {text}", "abstract": text, "pmid": f"7{number}"}
        for number, text in enumerate(texts)
    ]
    deep = PROTOCOL.replace("requested = 5", "requested = 30").replace("pool = 4", "pool = 30")
    root = draft.study.root
    write_inputs(root, protocol=deep)
    lines = [json.dumps(note) + "\n" for note in [*NOTES, *notes]]
    (root / "runs" / "corpus" / "notes.jsonl").write_text("".join(lines), encoding="ascii")
    freeze_study(draft)
    capture_study(draft)
    pool_study(draft)
    with draft.frozen() as work:
        found = {document.title: document.abstract for document in work.documents.values()}
    # NUL and a lone surrogate cannot be stored and are repaired; the rest is kept to the byte.
    kept = [text.replace("\x00", "\ufffd").replace("\ud800", "\ufffd") for text in texts]
    assert {f"Aspirin {text}": text for text in kept}.items() <= found.items()
    label_packet(make_packet(draft, "A"), lambda title: "uncertain")
    assert collect_packet(draft, draft.study.packet("A")).events > len(texts)


# --- freeze -------------------------------------------------------------------------------------


def test_a_freeze_fixes_the_files_and_plans_the_runs(draft: Context) -> None:
    done = freeze_study(draft)
    assert (done.queries, done.planned) == (4, 6)
    with draft.frozen() as work:
        assert work.freeze_id == done.freeze_id
        assert [query.id for query in work.evaluation] == ["q1", "q2", "q3"]
        assert [query.id for query in work.development] == ["d1"]
        assert [run.status for run in work.runs] == ["planned"] * 6
        assert [event.kind for event in work.ledger.events()] == ["created", "frozen"]


def test_a_second_freeze_is_refused(frozen: Context) -> None:
    before = frozen.study.store.read_bytes(), frozen.study.frozen.read_bytes()
    for change in (None, PROTOCOL.replace("pool = 4", "pool = 5")):
        if change:
            frozen.study.protocol.write_text(change)
        with pytest.raises(Refused, match="frozen already; frozen files do not change") as error:
            freeze_study(frozen)
        assert error.value.hint == "a change goes through `judge amend`"
    assert (frozen.study.store.read_bytes(), frozen.study.frozen.read_bytes()) == before


def test_a_freeze_that_was_cut_short_is_finished_with_the_same_files_alone(
    frozen: Context,
) -> None:
    # The store knows of the freeze; the file was not written any more.
    whole = frozen.study.frozen.read_bytes()
    frozen.study.frozen.unlink()
    freeze_study(frozen)
    assert frozen.study.frozen.read_bytes() == whole
    frozen.study.frozen.unlink()
    frozen.study.protocol.write_text(PROTOCOL.replace("pool = 4", "pool = 5"))
    with pytest.raises(Refused, match="frozen before, with other files; nothing was written"):
        freeze_study(frozen)
    assert not frozen.study.frozen.exists()


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("protocol/frozen.json", b'"pool":4', b'"pool":5', "changed: protocol.depth.pool"),
        ("protocol/frozen.json", b"[2,4]", b"[2,3]", "changed: protocol.depth.cutoffs"),
        ("protocol/frozen.json", b"\n", b"\r\n", "line ends were changed"),
        ("protocol/rubric.md", b"subject", b"topic", "digests: protocol/rubric.md"),
        ("queries/evaluation.jsonl", b"stroke", b"strokes", "digests: queries/evaluation.jsonl"),
        ("queries/development.jsonl", b"zinc", b"iron", "digests: queries/development.jsonl"),
        ("runs/corpus/notes.jsonl", b"Zinc", b"Iron", "digests: runs/corpus/notes.jsonl"),
    ],
)
def test_a_byte_that_changed_after_the_freeze_stops_every_step_and_is_named(
    frozen: Context, name: str, old: bytes, new: bytes, said: str
) -> None:
    path = frozen.study.root / name
    data = path.read_bytes()
    path.write_bytes(data.replace(old, new, 1))
    before = frozen.study.store.read_bytes()
    for step in (capture_study, pool_study):
        with pytest.raises(Integrity) as error:
            step(frozen)
        assert said in error.value.message
        assert "`judge amend`" in error.value.hint or "git" in error.value.hint
    assert frozen.study.store.read_bytes() == before
    path.write_bytes(data)
    capture_study(frozen)


def test_a_frozen_file_that_is_gone_is_named(frozen: Context) -> None:
    frozen.study.frozen.rename(frozen.study.root / "elsewhere")
    with pytest.raises(Integrity, match=r"protocol/frozen\.json is gone"):
        capture_study(frozen)
    (frozen.study.root / "elsewhere").rename(frozen.study.frozen)
    frozen.study.rubric.unlink()
    with pytest.raises(Integrity, match=r"digests: protocol/rubric\.md"):
        capture_study(frozen)


@pytest.mark.parametrize("step", ["capture", "pool", "packet", "amend"])
def test_nothing_is_run_pooled_dealt_or_amended_before_the_freeze(
    draft: Context, step: str
) -> None:
    steps: dict[str, Callable[[], object]] = {
        "capture": lambda: capture_study(draft),
        "pool": lambda: pool_study(draft),
        "packet": lambda: make_packet(draft, "A"),
        "amend": lambda: amend(draft, "protocol.depth.pool", "3"),
    }
    with pytest.raises(Refused, match="not frozen yet") as error:
        steps[step]()
    assert "judge freeze" in error.value.hint
    assert not draft.study.store.exists()
    assert not (draft.study.root / "packets").exists()


def test_development_queries_may_be_tried_before_the_freeze_and_stay_on_record(
    draft: Context,
) -> None:
    capture_study(draft, development=True)
    with pytest.raises(Refused, match="not frozen yet"):
        pool_study(draft)
    freeze_study(draft)
    with draft.frozen() as work:
        tried = [run for run in work.runs if run.status == "executed"]
        assert {(run.round, run.query_id) for run in tried} == {("development", "d1")}
        assert work.current == {}


def test_a_study_is_one_folder_and_its_store(tmp_path: Path, frozen: Context) -> None:
    # Another study's frozen file beside this store: neither is taken for the other.
    other = tmp_path / "other"
    write_inputs(other, protocol=PROTOCOL.replace("A small study", "Another study"))
    freeze_study(context_of(other))
    shutil.copyfile(other / "protocol" / "frozen.json", frozen.study.frozen)
    with pytest.raises(Integrity, match=r"changed: protocol\.title"):
        capture_study(frozen)


def test_the_frozen_record_is_read_back(frozen: Context) -> None:
    with Ledger.open(frozen.study.store, lambda: START) as ledger:
        assert ledger.count(Frozen) == 1
        assert ledger.count(RunRecord) == 6
        assert ledger.count(FrozenQuery) == len(QUERIES) + len(DEVELOPMENT)
