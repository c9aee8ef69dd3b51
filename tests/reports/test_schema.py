"""The schema of `report.json`: versioned, and true of the reports that are written."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.records.report import SCHEMA_VERSION, Report
from judge.reports.build import build
from judge.reports.material import Material
from judge.reports.render.data import report_json
from judge.reports.schema import report_schema
from tests.reports.studies import plan, study

ROOT = Path(__file__).parents[2]
# Version and SHA-256 of its shape. Another shape is another version: add a line, keep the old.
SHAPES = {2: "50a0d29e245af91b672d2c21be8c5e93a452ab4d66c9544ca3b9d52a7cfa2fd2"}


def shape(value: Any) -> Any:
    """A schema without its words, which may be better said without a new version."""
    if isinstance(value, dict):
        return {
            name: shape(inner)
            for name, inner in value.items()
            if not (name in ("title", "description") and isinstance(inner, str))
        }
    return [shape(inner) for inner in value] if isinstance(value, list) else value


def test_another_shape_is_another_version() -> None:
    found = json.dumps(shape(report_schema()), sort_keys=True).encode()
    digest = hashlib.sha256(found).hexdigest()
    assert max(SHAPES) == SCHEMA_VERSION
    assert digest == SHAPES[SCHEMA_VERSION], (
        "the shape of report.json has changed: raise judge.records.report.SCHEMA_VERSION and pin "
        f"{digest} to it above; where this version was never released, pin it anew"
    )


@pytest.mark.parametrize("material", [study(), plan()], ids=["judged", "planned"])
def test_a_report_is_read_back_strictly_as_the_same(material: Material) -> None:
    report = build(material, version="0.0")
    assert msgspec.json.decode(report_json(report), type=Report, strict=True) == report


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("criteria"),
        lambda data: data.update(more=1),
        lambda data: data["head"].update(status="benchmark"),
        lambda data: data["precision"]["per_query"][0]["figure"].update(lower=0.6),
    ],
)
def test_what_is_no_report_is_not_read(damage: Callable[[dict[str, Any]], object]) -> None:
    written = json.loads(report_json(build(study(), version="0.0")))
    damage(written)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(written), type=Report, strict=True)


def test_the_schema_names_every_field_in_order_and_allows_no_other() -> None:
    whole = report_schema()["$defs"]["Report"]
    assert list(whole["properties"]) == whole["required"] == list(Report.__struct_fields__)
    assert whole["properties"]["schema_version"] == {"const": SCHEMA_VERSION}
    for record in report_schema()["$defs"].values():
        assert record["additionalProperties"] is False


def test_the_worked_study_was_written_in_this_version() -> None:
    paths = sorted((ROOT / "reports").glob("*/report.json"))
    assert paths
    for path in paths:
        found = msgspec.json.decode(path.read_bytes(), type=Report, strict=True)
        assert found.schema_version == SCHEMA_VERSION


def test_the_documentation_names_every_field_in_its_order() -> None:
    text = (ROOT / "docs" / "report-json.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE) == list(Report.__struct_fields__)
    assert f"version {SCHEMA_VERSION}" in text
