"""PMCIDs to PMIDs where keys are derived: one paper is one record, on whichever page it was found.

Pure functions. A run record is never changed: what is made here is for keys and matching alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from judge.records.run import Hit, RunRecord
from judge.records.source import ResolvedId
from judge.runs.identity import pmcid_key, pmid_key


def unresolved(runs: Iterable[RunRecord]) -> tuple[str, ...]:
    """The PMCIDs of hits without a PMID, in the order in which they were found."""
    found = (
        pmcid_key(hit.pmcid)
        for run in runs
        for hit in run.raw_results or ()
        if pmid_key(hit.pmid) is None
    )
    return tuple(dict.fromkeys(key for key in found if key is not None))


def with_pmids(
    runs: tuple[RunRecord, ...], resolved: Mapping[str, ResolvedId]
) -> tuple[RunRecord, ...]:
    """``runs`` whose hits have the PMID that their PMCID was resolved to."""
    pmids = {key: one.pmid for key, one in resolved.items() if one.state == "resolved" and one.pmid}
    return tuple(_with(run, pmids) for run in runs) if pmids else runs


def _with(run: RunRecord, pmids: Mapping[str, str]) -> RunRecord:
    if not run.raw_results:
        return run
    hits = tuple(_hit(hit, pmids) for hit in run.raw_results)
    return run if hits == run.raw_results else msgspec.structs.replace(run, raw_results=hits)


def _hit(hit: Hit, pmids: Mapping[str, str]) -> Hit:
    key = pmcid_key(hit.pmcid)
    if key is None or key not in pmids or pmid_key(hit.pmid) is not None:
        return hit
    return msgspec.structs.replace(hit, pmid=pmids[key])
