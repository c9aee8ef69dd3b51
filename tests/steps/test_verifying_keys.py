"""`judge verify` searches the whole study for every key that is set (R39)."""

from __future__ import annotations

import base64
from pathlib import Path

from judge.steps.recording import verify_study
from tests.steps.acts import CLOCK, at

KEY = "sk-9f1kq/8+e7=d6%c5"
SET = {"EXA_API_KEY": KEY}


def test_a_key_in_any_file_and_any_spelling_is_named_by_file_alone(tmp_path: Path) -> None:
    study = at("captured", tmp_path).study
    (study.root / "notes.txt").write_text(f"I used {KEY}", encoding="utf-8")
    basic = base64.b64encode(f"user:{KEY}".encode()).decode()
    (study.root / "runs" / "curl.log").write_text(f"Basic {basic}", encoding="utf-8")
    (study.root / ".env").write_text(f"EXA_API_KEY={KEY}", encoding="utf-8")
    found = verify_study(study, CLOCK, SET)
    assert found.problems == (
        "notes.txt: holds a key of a service",
        "runs/curl.log: holds a key of a service",
    )
    assert not any(KEY in one for one in (*found.problems, *found.passed))


def test_without_a_leak_it_says_which_keys_it_searched_for(tmp_path: Path) -> None:
    study = at("captured", tmp_path).study
    found = verify_study(study, CLOCK, {**SET, "BRAVE_API_KEY": "short"})
    assert found.problems == ()
    assert "keys: every file searched for EXA_API_KEY" in found.passed
    assert any("not searched for, since BRAVE_API_KEY is too short" in one for one in found.passed)


def test_the_key_is_found_in_the_study_s_own_env_file(tmp_path: Path) -> None:
    study = at("captured", tmp_path).study
    (study.root / ".env").write_text(f"EXA_API_KEY='{KEY}'", encoding="utf-8")
    (study.root / "queries" / "extra.txt").write_text(KEY, encoding="utf-8")
    found = verify_study(study, CLOCK)
    assert found.problems == ("queries/extra.txt: holds a key of a service",)


def test_nothing_is_claimed_where_no_key_is_set(tmp_path: Path) -> None:
    found = verify_study(at("captured", tmp_path).study, CLOCK, {})
    assert "keys: none is set here, so none was searched for" in found.passed
