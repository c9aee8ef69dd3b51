"""What every record has in common: strict, frozen, unknown keys refused."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of everything a study reads or writes. Field order is the order in files."""


UNAVAILABLE = "unavailable"
"""Looked for and not exposed (R31, R41); never blank, never null."""

NOT_APPLICABLE = "not_applicable"
"""Absent by protocol (R41)."""
