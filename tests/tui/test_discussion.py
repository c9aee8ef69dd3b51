"""A discussion at the desk: labels are shown without a blind one, then decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.records.judgement import Reveal, Side
from judge.tui.modes import Mode
from tests.tui.support import REVEAL, bench, make_packet

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    third = Side(
        label="uncertain", cannot_kind=None, reason="", note="the third note", evidence="title"
    )
    three = Reveal(first=REVEAL.first, second=REVEAL.second, others=(third,))
    return make_packet(
        tmp_path / "A-B.packet", 2, kind="discussion", assessor="A-B", reveals=[REVEAL, three]
    )


async def test_labels_are_shown_first_and_then_decided(path: Path) -> None:
    async with bench(path) as b:
        assert "discussion of A-B" in b.text()
        assert "labels not shown yet" in b.text()
        assert "0 not relevant" not in b.text()  # no label key does anything yet
        assert b.label.mode is Mode.BLIND
        await b.press("1")
        assert "shows both labels first" in " ".join(b.text().split())
        assert b.kinds() == []
        await b.press("s")
        assert "First label: relevant" in b.text()
        await b.press("0", "w")
        assert b.kinds() == ["reveal", "decision"]
        assert b.sitting.position == 2


async def test_a_third_label_is_shown_too(path: Path) -> None:
    async with bench(path, size=(120, 40)) as b:
        await b.press("right_square_bracket", "s")
        text = b.text()
        assert "Second label: not relevant" in text
        assert "Third label: uncertain" in text
        assert "the third note" in text
