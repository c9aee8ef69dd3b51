"""Questions and results files of any size, with the recall that was planned for them.

The plan is tallied while the files are written, from the ranks at which hits were put, so that it
owes nothing to any scorer. The same seed gives the same bytes.
"""

from __future__ import annotations

import gzip
import json
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

CUTOFFS = (10, 20, 50, 100, 200)
_SYLLABLES = [first + second for first in "bcdfghklmnprstvz" for second in "aeiou"]
_ODD = ("T-cell", "TNF-α", "IL-6", "(p53)", "Sjögren’s", "β-catenin", "Ca²⁺", "Guillain–Barré")


def make(folder: Path, *, questions: int, depth: int = 200, seed: int = 7) -> dict[str, Any]:
    """Writes bioasq.jsonl, results.jsonl.gz, results_partial.jsonl, failures.jsonl and
    expected.json, as the published evaluation names its files; returns what is expected."""
    random = Random(seed)
    full: list[tuple[int, list[int]]] = []
    part: list[tuple[int, list[int]]] = []
    tiers: Counter[str] = Counter()
    asked, answers, kept, failures = [], [], [], []
    for number in range(questions):
        identifier = f"golden_enriched:{number:024x}"
        gold = [_paper(random, number * 100 + place) for place in range(random.randint(1, 20))]
        slots: dict[int, dict[str, Any]] = {}
        ranks = []
        for paper in gold:
            rank = random.randint(1, depth)
            if random.random() < 0.6 and rank not in slots:
                tier = random.choice(("pmid", "doi", "title"))
                slots[rank] = _found(random, paper, tier)
                tiers[tier] += 1
                ranks.append(rank)
                if rank < depth and random.random() < 0.1:  # found again: earns nothing
                    slots.setdefault(rank + 1, {"pmid": paper["pmid"], "doi": None, "title": None})
        candidates = [
            {"rank": rank, **(slots.get(rank) or _paper(random, 10**7 + number * 1000 + rank))}
            for rank in range(1, depth + 1)
        ]
        if random.random() < 0.05:
            random.shuffle(candidates)
        answer = {"question_id": identifier, "provider": "made", "candidates": candidates}
        asked.append({"question_id": identifier, "max_year": 2020, "gold": gold, "queries": {}})
        answers.append(answer)
        full.append((len(gold), ranks))
        match number % 50:
            case 7:
                pass  # not attempted
            case 8:
                failures.append({"question_id": identifier, "error": "HTTP 503"})
            case 9:
                kept.append({**answer, "candidates": []})
                part.append((len(gold), []))
            case _:
                kept.append(answer)
                part.append((len(gold), ranks))
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "bioasq.jsonl", asked)
    (folder / "results.jsonl.gz").write_bytes(gzip.compress(_lines(answers), mtime=0))
    _write(folder / "results_partial.jsonl", kept)
    _write(folder / "failures.jsonl", failures)
    expected = {
        **_tally(full),
        "match_tier_counts": dict(sorted(tiers.items())),
        "partial": {
            **_tally(part),
            "num_missing_questions": questions - len(part),
            "num_failed_questions": len(failures),
            "num_empty_success": sum(number % 50 == 9 for number in range(questions)),
        },
        "rows": questions * depth,
    }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1), encoding="utf-8")
    return expected


def _tally(rows: list[tuple[int, list[int]]]) -> dict[str, Any]:
    """Macro and micro recall of (number of gold papers, ranks of those found)."""
    macro, micro = {}, {}
    for k in CUTOFFS:
        found = [sum(rank <= k for rank in ranks) for _, ranks in rows]
        total = 0.0
        for (gold, _), count in zip(rows, found, strict=True):
            total += count / gold
        macro[str(k)] = total / len(rows)
        micro[str(k)] = sum(found) / sum(gold for gold, _ in rows)
    return {
        "macro_recall": macro,
        "micro_recall": micro,
        "num_scored_questions": len(rows),
        "total_gold": sum(gold for gold, _ in rows),
    }


def _paper(random: Random, number: int) -> dict[str, Any]:
    words = ["".join(random.choices(_SYLLABLES, k=random.randint(1, 4))) for _ in range(12)]
    words[random.randrange(12)] = f"KIAA{number}"
    if random.random() < 0.3:
        words.insert(random.randrange(12), random.choice(_ODD))
    return {
        "provider_id": f"made-{number}",
        "pmid": str(10**8 + number),
        "doi": f"10.5555/X.{number}",
        "title": " ".join(words).capitalize() + ".",
        "year": random.randint(1980, 2025),
    }


def _found(random: Random, paper: dict[str, Any], tier: str) -> dict[str, Any]:
    """A candidate that is the paper by one tier, in a form the scorer reads, and by none before."""
    pmid, doi, title = paper["pmid"], paper["doi"], paper["title"]
    match tier:
        case "pmid":
            forms: tuple[Any, ...] = (
                *(pmid, f"00{pmid}", int(pmid), f" {pmid} "),
                f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
            )
            return {"pmid": random.choice(forms), "doi": None, "title": "Another"}
        case "doi":
            forms = (doi, doi.lower(), f"https://doi.org/{doi}", f"DOI: {doi}")
            return {"pmid": f"{pmid}.0", "doi": random.choice(forms), "title": None}
        case _:
            forms = (
                *(title, title.upper(), f"  {title}?", unicodedata.normalize("NFD", title)),
                title.replace(" ", "\u00a0"),
                "".join(
                    chr(ord(char) + 0xFEE0) if char.isascii() and char.isalpha() else char
                    for char in title
                ),
            )
            return {"pmid": None, "doi": "10.9999/preprint", "title": random.choice(forms)}


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_bytes(_lines(rows))


if __name__ == "__main__":
    make(Path(sys.argv[1]), questions=int(sys.argv[2]))
