"""The freeze means bytes: any byte that changes afterwards is found, and what it was is named."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Integrity
from judge.protocol.freeze import (
    check_frozen,
    freeze,
    freeze_id,
    frozen_bytes,
    planned_runs,
    run_id,
)
from judge.records.query import Query, Translation
from tests.steps.studies import TWO_ASSESSORS as PROTOCOL

RUBRIC = b"# Criteria\n"
FILES = {"evaluation.jsonl": b"{}\n", "development.jsonl": b""}
FROZEN = freeze(PROTOCOL, RUBRIC, FILES, b"corpus")
DATA = frozen_bytes(FROZEN)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_the_frozen_file_holds_the_protocol_and_the_digests_of_the_rest() -> None:
    found = json.loads(DATA)
    assert found["rubric_sha256"] == sha256(RUBRIC)
    assert found["queries_sha256"] == {name: sha256(data) for name, data in FILES.items()}
    assert found["corpus_sha256"] == sha256(b"corpus")
    assert found["protocol"]["depth"] == {"cutoffs": [2, 4], "pool": 4, "requested": 5}
    assert json.loads(frozen_bytes(freeze(PROTOCOL, RUBRIC, FILES, None)))["corpus_sha256"] == (
        "not_applicable"
    )


def test_the_frozen_file_is_one_canonical_line() -> None:
    # ASCII keys and no floats: RFC 8785 is then sorted compact JSON.
    plain = json.dumps(json.loads(DATA), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert plain.encode() + b"\n" == DATA
    assert freeze_id(FROZEN) == sha256(DATA)  # what sha256sum prints for the file


def test_bytes_that_are_the_frozen_ones_pass() -> None:
    check_frozen(DATA, FROZEN)


def complaint(found: bytes) -> str:
    with pytest.raises(Integrity) as error:
        check_frozen(found, FROZEN)
    assert f"frozen.json no longer matches freeze {freeze_id(FROZEN)[:12]}…" in error.value.message
    assert error.value.exit_code == 4
    return error.value.message


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (b'"cutoffs":[2,4]', b'"cutoffs":[2,3]', "(changed: protocol.depth.cutoffs)"),
        (b'"pool":4', b'"pool":5', "(changed: protocol.depth.pool)"),
        (b'"gaps":"bounds"', b'"gaps":"bounde"', "(changed: protocol.choices.gaps)"),
        (b'"index_frozen":false', b'"index_frozen":true', "(changed: protocol.index_frozen)"),
        (b"A small study", b"A smell study", "(changed: protocol.title)"),
        (b'"rubric_sha256":"', b'"rubric_sha256":"0', "(changed: rubric_sha256)"),
        (b'"pool":4', b'"poll":4', "(changed: protocol.depth.poll, protocol.depth.pool)"),
        (b'"version":"1"', b'"version":"\xff"', "(changed: the file is no longer JSON)"),
        (b'{"corpus', b'{ "corpus', "(changed: the spelling of the file, not its values)"),
        (b"\n", b"\r\n", "(line ends were changed)"),
        (b"\n", b"", "(changed: the spelling of the file, not its values)"),
    ],
)
def test_what_was_changed_is_named(old: bytes, new: bytes, named: str) -> None:
    assert old in DATA
    assert named in complaint(DATA.replace(old, new))


def test_a_file_that_is_empty_or_cut_is_said_so() -> None:
    for found in (b"", DATA[: len(DATA) // 2], b"null\n", b"[]\n"):
        assert complaint(found)


@given(st.integers(0, len(DATA) - 1), st.integers(0, 7))
def test_any_single_bit_is_found(place: int, bit: int) -> None:
    changed = bytearray(DATA)
    changed[place] ^= 1 << bit
    complaint(bytes(changed))


@pytest.mark.parametrize("field", ["rubric", "queries", "corpus", "protocol"])
def test_everything_that_is_frozen_together_is_in_the_freeze_id(field: str) -> None:
    same: dict[str, Any] = {
        "protocol": PROTOCOL,
        "rubric": RUBRIC,
        "queries": FILES,
        "corpus": b"corpus",
    }
    other: dict[str, Any] = {
        "protocol": msgspec.structs.replace(PROTOCOL, resampling_seed=8),
        "rubric": b"# Criteria \n",
        "queries": FILES | {"development.jsonl": b"\n"},
        "corpus": None,
    }
    assert freeze_id(freeze(**same)) == freeze_id(FROZEN)
    assert freeze_id(freeze(**same | {field: other[field]})) != freeze_id(FROZEN)


def test_the_order_of_files_does_not_matter() -> None:
    turned = dict(reversed(FILES.items()))
    assert frozen_bytes(freeze(PROTOCOL, RUBRIC, turned, b"corpus")) == DATA


def query(name: str, **fields: Any) -> Query:
    return Query(id=name, family="f", need=f"On {name}", text=name, expected="ordinary", **fields)


def test_every_query_at_every_system_gets_a_planned_record() -> None:
    text = '  "IL-6"  '
    queries = [
        query("q1", translations={"S": Translation(text=text, note="plain words")}),
        query("q2"),
    ]
    planned = planned_runs(PROTOCOL, queries)
    assert [(run.query_id, run.system, run.query) for run in planned] == [
        ("q1", "K", "q1"),
        ("q1", "S", text),  # to the byte
        ("q2", "K", "q2"),
        ("q2", "S", "q2"),
    ]
    assert planned[1].run_id == run_id("r1", "S", "q1", 0) == "r1/S/q1/0"
    for run in planned:
        found = msgspec.to_builtins(run)
        assert run.status == "planned"
        assert run.cutoffs == (2, 4)
        assert run.requested == 5
        for field in (
            "retrieved_at_utc",
            "service_version",
            "index_version",
            "raw_results",
            "relevance_judgements",
            "errors_and_notices",
            "outcome",
        ):
            assert found[field] is None  # still to be captured, not empty and not unavailable


def test_the_first_keys_of_a_run_record_are_the_local_record_format() -> None:
    (run, _) = planned_runs(PROTOCOL, [query("q1")])
    assert list(msgspec.to_builtins(run))[:12] == [
        "status",
        "query_id",
        "information_need",
        "query",
        "mode",
        "cutoffs",
        "retrieved_at_utc",
        "service_version",
        "index_version",
        "raw_results",
        "relevance_judgements",
        "errors_and_notices",
    ]


def test_random_edits_never_pass() -> None:
    source = random.Random(20261130)
    for _ in range(200):
        place = source.randrange(len(DATA))
        length = source.randrange(1, 20)
        found = DATA[:place] + source.randbytes(length) + DATA[place + length :]
        if found != DATA:
            complaint(found)
