"""Which items are asked about after the lock, and what an answer is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import Refused
from judge.judgements.asking import ASKED, asked_about
from judge.judgements.guesses import Guessing
from judge.judgements.pool import only_system
from judge.judgements.sittings import sit_down
from judge.records.judgement import Candidate
from judge.records.run import FoundAt, PooledRecord
from judge.store.desk import Desk
from tests.tui.support import make_packet

SYSTEMS = (
    Candidate(code="K", name="K (embedded, keyword)"),
    Candidate(code="S", name="S (embedded, semantic)"),
)


def found(number: int, *systems: str) -> PooledRecord:
    return PooledRecord(
        query_id=f"q{number % 5}",
        record_id=f"pmid:{number}",
        found_by=tuple(FoundAt(system=one, run_id="r", rank=1) for one in systems),
    )


POOLS = st.lists(st.sets(st.sampled_from("KST"), min_size=1), max_size=80).map(
    lambda drawn: [found(number, *sorted(systems)) for number, systems in enumerate(drawn)]
)


@given(POOLS, st.binary(min_size=32, max_size=32))
def test_items_of_one_system_alone_as_evenly_as_they_allow(
    pool: list[PooledRecord], seed: bytes
) -> None:
    drawn = asked_about(pool, seed)
    alone = Counter(system for one in pool if (system := only_system(one)))
    assert len({one.record_id for one in drawn}) == len(drawn)
    assert len(drawn) == min(ASKED, sum(alone.values()))
    got = Counter(only_system(one) for one in drawn)
    assert None not in got
    most = max(got.values(), default=0)
    # A system has fewer than another, by more than the one of the last round, only where it has
    # no more to give.
    assert all(got[name] >= most - 1 or got[name] == alone[name] for name in alone)


def test_the_draw_follows_the_seed_and_nothing_else() -> None:
    pool = [found(number, "KS"[number % 2]) for number in range(100)]
    assert asked_about(pool, b"x" * 32) == asked_about(pool[::-1], b"x" * 32)
    assert asked_about(pool, b"x" * 32) != asked_about(pool, b"y" * 32)
    assert Counter(map(only_system, asked_about(pool, b"x" * 32))) == {"K": 15, "S": 15}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.guess.packet", 3, kind="guess", systems=SYSTEMS)


def sitting(desk: Desk) -> Guessing:
    made = sit_down(desk, monotonic=lambda: 0.0, today=lambda: "2026-12-01")
    assert isinstance(made, Guessing)
    return made


def test_an_answer_is_on_disk_before_the_next_item(path: Path) -> None:
    with Desk(path) as desk:
        one = sitting(desk)
        event = one.guess("K")
        assert desk.events()[-1] == event
        assert (event.kind, event.guess, event.position, event.label) == ("guess", "K", 1, None)
        assert (one.position, one.progress().done) == (2, 1)
        one.guess("?")
    with Desk(path) as desk:
        again = sitting(desk)
        assert (again.position, again.guessed(1), again.guessed(2)) == (3, "K", "?")
        assert again.tally() == {"K": 1, "S": 0, "?": 1}
        again.undo()
        assert (again.position, again.guessed(2), again.progress().done) == (2, None, 1)


def test_only_a_system_of_the_packet_is_an_answer(path: Path) -> None:
    with Desk(path) as desk:
        with pytest.raises(Refused, match="none of the systems K, S"):
            sitting(desk).guess("T")
        assert desk.events() == ()


def test_answers_are_handed_in_whole(path: Path) -> None:
    with Desk(path) as desk:
        one = sitting(desk)
        one.guess("K")
        with pytest.raises(Refused, match="2 of 3 items"):
            one.hand_in("declared")
        one.guess("S")
        one.guess("?")
        one.hand_in("declared")
        with pytest.raises(Refused, match="handed in and locked"):
            one.guess("K")
