"""What makes two papers the same paper for recall: PMID and DOI as they are compared.

These are the rules of the published evaluation (`score.py` of elicit/elicit-paper-search-eval at
27cda82), kept to the letter so that every figure can be set beside the published ones. They read
less than `judge.runs.identity` does: what they leave unread is counted by
`judge.reports.recall.traps` and never repaired. Titles are compared by `judge.text.title_key`.
"""

from __future__ import annotations

import re

# Also of case and of digits outside ASCII, as the reference reads them.
_PUBMED = re.compile(
    r"https?://pubmed\.ncbi\.nlm\.nih\.gov/(\d+)/?(?:[?#].*)?",
    re.IGNORECASE,
)
_DOI_PREFIXES = (
    "https://doi.org/",
    "http://doi.org/",
    "https://dx.doi.org/",
    "http://dx.doi.org/",
    "doi:",
)


def pmid_key(value: str | int | None) -> str | None:
    """A PMID without blanks around it and zeros before it; the number of a PubMed address.

    Whatever else stands there is its own key: ``PMID:1`` and ``1.0`` are not 1.
    """
    if value is None:
        return None
    text = str(value).strip()
    if (address := _PUBMED.fullmatch(text)) is not None:
        text = address[1]
    return text.lstrip("0") or None


def doi_key(value: str | None) -> str | None:
    """A DOI in lower case without one prefix (``doi:``, an address of doi.org or dx.doi.org)."""
    if value is None:
        return None
    text = value.strip().lower()
    if text.startswith(_DOI_PREFIXES):
        prefix = next(one for one in _DOI_PREFIXES if text.startswith(one))
        text = text[len(prefix) :].strip()
    return text or None
