"""The report as `report.json`: the record that the other forms are printed from."""

from __future__ import annotations

import msgspec

from judge.records.report import Report


def report_json(report: Report) -> bytes:
    """UTF-8 JSON, indented, keys in the order of the record, one newline at the end."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"
