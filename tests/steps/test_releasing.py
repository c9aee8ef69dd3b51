"""The release gate: what it lists, what it refuses, and what a bundle holds (R39, R79, R82)."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from pathlib import Path

import msgspec
import pytest

from judge.cli import run
from judge.errors import Refused
from judge.records.protocol import SHARED
from judge.steps.importing import import_grades
from judge.steps.judging import pool_study
from judge.steps.planning import freeze_study
from judge.steps.releasing import Released
from judge.steps.reporting import report_study
from judge.steps.running import capture_study
from judge.store.bundle import MANIFEST, RELEASE, names_in
from judge.store.published import CHAIN, FILES
from tests.steps.acts import amend, folders
from tests.steps.releases import (
    SHARE_ALL,
    closed_study,
    released,
    small_bundle,
    worked_bundle,
)
from tests.steps.studies import PROTOCOL, context_of, copy_of, stage, worked, write_inputs


def missing(found: Released) -> dict[str, str]:
    return {line.name: line.found for line in found.missing}


# --- the gate -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("frozen", {"executed run records", "judgement coverage", "failure handling"}),
        ("captured", {"executed run records", "judgement coverage"}),
        ("dealt", {"executed run records", "judgement coverage", "blindness"}),
        ("disputed", {"executed run records", "judgement coverage"}),
        ("settled", {"executed run records"}),
    ],
)
def test_what_is_missing_at_each_stage(tmp_path: Path, made: str, expected: set[str]) -> None:
    """The small study of the stages has no sharing decision, so its lists may not be shared, and
    no report."""
    root = copy_of(stage(made), tmp_path)
    target = tmp_path / "bundle"
    found = released(root, target)
    assert set(missing(found)) == (expected - {"failure handling"}) | {"limitations"}
    assert all(line.mend for line in found.missing)
    assert not any(line.mend for line in found.gate if line.held)
    assert found.folder is None
    assert [path.name for path in tmp_path.iterdir()] == ["study"]


def test_the_gate_holds_the_six_checks_and_the_rest(tmp_path: Path) -> None:
    found = released(worked(), None)
    assert [line.name for line in found.gate if line.rule == "R79"][:6] == [
        "query set",
        "executed run records",
        "rubric",
        "judgement coverage",
        "failure handling",
        "limitations",
    ]
    assert {line.rule for line in found.gate} == {"R79", "R24", "R39", "R51", "R81", "R82"}
    assert found.missing == ()
    assert found.folder is None


def test_labels_stay_closed_while_a_packet_is_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_of(stage("dealt"), tmp_path)
    assert run(["release", "--study", str(root)]) == Refused.exit_code
    said = capsys.readouterr().out
    assert "packets are out" in said
    assert not re.search(r"\d+ of \d+ pooled", said)


def test_an_unanswered_failure_is_missing(tmp_path: Path) -> None:
    root = copy_of(closed_study(tmp_path / "made"), tmp_path)
    (root / "reports/statement.toml").unlink()
    found = missing(released(root, tmp_path / "bundle"))
    assert found["failure handling"] == "no answer to wrong-drug"
    assert found["limitations"] == "no report of the study as it is now"
    assert not (tmp_path / "bundle").exists()


def test_a_report_of_an_earlier_state_is_no_report_of_this_one(tmp_path: Path) -> None:
    root = closed_study(tmp_path / "study")
    context = context_of(root, start="2026-12-01T08:00:00Z", entropy="later")
    amend(context, "protocol.intended_users", '"Curators"')
    assert list(missing(released(root, None))) == ["limitations"]
    report_study(context)
    assert released(root, None).missing == ()


def test_what_a_gate_says_to_type_mends_it(tmp_path: Path) -> None:
    root = closed_study(tmp_path / "study", share=())
    (line,) = released(root, None).missing
    assert (line.name, line.mend) == (
        "executed run records",
        "judge amend --target protocol.sharing",
    )
    said = ["--after", '{"raw_results": "share"}', "--author", "R", "--reason", "It may be."]
    seen = ["--seen", "results_seen", "--study", str(root)]
    assert run([*line.mend.split()[1:], *said, *seen]) == 0
    assert run(["report", "--study", str(root)]) == 0
    assert run(["release", str(tmp_path / "bundle"), "--study", str(root)]) == 0
    assert run(["verify", str(tmp_path / "bundle")]) == 0


def test_no_number_of_disagreements_is_told_while_they_are_settled(tmp_path: Path) -> None:
    found = missing(released(copy_of(stage("disputed"), tmp_path), None))
    assert found["judgement coverage"] == "pooled items wait for a person"


def test_labels_made_elsewhere_make_a_record_and_no_more(tmp_path: Path) -> None:
    root = tmp_path / "study"
    write_inputs(root, protocol=PROTOCOL + '\n[sharing]\nraw_results = "share"\n')
    context = context_of(root)
    freeze_study(context)
    capture_study(context)
    pool_study(context)
    with context.frozen() as work:
        pairs = [(one.query_id, one.record_id) for one in work.pool]
    path = tmp_path / "final.qrels"
    path.write_text("".join(f"{query} 0 {record} 1\n" for query, record in pairs))
    import_grades(context, path, relevant_from=1, assessor="final")
    report_study(context)
    found = released(root, tmp_path / "bundle")
    assert (found.missing, found.kind) == ((), "record")
    for name in names_in(tmp_path / "bundle"):
        assert b"benchmark" not in (tmp_path / "bundle" / name).read_bytes().lower(), name


# --- credentials and addresses --------------------------------------------------------------------

KEY = "k3y-0f-a-service-1234567"


def test_a_key_in_any_file_stops_the_release(tmp_path: Path) -> None:
    root = closed_study(tmp_path / "study")
    (root / ".env").write_text(f"SOME_TOKEN={KEY}\nBASE=http://127.0.0.1:9\n")
    assert missing(released(root, None)) == {}
    bad = closed_study(tmp_path / "bad", title=f"A small study {KEY}")
    (bad / ".env").write_text(f"SOME_TOKEN={KEY}\n")
    found = released(bad, tmp_path / "bundle")
    assert missing(found)["credentials"].startswith("a key stands in CITATION.cff, ")
    assert KEY not in json.dumps([line.found + line.mend for line in found.gate])
    assert not (tmp_path / "bundle").exists()


def test_an_address_in_any_file_stops_the_release(tmp_path: Path) -> None:
    root = closed_study(tmp_path / "study", title="A small study, ask someone@example.org")
    found = missing(released(root, tmp_path / "bundle"))
    assert list(found) == ["addresses"]
    assert found["addresses"].startswith("an e-mail address stands in CITATION.cff, ")
    assert not (tmp_path / "bundle").exists()


# --- what a bundle may be called ------------------------------------------------------------------


def test_scripted_labels_never_carry_the_word() -> None:
    bundle = worked_bundle()
    for name in names_in(bundle):
        assert b"benchmark" not in (bundle / name).read_bytes().lower(), name
    for name in ("HOW-TO-CHECK.md", "NOTICE.md", "CITATION.cff"):
        assert "worked example" in (bundle / name).read_text("utf-8")
    assert msgspec.json.decode((bundle / RELEASE).read_bytes())["kind"] == "worked_example"


def test_a_whole_blind_human_study_carries_it() -> None:
    bundle = small_bundle(*SHARE_ALL)
    assert "This bundle is a benchmark." in (bundle / "NOTICE.md").read_text("utf-8")
    assert msgspec.json.decode((bundle / RELEASE).read_bytes())["kind"] == "benchmark"


# --- what is in it --------------------------------------------------------------------------------


def test_a_bundle_is_a_published_study_and_its_exports() -> None:
    bundle = worked_bundle()
    theirs = folders(worked())
    names = set(names_in(bundle))
    assert {CHAIN, *FILES.values()} & theirs.keys() <= names
    for name in names & theirs.keys():
        assert (bundle / name).read_bytes() == theirs[name], name
    assert not {name for name in names if name.endswith((".packet", ".db", ".env"))}
    for code in ("A", "B", "final"):
        rows = [
            msgspec.json.decode(line)
            for line in (bundle / f"judgements/jsonl/{code}.jsonl").read_bytes().splitlines()
        ]
        with open(bundle / f"judgements/csv/{code}.csv", encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        assert [row["label"] or "" for row in rows] == [row["label"] for row in table]
        graded = [row for row in rows if row["label"] in ("relevant", "not_relevant")]
        qrels = (bundle / f"judgements/qrels/{code}.qrels").read_text("utf-8").splitlines()
        assert len(qrels) == len(graded)


def test_what_a_format_cannot_carry_is_counted() -> None:
    """By hand from the first labels of the small study: of 7 items A could not judge two, B one
    item uncertain and one that could not be judged."""
    losses = msgspec.json.decode((small_bundle(*SHARE_ALL) / "judgements/losses.json").read_bytes())
    by_file = {loss["file"]: loss for loss in losses}
    first = by_file["judgements/qrels/A.qrels"]
    assert (first["carried"], first["lost"]["no_grade_cannot_judge"]) == (5, 2)
    second = by_file["judgements/qrels/B.qrels"]
    assert (second["carried"], second["lost"]["no_grade_uncertain"]) == (5, 1)
    assert second["lost"]["no_grade_cannot_judge"] == 1
    assert by_file["judgements/jsonl/A.jsonl"]["lost"] == {}


def test_a_run_file_is_ranked_as_the_service_ranked() -> None:
    bundle = worked_bundle()
    for system in ("keyword", "semantic"):
        last: dict[str, tuple[int, int]] = {}
        for line in (bundle / f"runs/trec/{system}.run").read_text("utf-8").splitlines():
            query, q0, _, rank, score, tag = line.split(" ")
            assert (q0, tag) == ("Q0", system)
            before, above = last.get(query, (0, 10**9))
            assert int(rank) == before + 1
            assert int(score) < above
            last[query] = (int(rank), int(score))
        assert len(last) > 5


def test_the_manifest_is_what_sha256sum_reads() -> None:
    bundle = worked_bundle()
    lines = (bundle / MANIFEST).read_text("utf-8").splitlines()
    listed = {name: told for told, name in (line.split("  ", 1) for line in lines)}
    assert sorted(listed) == [name for name in names_in(bundle) if name != MANIFEST]
    for name, told in listed.items():
        assert hashlib.sha256((bundle / name).read_bytes()).hexdigest() == told


def test_the_citation_names_nobody_that_the_protocol_does_not() -> None:
    """Fields and types of the Citation File Format 1.2.0 schema, which has these required."""
    lines = (small_bundle(*SHARE_ALL) / "CITATION.cff").read_text("utf-8").splitlines()
    fields = dict(line.split(": ", 1) for line in lines if not line.startswith(("authors", " ")))
    assert {"cff-version", "message", "title"} <= fields.keys()
    assert fields["cff-version"] == '"1.2.0"'
    assert fields["date-released"] == '"2026-12-02"'
    assert re.fullmatch(r'"[0-9a-f]{64}"', fields["version"])
    assert lines[-2:] == ["authors:", '  - name: "Code R"']


def test_every_field_has_a_decision_and_silence_leaves_it_out() -> None:
    told = msgspec.json.decode((small_bundle("raw_results") / RELEASE).read_bytes())
    assert told["sharing"] == {
        name: "share" if name == "raw_results" else "leave_out" for name in SHARED
    }
    # Nine notes, seven of them pooled, each found in both lists or one; three notes of assessors.
    assert told["left_out"]["raw replies"] == len(
        {path.name for path in (small_bundle(*SHARE_ALL) / "runs/raw").iterdir()}
    )


# --- where it goes --------------------------------------------------------------------------------


def test_a_release_never_replaces_anything(tmp_path: Path) -> None:
    root = closed_study(tmp_path / "study")
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for target in (tmp_path / "there", tmp_path / "link", root / "bundle"):
        with pytest.raises(Refused):
            released(root, target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "study", "there"]


def test_the_same_study_gives_the_same_bundle(tmp_path: Path) -> None:
    root = closed_study(tmp_path / "study")
    for name in ("one", "two"):
        released(root, tmp_path / name)
    assert names_in(tmp_path / "one") == names_in(tmp_path / "two")
    for name in names_in(tmp_path / "one"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_command_prints_the_list_and_ends_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = copy_of(stage("settled"), tmp_path)
    assert run(["release", str(tmp_path / "bundle"), "--study", str(root)]) == 3
    said = capsys.readouterr()
    assert "MISSING  executed run records" in said.out
    assert "Next: judge amend --target protocol.sharing" in said.out
    assert "nothing was written" in said.err
    assert run(["release", "--json", "--study", str(root)]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["missing"] == 2
    assert told["released"] is None
    assert all(len(line) <= 80 for line in said.out.splitlines())
