"""A bundle before a stranger: what was changed is found, and where nothing could find it."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytrec_eval

from judge.cli import run
from judge.errors import Refused
from judge.records.base import Record
from judge.records.judgement import LabelEvent
from judge.records.run import RunRecord
from judge.steps.recording import rebuild_study
from judge.store.bundle import MANIFEST, RELEASE, manifest_problems, names_in, write_manifest
from judge.store.chain import sealed
from judge.study import Study, anchor
from tests.steps.acts import CLOCK
from tests.steps.releases import (
    SHARE_ALL,
    closed_study,
    copied,
    forge,
    proved,
    rechain_reports,
    refile,
    released,
    small_bundle,
    worked_bundle,
)


def test_one_changed_byte_in_any_file_is_found_and_named(tmp_path: Path) -> None:
    root = copied(worked_bundle(), tmp_path)
    source = random.Random(20261130)
    names = names_in(root)
    assert len(names) > 60
    for name in names:
        data = (root / name).read_bytes()
        changed = bytearray(data)
        changed[source.randrange(len(data))] ^= 1 << source.randrange(8)
        (root / name).write_bytes(changed)
        found = proved(root)
        (root / name).write_bytes(data)
        assert found.problems, name
        assert all(MANIFEST in one for one in found.problems)
        assert name == MANIFEST or [name] == [one.split(":")[0] for one in found.problems]
    assert manifest_problems(root) == []


def test_one_file_deleted_is_found_and_named(tmp_path: Path) -> None:
    root = copied(worked_bundle(), tmp_path)
    for name in names_in(root):
        data = (root / name).read_bytes()
        (root / name).unlink()
        named = "" if name == MANIFEST else f", and {MANIFEST} names it"
        assert proved(root).problems == (f"{name}: missing{named}",)
        (root / name).write_bytes(data)


@pytest.mark.parametrize(
    "name", ["runs/raw/" + "0" * 64, "note.txt", ".hidden", "study.db-journal"]
)
def test_one_file_added_is_found_and_named(tmp_path: Path, name: str) -> None:
    root = copied(small_bundle(*SHARE_ALL), tmp_path)
    (root / name).write_bytes(b"x")
    assert proved(root).problems == (f"{name}: {MANIFEST} does not name it",)


def test_a_link_in_the_place_of_a_file_is_found(tmp_path: Path) -> None:
    root = copied(small_bundle(*SHARE_ALL), tmp_path)
    (root / "NOTICE.md").rename(tmp_path / "elsewhere")
    (root / "NOTICE.md").symlink_to(tmp_path / "elsewhere")
    assert proved(root).problems == (f"NOTICE.md: a link, not the file that {MANIFEST} names",)


# --- a forger who writes the manifest anew --------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("judgements/qrels/final.qrels", b" 0\n", b" 1\n"),
        ("judgements/qrels/A.qrels", b" 1\n", b" 0\n"),
        ("judgements/csv/final.csv", b",not_relevant,", b",relevant,"),
        ("judgements/jsonl/B.jsonl", b'"relevant"', b'"uncertain"'),
        ("judgements/losses.json", b'"carried": ', b'"carried": 1'),
        ("runs/trec/K.run", b"q1 Q0 ", b"q1 Q0 0"),
        ("HOW-TO-CHECK.md", b"| K | 2 | ", b"| K | 2 | 1"),
        ("CITATION.cff", b"Code R", b"Code S"),
        ("release.json", b'"benchmark"', b'"record"'),
        ("release.json", b'"held": true', b'"held": false'),
    ],
)
def test_a_forged_file_that_follows_from_the_records_is_found(
    tmp_path: Path, name: str, before: bytes, after: bytes
) -> None:
    root = copied(small_bundle(*SHARE_ALL), tmp_path)
    data = (root / name).read_bytes()
    assert before in data
    (root / name).write_bytes(data.replace(before, after, 1))
    write_manifest(root)
    assert any(one.startswith(f"{name}: is not what the ") for one in proved(root).problems)


def test_a_forged_number_of_the_report_is_found_behind_a_chain_made_anew(tmp_path: Path) -> None:
    root = copied(worked_bundle(), tmp_path)
    told = msgspec.json.decode((root / RELEASE).read_bytes())
    for form in ("json", "md", "html"):
        path = root / told["report"] / f"report.{form}"
        data = path.read_bytes()
        assert b"13/35" in data or b"17/35" in data or b"1/5" in data
        for before in (b"17/35", b"13/35", b"1/5"):
            data = data.replace(before, b"4/5", 1)
        path.write_bytes(data)
    rechain_reports(root)
    refile(root)
    found = proved(root).problems
    assert found == tuple(
        f"{told['report']}/report.{form}: is not what the records amount to"
        for form in ("json", "md", "html")
    )


def test_a_forged_list_is_found_by_reading_its_reply_again(tmp_path: Path) -> None:
    root = copied(small_bundle(*SHARE_ALL), tmp_path)
    forged: list[str] = []

    def swap(records: list[Record]) -> list[Record]:
        made: list[Record] = []
        for one in records:
            assert isinstance(one, RunRecord)
            hits = one.raw_results or ()
            if len(hits) > 1 and not forged:
                first, second, *rest = hits
                hits = (
                    msgspec.structs.replace(second, rank=1),
                    msgspec.structs.replace(first, rank=2),
                    *rest,
                )
                one = msgspec.structs.replace(one, raw_results=hits)
                forged.append(one.run_id)
            made.append(one)
        return made

    forge(root, "run", swap)
    assert manifest_problems(root) == []
    assert (
        f"runs/records.jsonl: {forged[0]} is not what its raw reply says" in proved(root).problems
    )


def test_a_forged_text_is_found_by_what_the_assessor_saw(tmp_path: Path) -> None:
    root = copied(small_bundle(*SHARE_ALL), tmp_path)

    def reword(records: list[Record]) -> list[Record]:
        first, *rest = records
        return [msgspec.structs.replace(first, title="Another paper"), *rest]

    forge(root, "document", reword)
    assert any("saw another text of" in problem for problem in proved(root).problems)


def label_changed(records: list[Record]) -> list[Record]:
    """The first label of the file turned round; the chain of labels as it was."""
    first = next(at for at, one in enumerate(records) if getattr(one, "label", "") == "relevant")
    made = msgspec.structs.replace(records[first], label="not_relevant")
    return [*records[:first], made, *records[first + 1 :]]


def chain_mended(records: list[Record]) -> list[Record]:
    """As `label_changed`, and the packet's chain of labels sealed anew."""
    made: list[Record] = []
    last: dict[str, tuple[str, str]] = {}
    for one in label_changed(records):
        assert isinstance(one, LabelEvent)
        before, now = last.get(one.packet_id, ("", ""))
        prev = now if one.prev_hash == before else one.prev_hash
        again = sealed(msgspec.structs.replace(one, prev_hash=prev))
        last[one.packet_id] = (one.hash, again.hash)
        made.append(again)
    return made


def test_a_forged_label_is_found_by_the_chain_of_the_desk(tmp_path: Path) -> None:
    root = copied(small_bundle(*SHARE_ALL), tmp_path)
    forge(root, "label", label_changed)
    assert any("was changed after it was written" in one for one in proved(root).problems)


def test_a_forged_label_in_a_mended_chain_is_found_by_the_freeze_and_the_report(
    tmp_path: Path,
) -> None:
    root = copied(small_bundle(*SHARE_ALL), tmp_path)
    forge(root, "label", chain_mended)
    found = proved(root).problems
    assert any(one.startswith("judgements/agreement.jsonl: freeze 1 rests on") for one in found)
    assert any("report.json: is not what the records amount to" in one for one in found)


def test_a_whole_study_made_anew_is_told_by_a_line_kept_elsewhere_alone(tmp_path: Path) -> None:
    """The place where no check finds the forger: every file anew, the report with it."""
    honest = small_bundle(*SHARE_ALL)
    forged = tmp_path / "forged"
    released(closed_study(tmp_path / "study", later=True), forged)
    assert proved(honest).problems == proved(forged).problems == ()
    lines = []
    for folder in (honest, forged):
        told = msgspec.json.decode((folder / RELEASE).read_bytes())
        page = (folder / "HOW-TO-CHECK.md").read_text()
        assert told["chain_head"] in page
        assert "Whoever writes every file anew" in page
        lines.append(told["chain_head"])
    assert lines[0] != lines[1]


def test_a_text_that_the_protocol_shares_cannot_be_hidden(tmp_path: Path) -> None:
    """Or a forger could hide any change of a record behind a digest that is only believed."""
    root = copied(small_bundle("raw_results", "title", "note"), tmp_path)
    path = root / "left_out.jsonl"
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"fields":["type"]', b'"fields":["title","type"]'))
    assert path.read_bytes() != data
    write_manifest(root)
    found = proved(root).problems
    assert any("says is gone" in one or "which the protocol shares" in one for one in found)


# --- what is left out -----------------------------------------------------------------------------


@pytest.mark.parametrize("share", [("raw_results",), ("raw_results", "title", "note")])
def test_a_bundle_without_texts_verifies_and_says_what_it_cannot(share: tuple[str, ...]) -> None:
    bundle = small_bundle(*share)
    found = proved(bundle)
    assert found.problems == ()
    assert [one for one in found.passed if one.startswith("cannot: ")] == [
        "cannot: read the lists from replies again, which are left out",
        "cannot: make again what assessors saw, since texts are left out",
        "cannot: compute the rest of reports/2026-11-30-1, which rests on all texts",
    ]
    everything = b"".join((bundle / name).read_bytes() for name in names_in(bundle))
    assert b"Aspirin after a stroke." not in everything
    assert (b"Aspirin and headache" in everything) == ("title" in share)
    with pytest.raises(Refused, match="texts were left out of this release"):
        rebuild_study(bundle, CLOCK)
    assert not (bundle / "study.db").exists()


def test_a_forged_score_is_found_where_texts_are_left_out(tmp_path: Path) -> None:
    root = copied(small_bundle("raw_results"), tmp_path)
    told = msgspec.json.decode((root / RELEASE).read_bytes())
    path = root / told["report"] / "report.json"
    found = msgspec.json.decode(path.read_bytes())
    rows: list[dict[str, Any]] = found["precision"]["per_query"]
    rows[0]["returned"] += 1
    path.write_bytes(msgspec.json.encode(found))
    rechain_reports(root)
    refile(root)
    assert f"{told['report']}/report.json: precision is not what the records amount to" in (
        proved(root).problems
    )


def test_a_forged_list_is_found_by_the_pool_where_replies_are_left_out(tmp_path: Path) -> None:
    root = copied(small_bundle("raw_results"), tmp_path)
    path = root / "runs/records.jsonl"
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"pmid":"1",', b'"pmid":"77",', 1))
    assert path.read_bytes() != data
    write_manifest(root)
    found = proved(root).problems
    assert "judgements/pool.jsonl: pmid:1 of q1 is not what r1/K/q1/1 holds at rank 3" in found


def test_a_field_beside_a_text_that_is_left_out_is_believed(tmp_path: Path) -> None:
    """The other place where no check finds the forger; the page says so."""
    root = copied(small_bundle("raw_results"), tmp_path)
    path = root / "runs/records.jsonl"
    data = path.read_bytes()
    path.write_bytes(re.sub(rb'"score":"[^"]*"', b'"score":"99"', data))
    assert path.read_bytes() != data
    write_manifest(root)
    assert proved(root).problems == ()
    page = (root / "HOW-TO-CHECK.md").read_text("utf-8")
    assert "the digest of such a record covers is believed and not computed" in page


# --- a stranger's two other ways ------------------------------------------------------------------


def test_a_study_is_made_again_and_is_the_same(tmp_path: Path) -> None:
    root = copied(worked_bundle(), tmp_path)
    study = rebuild_study(root, CLOCK)
    told = msgspec.json.decode((root / RELEASE).read_bytes())
    with study.ledger(CLOCK) as ledger:
        assert anchor(ledger.events()) == told["chain_head"]
    assert proved(root).problems == ()
    assert run(["verify", str(root)]) == 0
    (root / "NOTICE.md").write_text("x")  # from a folder inside, too, it is known for a bundle
    assert run(["verify", str(root / "runs")]) == 4
    assert Study.locate(root).root == root


def test_trec_eval_gives_the_means_that_the_page_names() -> None:
    """pytrec_eval as the outside voice: P_5 and P_10 over the complete queries (R58, R61)."""
    root = worked_bundle()
    told = msgspec.json.decode((root / RELEASE).read_bytes())
    report = msgspec.json.decode((root / told["report"] / "report.json").read_bytes())
    with open(root / "judgements/qrels/final.qrels", encoding="utf-8") as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"P_5", "P_10"})
    figures = {
        (row["system"], row["cutoff"], row["query_id"]): row["figure"]
        for row in report["precision"]["per_query"]
        if row["standing"] == "scored"
    }
    seen = set()
    for one in told["trec"]:
        with open(root / f"runs/trec/{one['system']}.run", encoding="utf-8") as file:
            values = evaluator.evaluate(pytrec_eval.parse_run(file))
        sums = Fraction(0)
        for query in one["queries"]:
            exact = Fraction(figures[one["system"], one["k"], query]["lower"]["fraction"])
            assert values[query][f"P_{one['k']}"] == pytest.approx(float(exact), abs=1e-12)
            sums += exact
            seen.add((one["system"], one["k"], query))
        assert Fraction(one["mean"]) == sums / len(one["queries"])
        for query in one["others"]:
            exact = Fraction(figures[one["system"], one["k"], query]["lower"]["fraction"])
            given = values.get(query, {}).get(f"P_{one['k']}")
            assert given is None or given != pytest.approx(float(exact), abs=1e-12)
            seen.add((one["system"], one["k"], query))
    assert seen == figures.keys()
    assert {k for _, k, _ in seen} == {5, 10}
