"""What docs/ says is what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.generate import PAGES

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_program_says_today(name: str) -> None:
    made = PAGES[name]()
    assert (ROOT / "docs" / name).read_text("utf-8") == made, "python -m docs.generate"
