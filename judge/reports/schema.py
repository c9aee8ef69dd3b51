"""The JSON Schema of `report.json`, made from the record itself."""

from __future__ import annotations

from typing import Any

import msgspec

from judge.records.report import SCHEMA_VERSION, Report


def report_schema() -> dict[str, Any]:
    """Draft 2020-12. ``schema_version`` is held to the one version that it describes."""
    schema = msgspec.json.schema(Report)
    schema["$defs"]["Report"]["properties"]["schema_version"] = {"const": SCHEMA_VERSION}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
