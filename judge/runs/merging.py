"""Which hits of one query are one record although their identifiers differ (R67).

One service gives the PMID, another the DOI alone, a third only an address and a title. Shown apart
they would be the same paper twice on the desk, which tells that two systems found it. The policy
of the protocol says what joins them:

``same_doi``
    a record without a PMID and the one record with a PMID that has the same DOI, unless their
    titles differ (chapters of a book may share its DOI);
``same_title``
    a record without any public identifier and the one record of the same title.

Two records with public identifiers of their own are never joined by a title: a preprint and its
article stay two items, and so do two papers called "Reply".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from judge.records.protocol import SameRecord
from judge.records.run import Document, Hit, PooledRecord, RunRecord
from judge.runs.identity import doi_key, hit_key, titles_agree, titles_of

SHORTEST_TITLE = 20
"""Characters of a normalised title below which it names no paper ("Editorial", "Reply")."""


def merged_records(
    runs: Mapping[tuple[str, str], RunRecord],
    documents: Mapping[str, Document],
    policy: Collection[SameRecord],
    pool: Iterable[PooledRecord],
) -> dict[str, dict[str, str]]:
    """By query id: the record that a key stands for, for every key that is not its own record.

    ``runs`` is by (system, query). A record that was pooled stays an item of its own whatever is
    learned of it later, and a hit stays with the record it was pooled as: a title or a PMID that
    comes in afterwards changes no label's record.
    """
    pooled: dict[str, list[str]] = {}
    places: dict[tuple[str, str, int], str] = {}
    for record in pool:
        pooled.setdefault(record.query_id, []).append(record.record_id)
        for at in record.found_by:
            places[record.query_id, at.run_id, at.rank] = record.record_id
    found: dict[str, list[tuple[str, Hit]]] = {}
    fixed: dict[str, dict[str, str]] = {}
    for (_, query), run in sorted(runs.items()):
        for hit in run.raw_results or () if run.gave_list() else ():
            key = hit_key(hit, run.service)
            found.setdefault(query, []).append((key, hit))
            if (home := places.get((query, run.run_id, hit.rank))) is not None:
                fixed.setdefault(query, {})[key] = home
    return {
        query: joined
        for query, hits in found.items()
        if (joined := _merged(hits, documents, policy, pooled.get(query, ()), fixed.get(query, {})))
    }


def _merged(
    hits: Iterable[tuple[str, Hit]],
    documents: Mapping[str, Document],
    policy: Collection[SameRecord],
    pooled: Collection[str],
    fixed: Mapping[str, str],
) -> dict[str, str]:
    if not {"same_doi", "same_title"} & set(policy):
        return _kept(dict.fromkeys(key for key, _ in hits), fixed, pooled)
    dois: dict[str, set[str]] = {}
    titles: dict[str, set[str]] = {}
    for key, hit in hits:
        told: list[Hit | Document] = [hit]
        if (document := documents.get(key)) is not None:
            told.append(document)
        dois.setdefault(key, set()).update(doi for one in told if (doi := doi_key(one.doi)))
        titles.setdefault(key, set()).update(titles_of(*told))
    target = dict(fixed)
    if "same_doi" in policy:
        numbered = _index((key for key in dois if key.startswith("pmid:")), dois)
        for key in dois:
            if key.startswith("doi:"):
                homes = numbered.get(key.removeprefix("doi:"), ())
                agreeing = [one for one in homes if titles_agree(titles[key], titles[one])]
                _join(key, {target.get(one, one) for one in agreeing}, target)
    if "same_title" in policy:
        telling = {
            key: {one for one in names if len(one) >= SHORTEST_TITLE}
            for key, names in titles.items()
        }
        public = _index((key for key in telling if not key.startswith("id:")), telling)
        own = _index((key for key in telling if key.startswith("id:")), telling)
        for key in sorted(telling):
            if key.startswith("id:"):
                for title in sorted(telling[key]):
                    known = {target.get(one, one) for one in public.get(title, ())}
                    alone = own[title][0]
                    _join(key, known or {target.get(alone, alone)}, target)
    return _kept(dois, target, pooled)


def _index(keys: Iterable[str], traits: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in sorted(keys):
        for trait in traits[key]:
            found.setdefault(trait, []).append(key)
    return found


def _join(key: str, homes: Collection[str], target: dict[str, str]) -> None:
    """Joins ``key`` to its one home; with two it cannot be told which, so it stays its own."""
    if len(homes) == 1 and key not in target:
        (home,) = homes
        if home != key:
            target[key] = home


def _kept(
    keys: Iterable[str], target: Mapping[str, str], pooled: Collection[str]
) -> dict[str, str]:
    """``target`` with the record that was pooled first in place of a better identifier."""
    groups: dict[str, list[str]] = {}
    for key in keys:
        groups.setdefault(target.get(key, key), []).append(key)
    standing = set(pooled)
    result: dict[str, str] = {}
    for home, members in groups.items():
        already = sorted(key for key in members if key in standing)
        record = home if home in standing or not already else already[0]
        result |= {key: record for key in members if key != record and key not in standing}
    return result
