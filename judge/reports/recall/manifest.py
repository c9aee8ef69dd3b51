"""A manifest held against the inputs and the figures of a recall: digests, counts, expected values.

Read are: ``artifacts`` or ``files`` (name of a file to ``{"sha256": …}``); every field of
`RecallScore` by its own name or with ``expected_`` before it; and ``questions``, ``gold_papers`` or
``gold``, and ``…candidate_rows``. Figures must be equal to the last digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import msgspec

from judge.errors import Invalid
from judge.files import decode_text, parse_json
from judge.records.recall import ManifestCheck, RecallScore

_OTHER_NAMES = {
    "questions": "num_input_questions",
    "gold_papers": "num_input_gold",
    "gold": "num_input_gold",
}
_FIGURES = (
    "cutoffs",
    "num_input_questions",
    "num_input_gold",
    "num_scored_questions",
    "num_missing_questions",
    "num_failure_records",
    "num_failed_questions",
    "num_unattempted_questions",
    "num_empty_answers",
    "num_candidates",
    "total_gold",
    "macro_recall",
    "micro_recall",
    "match_tier_counts",
)


def check_manifest(
    data: bytes, name: str, digests: Mapping[str, str], score: RecallScore
) -> ManifestCheck:
    """What ``data`` says of the input files (``digests``: file name to SHA-256) and the figures.

    Raises `Invalid` where it is not JSON or says nothing that could be checked.
    """
    try:
        manifest = parse_json(decode_text(data, name, crlf=True))
    except ValueError as error:
        raise Invalid(f"{name}: not JSON: {error}") from None
    if not isinstance(manifest, dict):
        raise Invalid(f"{name}: not a table; a manifest is one JSON object")
    listed = {
        PurePosixPath(path).name: entry.get("sha256")
        for key in ("artifacts", "files")
        for path, entry in _table(manifest.get(key)).items()
        if isinstance(entry, dict)
    }
    checked: list[str] = []
    differs: list[str] = []
    for file, digest in digests.items():
        if file in listed:
            checked.append(f"SHA-256 of {file}")
            if listed[file] != digest:
                differs.append(f"{file} is {digest}, the manifest says {listed[file]}")
    figures = msgspec.to_builtins(score)
    for key, expected in manifest.items():
        field = _field(key)
        if field is not None:
            checked.append(key)
            differs += _compare(key, expected, figures[field])
    if not checked:
        raise Invalid(
            f"{name}: nothing in it could be checked",
            hint='a manifest names files ("artifacts": {NAME: {"sha256": …}}) or figures '
            '("expected_macro_recall": {"10": …})',
        )
    return ManifestCheck(
        checked=tuple(checked),
        differs=tuple(differs),
        not_named=tuple(file for file in digests if file not in listed),
    )


def _field(key: str) -> str | None:
    name = key.removeprefix("expected_")
    if name.endswith("candidate_rows"):
        return "num_candidates"
    name = _OTHER_NAMES.get(name, name)
    return name if name in _FIGURES else None


def _compare(key: str, expected: Any, found: Any) -> list[str]:
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            f"{key} {part}: found {found.get(part)!r}, expected {expected.get(part)!r}"
            for part in dict.fromkeys((*expected, *found))
            if expected.get(part) != found.get(part)
        ]
    if isinstance(found, tuple):
        found = list(found)
    return [] if expected == found else [f"{key}: found {found!r}, expected {expected!r}"]


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
