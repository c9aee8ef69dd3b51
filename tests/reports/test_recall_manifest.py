from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from judge.errors import Invalid
from judge.records.recall import ManifestCheck
from judge.reports.recall.manifest import check_manifest
from judge.steps.recalling import score_recall
from tests.reports.recall_files import answer, asked, scored

# One question with three gold papers, one of them found at rank 2.
SCORE = scored([asked("q1", "1", "2", "3"), asked("q2", "4")], [answer("q1", "9", "2")])
THIRD = 1 / 3
DIGESTS = {"q.jsonl": "a" * 64, "r.jsonl.gz": "b" * 64}


def check(manifest: Any) -> ManifestCheck:
    return check_manifest(json.dumps(manifest).encode(), "m.json", DIGESTS, SCORE)


def test_digests_counts_and_figures_that_agree() -> None:
    done = check(
        {
            "artifacts": {
                "data/q.jsonl": {"sha256": "a" * 64},
                "data/r.jsonl.gz": {"sha256": "b" * 64},
            },
            "benchmark": "anything",
            "cutoffs": [10, 20, 50, 100, 200],
            "questions": 2,
            "gold_papers": 4,
            "s_candidate_rows": 2,
            "expected_macro_recall": dict.fromkeys(("10", "20", "50", "100", "200"), THIRD),
        }
    )
    assert done.differs == done.not_named == ()
    assert done.checked == (
        *("SHA-256 of q.jsonl", "SHA-256 of r.jsonl.gz", "cutoffs", "questions"),
        *("gold_papers", "s_candidate_rows", "expected_macro_recall"),
    )


def test_what_differs_is_named_to_the_last_digit() -> None:
    nearly = dict.fromkeys(("10", "20", "50", "100"), THIRD) | {"200": 0.33333333333333337}
    done = check(
        {
            "files": {"r.jsonl.gz": {"sha256": "c" * 64, "bytes": 7}},
            "gold": 5,
            "macro_recall": nearly,
            "match_tier_counts": {"pmid": 1, "doi": 40},
        }
    )
    assert done.differs == (
        f"r.jsonl.gz is {'b' * 64}, the manifest says {'c' * 64}",
        "gold: found 4, expected 5",
        "macro_recall 200: found 0.3333333333333333, expected 0.33333333333333337",
        "match_tier_counts doi: found None, expected 40",
    )
    assert done.not_named == ("q.jsonl",)


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ("{", "not JSON"),
        ("[]", "not a table"),
        ('{"benchmark": "x"}', "nothing in it could be checked"),
        ('{"artifacts": {"other": {"sha256": "0"}}}', "nothing in it could be checked"),
    ],
)
def test_a_manifest_that_says_nothing_is_refused(manifest: str, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        check_manifest(manifest.encode(), "m.json", DIGESTS, SCORE)


def test_the_digests_are_those_of_the_bytes_on_disk(tmp_path: Path) -> None:
    files = {"q.jsonl": asked("q1", "1"), "r.jsonl": answer("q1", "1")}
    for name, row in files.items():
        (tmp_path / name).write_text(json.dumps(row) + "\n", encoding="utf-8")
    digest = hashlib.sha256((tmp_path / "q.jsonl").read_bytes()).hexdigest()
    manifest = {"artifacts": {"q.jsonl": {"sha256": digest}, "r.jsonl": {"sha256": digest}}}
    (tmp_path / "m.json").write_text(json.dumps(manifest), encoding="utf-8")
    done = score_recall(
        tmp_path / "q.jsonl", tmp_path / "r.jsonl", manifest=tmp_path / "m.json"
    ).manifest
    assert done is not None
    (differs,) = done.differs
    assert differs.startswith("r.jsonl is ")
    assert differs.endswith(f"the manifest says {digest}")
