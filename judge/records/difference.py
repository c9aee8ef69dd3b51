"""What differs between two dated reports of one protocol: two measurements, no correction."""

from __future__ import annotations

from judge.records.base import Record


class Changed(Record, frozen=True, kw_only=True):
    """A figure that is another one in the newer report, as both print it."""

    where: str
    system: str
    cutoff: int
    before: str
    after: str


class ListChange(Record, frozen=True, kw_only=True):
    """What appeared in one system's list of a query, to the deepest cutoff, and what left it."""

    query_id: str
    system: str
    outcome_before: str
    outcome_after: str
    appeared: tuple[str, ...]
    left: tuple[str, ...]
    """Record keys, by rank in the list that has them."""
    stayed: int


class Difference(Record, frozen=True, kw_only=True):
    """Two dated reports of the protocol ``freeze_id``, side by side."""

    freeze_id: str
    before: str
    after: str
    """The dates of the requests that each report rests on."""
    depth: int
    means: tuple[Changed, ...]
    queries: tuple[Changed, ...]
    lists: tuple[ListChange, ...]
    same_lists: int
    """Lists that hold the same records in the same order."""
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    """Queries that only one of the reports has."""
