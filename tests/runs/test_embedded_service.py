"""Both search modes, asked and read back as capture does it."""

from __future__ import annotations

import json
import math
import random
import sqlite3
from typing import Any

import numpy as np
import pytest

from judge.canonical import sha256
from judge.errors import JudgeError
from judge.records.run import Hit
from judge.runs.identity import hit_key
from judge.runs.providers.embedded.corpus import documents, load_corpus
from tests.runs.embedded import NOTES, SMALL, ask, found, hits, service, system


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("aspirin", "n1 n2"),
        ("ASPIRIN", "n1 n2"),
        ("aspirin stroke", "n2"),
        ("aspirin AND stroke", "n2"),
        ("aspirin OR statin", "n1 n2 n3"),
        ("stroke NOT aspirin", "n3"),
        ("aspirin NOT fever NOT stroke", ""),
        ("aspirin NOT statin NOT sepsis", "n1 n2"),
        ("aspirin AND fever OR statin", "n1 n3"),
        ("fever AND aspirin OR fever AND statin", "n1 n3"),
        ('"heart failure"', "n2"),
        ("heart failure", "n2 n3"),
        ('"failure of the heart"', "n3"),
        # A phrase does not run from the title on into the abstract.
        ('"fever a short"', ""),
        ("fever short", "n1"),
        ("IL-6", "n4"),
        ("il 6", "n4"),
        ("IL-7", ""),
        ("TNF-α", "n4"),
        ("TNF-Α", "n4"),
        ("benzo[a]pyrene", "n5"),
        ('"benzo[a]pyrene"', "n5"),
        ("benzo[e]pyrene", ""),
        ("muller h2o", "n5"),
        ("メトホルミン", "n5"),
        ("用量", "n5"),
        ("量用", ""),
        ("asp*", ""),
    ],
)
def test_keyword_mode_finds_exactly(text: str, ids: str) -> None:
    assert found("keyword", text) == set(ids.split())


def test_keyword_scores_are_bm25() -> None:
    # Okapi's formula with k1 = 1.2 and b = 0.75. "sepsis" stands once, in n4 alone. Words of title
    # and abstract, note by note (each character of n5's last word counts as a word):
    mean = ((3 + 5) + (3 + 4) + (2 + 7) + 7 + (6 + 3 + 9)) / 5
    idf = math.log((5 - 1 + 0.5) / (1 + 0.5))
    score = idf * (1 * 2.2) / (1 + 1.2 * (0.25 + 0.75 * 7 / mean))
    assert [hit.score for hit in hits("keyword", "sepsis")] == [f"{score:.6f}"]


def test_better_matches_stand_first_and_ties_are_in_the_order_of_ids() -> None:
    of = service(
        [
            {"id": "b", "title": "aspirin fever"},
            {"id": "a", "title": "aspirin fever"},
            {"id": "c", "title": "aspirin aspirin"},
            *({"id": f"other{number}", "title": "stroke unit"} for number in range(6)),
        ]
    )
    ranked = hits("keyword", "aspirin", of)
    assert [(hit.rank, hit.record_id) for hit in ranked] == [(1, "c"), (2, "a"), (3, "b")]
    assert ranked[1].score == ranked[2].score


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
def test_no_more_than_requested(mode: str) -> None:
    every = hits(mode, "aspirin OR fever")
    parsed = ask(mode, "aspirin OR fever", 2)
    assert len(every) > 2
    assert parsed.hits == every[:2]


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
def test_a_hit_carries_what_the_note_has_and_null_for_what_it_lacks(mode: str) -> None:
    note = {
        "id": "0007",
        "title": "Aspirin",
        "link": "https://example.org/0007",
        "pmid": "00123",
        "doi": "10.5070/x",
        "year": "2020",
        "type": "preprint",
        "updated": "2021-02-03",
        "retracted": True,
    }
    of = service([note, {"id": "0008", "title": "Statin"}])
    full = hits(mode, "aspirin", of)[0]
    bare = hits(mode, "statin", of)[0]
    assert full == Hit(
        rank=1,
        record_id="0007",
        link="https://example.org/0007",
        title="Aspirin",
        pmid="00123",
        doi="10.5070/x",
        year="2020",
        source_type="preprint",
        updated="2021-02-03",
        notice="This article has been retracted.",
        score=full.score,
    )
    assert bare == Hit(
        rank=1, record_id="0008", title="Statin", source_type="article", score=bare.score
    )


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
def test_every_hit_has_a_neutral_document(mode: str) -> None:
    data = "".join(json.dumps(note) + "\n" for note in NOTES).encode()
    keys = {document.record_id for document in documents(load_corpus(data, "notes.jsonl"))}
    given = {hit_key(hit, "embedded") for hit in hits(mode, "aspirin OR sepsis OR statin")}
    assert "pmid:31234567" in given
    assert given <= keys


def test_keyword_mode_exposes_an_index_digest_and_semantic_mode_none() -> None:
    keyword, semantic = ask("keyword", "aspirin"), ask("semantic", "aspirin")
    other = ask("keyword", "aspirin", of=service(NOTES[:4]))
    assert keyword.index_digest is not None
    assert keyword.index_version == keyword.index_digest[:12]
    assert keyword.index_digest != other.index_digest
    # SHA-256 of the canonical JSON of what the index is made from.
    data = "".join(json.dumps(note) + "\n" for note in NOTES).encode()
    made_from = f'{{"corpus":"{sha256(data)}","service":"embedded","version":"1"}}'
    assert keyword.index_digest == sha256(made_from.encode())
    assert (semantic.index_version, semantic.index_digest) == ("unavailable", None)
    assert {keyword.model_version, semantic.model_version} == {"unavailable"}
    assert {keyword.service_version, semantic.service_version} == {"1"}
    assert SMALL.facts.adapter == "embedded@1"


@pytest.mark.parametrize(
    ("mode", "text", "outcome", "kind"),
    [
        ("keyword", "aspirin", "answered", None),
        ("keyword", "paracetamol", "empty", None),
        ("semantic", "paracetamol", "empty", "interpretation"),
        ("semantic", 'aspirin "heart attack"', "empty", None),
        ("keyword", "(aspirin OR statin) AND fever", "refused", "refusal"),
        ("semantic", "(aspirin OR statin) AND fever", "refused", "refusal"),
        ("keyword", "what is the", "refused", "refusal"),
        ("semantic", "what is the", "refused", "refusal"),
        ("keyword", "NOT aspirin", "rejected", "error"),
        ("keyword", "", "rejected", "error"),
        ("semantic", "", "rejected", "error"),
    ],
)
def test_outcomes(mode: str, text: str, outcome: str, kind: str | None) -> None:
    parsed = ask(mode, text)
    assert parsed.outcome == outcome
    assert (parsed.hits is None) == (outcome in ("refused", "rejected"))
    if kind is not None:
        assert parsed.notices[0].kind == kind


@pytest.mark.parametrize(
    ("changes", "requested", "said"),
    [
        ({"mode": "boolean"}, 10, "unknown mode 'boolean'; one of keyword, semantic"),
        ({"filters": ("year>2000",)}, 10, "filters"),
        ({"parameters": {"sort": "date"}}, 10, "parameters"),
        ({}, 0, "0 results requested"),
    ],
)
def test_what_the_service_cannot_do_is_rejected_not_ignored(
    changes: dict[str, Any], requested: int, said: str
) -> None:
    asked = system(**{"mode": "keyword", **changes})
    parsed = SMALL.parse(SMALL.ask(asked, "aspirin", requested))
    assert (parsed.outcome, parsed.hits) == ("rejected", None)
    assert said in parsed.notices[0].text


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
def test_the_same_bytes_from_a_second_index_and_from_a_shuffled_file(mode: str) -> None:
    shuffled = list(NOTES)
    random.Random(1).shuffle(shuffled)
    text = "aspirin OR fever OR heart"
    asked = SMALL.ask(system(mode), text, 10)
    assert service(NOTES).ask(system(mode), text, 10) == asked
    assert ask(mode, text, of=service(shuffled)).hits == ask(mode, text).hits


def test_semantic_mode_finds_a_note_that_lacks_the_word() -> None:
    # Thirty pairs of notes, the two of a pair sharing one word and no other pair any. Within a
    # pair the singular values are √(1+g) and √(1-g), g their cosine: the first thirty, all equal,
    # are kept (the cut at 20 would be arbitrary), and both notes of a pair fall on one line.
    of = service(
        [
            {"id": f"{pair:02}{half}", "title": f"engine{pair} {name}{pair}"}
            for pair in range(30)
            for half, name in (("a", "car"), ("b", "automobile"))
        ]
    )
    assert [(hit.record_id, hit.score) for hit in hits("semantic", "car7", of)] == [
        ("07a", "1.000000"),
        ("07b", "1.000000"),
    ]
    assert found("keyword", "car7", of) == {"07a"}


def test_semantic_scores_are_those_of_a_reference_decomposition() -> None:
    draw = random.Random(20)
    vocabulary = [f"w{number}" for number in range(120)]
    weights = [1 / (1 + number) for number in range(120)]
    texts = [draw.choices(vocabulary, weights, k=30) for _ in range(60)]
    of = service([{"id": f"n{i:02}", "title": " ".join(text)} for i, text in enumerate(texts)])
    query = ["w3", "w50", "w3"]

    def weigh(text: list[str]) -> list[float]:
        spread = [sum(word in other for other in texts) for word in vocabulary]
        row = [
            (1 + math.log(text.count(word))) * (math.log(61 / (1 + n)) + 1) if word in text else 0
            for word, n in zip(vocabulary, spread, strict=True)
        ]
        return [value / math.hypot(*row) for value in row]

    matrix = np.array([weigh(text) for text in texts])
    _, _, right = np.linalg.svd(matrix)
    notes, asked = matrix @ right[:20].T, np.array(weigh(query)) @ right[:20].T
    cosines = notes @ asked / np.linalg.norm(notes, axis=1) / np.linalg.norm(asked)
    expected = {f"n{i:02}": f"{value:.6f}" for i, value in enumerate(cosines) if value > 0.000001}

    ranked = hits("semantic", " ".join(query), of)
    assert {hit.record_id: hit.score for hit in ranked} == expected


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
@pytest.mark.parametrize("title", ["The of and", "...", "aspirin"])
def test_a_corpus_of_one_note_even_without_a_word(mode: str, title: str) -> None:
    of = service([{"id": "n1", "title": title}])
    expected = {"n1"} if title == "aspirin" else set()
    assert found(mode, "aspirin", of) == expected
    assert found(mode, '"aspirin"', of) == expected


def test_a_note_without_an_abstract_is_found_by_its_title() -> None:
    assert found("keyword", "sepsis") == {"n4"}
    assert hits("semantic", "sepsis")[0].record_id == "n4"
    assert hits("semantic", "sepsis")[0].score == "1.000000"


def test_sqlite_without_fts5_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Without(sqlite3.Connection):
        def execute(self, *_: Any) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("no such module: fts5")

    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *args, **more: connect(*args, **more, factory=Without)
    )
    with pytest.raises(JudgeError, match="needs SQLite with FTS5"):
        service(NOTES).ask(system("keyword"), "aspirin", 10)
