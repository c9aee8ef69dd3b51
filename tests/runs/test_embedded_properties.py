"""What holds for any query and any corpus, hostile ones first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.canonical import canonical
from judge.runs.providers.embedded.service import EmbeddedService
from tests.runs.embedded import SMALL, ask, found, hits, service, system

HOSTILE = [
    "A [bold]trial[/bold] of X",
    "Effect of [/] on Y",
    "Effect of [/ on Y",
    "Synthesis of 3-[4-(1H)]pyridine [18F]FDG [Ca2+] PET",
    "[@click=app.quit]Aspirin[/]",
    "[link=https://evil.example]Title[/link]",
    "path \\[bold] and trailing \\",
    "open [ bracket and ] close [[x]]",
    "cost $primary [$primary]theme[/]",
    "red \x1b[31mTEXT\x1b[0m end",
    "\x1b]8;;https://evil\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;ZXZpbA==\x07clip",
    "start\rOVER",
    "abc\b\bXY",
    "line1\nline2",
    "a\tb",
    "a\x00b",
    "a\x9b31mb",
    "safe \u202egnirts\u202c end",
    "iso \u2067abc\u2069 end",
    "zero\u200bwidth\ufeff",
    "a\x7fb",
    "x\ud800y",
    "a\u2028b",
    "'; DROP TABLE notes; --",
    "title : aspirin",
    "NEAR(aspirin fever, 2)",
    "asp* ^aspirin {title}: aspirin + fever",
    '"""',
    '"open',
    "NOT",
    "*",
    ":",
    "\x00",
    "AND OR NOT",
    "%_%",
    "\u0301",
    "🧬",
    "x" * 100_000,
]


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
def test_hostile_notes_are_indexed_found_and_storable(mode: str) -> None:
    notes = [
        {"id": f"h{number}", "title": f"marker {text}", "abstract": text}
        for number, text in enumerate(HOSTILE)
    ]
    of = service(notes)
    reply = of.ask(system(mode), "marker", 100)
    parsed = of.parse(reply)
    assert reply.decode("utf-8")
    assert parsed.hits is not None
    assert {hit.record_id for hit in parsed.hits} == {note["id"] for note in notes}
    titles = {hit.record_id: hit.title for hit in parsed.hits}
    assert titles["h2"] == "marker Effect of [/ on Y"
    assert titles[f"h{HOSTILE.index('a' + chr(0) + 'b')}"] == "marker a\ufffdb"
    assert titles[f"h{HOSTILE.index('x' + chr(0xD800) + 'y')}"] == "marker x\ufffdy"
    assert canonical(parsed)


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_queries_end_in_an_outcome(mode: str, text: str) -> None:
    parsed = ask(mode, text)
    assert parsed.outcome in {"answered", "empty", "refused", "rejected"}
    assert canonical(parsed)


# Ends of the range: the most terms that fit into the longest query.
@pytest.mark.parametrize("text", ["x " * 1000, "x OR " * 399 + "x", "x" + " NOT y" * 333])
def test_the_longest_queries_are_taken(text: str) -> None:
    assert ask("keyword", text).outcome == "empty"


ANY_TEXT = st.text(st.characters(exclude_categories=()))
BITS = st.sampled_from(
    ["AND", "OR", "NOT", '"', "(", ")", "aspirin", "fever", "the", "IL-6", "*", ":", " ", "NEAR"]
)
QUERIES = ANY_TEXT | st.lists(BITS).map(" ".join) | st.lists(BITS | ANY_TEXT).map("".join)


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
@given(text=QUERIES, requested=st.integers(min_value=1, max_value=50))
def test_any_query_ends_in_an_outcome_with_ranks_in_order(
    mode: str, text: str, requested: int
) -> None:
    reply = SMALL.ask(system(mode), text, requested)
    assert reply == SMALL.ask(system(mode), text, requested)
    parsed = SMALL.parse(reply)
    assert parsed.outcome in {"answered", "empty", "refused", "rejected"}
    if parsed.hits is None:
        assert parsed.outcome in {"refused", "rejected"}
        assert parsed.notices
        return
    assert parsed.outcome == ("answered" if parsed.hits else "empty")
    assert [hit.rank for hit in parsed.hits] == list(range(1, len(parsed.hits) + 1))
    assert len(parsed.hits) <= requested
    assert len({hit.record_id for hit in parsed.hits}) == len(parsed.hits)
    order = [(-float(hit.score or ""), hit.record_id) for hit in parsed.hits]
    assert order == sorted(order)
    assert canonical(parsed)


WORD = st.sampled_from(["aspirin", "fever", "stroke", "statin", "heart"])
TEXT = st.lists(WORD, min_size=1, max_size=6).map(" ".join)
CORPORA = st.lists(st.tuples(TEXT, st.none() | TEXT), min_size=1, max_size=8).map(
    lambda texts: service(
        [
            {"id": f"n{number}", "title": title, "abstract": abstract}
            for number, (title, abstract) in enumerate(texts)
        ]
    )
)


@given(of=CORPORA, one=WORD, two=WORD)
def test_operators_are_set_operations(of: EmbeddedService, one: str, two: str) -> None:
    first, second = found("keyword", one, of), found("keyword", two, of)
    assert found("keyword", f"{one} {two}", of) == first & second
    assert found("keyword", f"{one} AND {two}", of) == first & second
    assert found("keyword", f"{one} OR {two}", of) == first | second
    assert found("keyword", f"{one} NOT {two}", of) == first - second


@pytest.mark.parametrize("mode", ["keyword", "semantic"])
@given(data=st.data(), one=TEXT, two=TEXT)
def test_quoted_phrases_are_requirements(
    mode: str, data: st.DataObject, one: str, two: str
) -> None:
    texts = data.draw(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=8))
    of = service(
        [{"id": f"n{i}", "title": texts[i][0], "abstract": texts[i][1]} for i in range(len(texts))]
    )
    holds = {
        f"n{i}"
        for i, parts in enumerate(texts)
        if all(any(f" {p} " in f" {part} " for part in parts) for p in (one, two))
    }
    assert found(mode, f'"{one}" "{two}"', of) == holds


@given(of=CORPORA, one=WORD, two=WORD)
def test_operators_change_nothing_in_semantic_mode(of: EmbeddedService, one: str, two: str) -> None:
    plain = hits("semantic", f"{one} {two}", of)
    assert hits("semantic", f"{one} AND {two}", of) == plain
    assert hits("semantic", f"{one} NOT {two}", of) == plain
