"""A person's own keys: read from one file, refused with every problem, shown by the help."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import Invalid
from judge.protocol.lint import LABEL_KEYS, PROMPT_KEYS
from judge.records.judgement import LABELS
from judge.records.protocol import Reason
from judge.tui.actions import ACTIONS
from judge.tui.keymap import Keymap, check_reasons, hidden, key_file, read_keys
from judge.tui.modes import Mode
from judge.tui.words import help_blocks
from tests.tui.support import REASONS, bench, make_packet, packet
from tests.tui.test_layout import plain


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "keys.toml"
    path.write_text(text, "utf-8")
    return path


def problems(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(Invalid) as caught:
        read_keys(written(tmp_path, text), required=True)
    where = str(tmp_path / "keys.toml")
    assert where in caught.value.message
    return [str(problem).replace(where, "keys.toml") for problem in caught.value.problems]


def test_other_keys_replace_those_of_the_registry(tmp_path: Path) -> None:
    keys = read_keys(
        written(tmp_path, 'relevant = "2"\nuncertain = ["3", "F4"]\nnote = "ctrl+n"\n'),
        required=True,
    )
    item = keys.bindings[Mode.OPEN]
    assert {key: item[key].name for key in ("2", "3", "f4", "ctrl+n", "0")} == {
        "2": "relevant",
        "3": "uncertain",
        "f4": "uncertain",
        "ctrl+n": "note",
        "0": "not_relevant",
    }
    assert not {"1", "5", "n"} & set(item)
    assert keys.lines(Mode.OPEN)[0][0] == ("2", "relevant")


def test_two_keys_can_be_exchanged(tmp_path: Path) -> None:
    keys = read_keys(written(tmp_path, 'relevant = "0"\nnot_relevant = "1"\n'), required=True)
    assert keys.bindings[Mode.OPEN]["0"].name == "relevant"


def test_every_problem_of_the_file_is_told_at_once(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        'relevnt = "2"\n'
        'undo = "0"\n'
        "note = 3\n"
        "later = []\n"
        'leave = "ctrl+i"\n'
        'search = "magic"\n'
        'note_save = "s"\n'
        'quit = "q"\n',
    )
    text = "\n".join(found)
    assert len(found) == 9  # 1 is a label and a category
    assert "keys.toml: relevnt: there is no such action (did you mean 'relevant'?)" in text
    assert "keys.toml: '0' is both not_relevant and undo; give one of them another key" in text
    assert "keys.toml: note: 3 is no key" in text
    assert "keys.toml: later: no key" in text
    assert "keys.toml: leave: a terminal sends tab for ctrl+i" in text
    assert "keys.toml: search: 'magic' is no key" in text
    assert "keys.toml: note_save: 's' is text there" in text
    assert "keys.toml: quit: 'q' is text in a note" in text


def test_a_collision_in_any_mode_is_told(tmp_path: Path) -> None:
    # After ? a p is the kind "paper unavailable", and the criteria can be opened there too.
    more = "give one of them another key"
    assert problems(tmp_path, 'criteria = "p"\n') == [
        f"keys.toml: 'p' is both criteria and code_preprint_as_article; {more}",
        f"keys.toml: 'p' is both paper_unavailable and criteria; {more}",
    ]


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    assert problems(tmp_path, "relevant = ") == []


def test_a_file_that_is_named_must_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "none.toml"
    monkeypatch.setenv("JUDGE_KEYS", str(missing))
    assert key_file() == (missing, True)
    with pytest.raises(Invalid, match="there is no such file"):
        read_keys(missing, required=True)


def test_without_a_file_the_keys_are_the_usual_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JUDGE_KEYS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path, required = key_file()
    assert (path, required) == (tmp_path / "blindjudge" / "keys.toml", False)
    assert read_keys(path, required=required).actions == ACTIONS


def test_the_help_shows_the_keys_as_they_are(tmp_path: Path) -> None:
    keys = Keymap({"undo": ("z",)})
    text = " ".join(" ".join(plain(*help_blocks(packet(1), keys), width=80)).split())
    assert f"z {ACTIONS['undo'].description} [undo]" in text


def test_a_label_key_that_is_the_key_of_a_reason_is_told() -> None:
    with pytest.raises(Invalid, match="have one problem") as caught:
        check_reasons(Keymap({"relevant": ("w",)}), REASONS)
    assert [str(problem) for problem in caught.value.problems] == [
        "w: is both relevant and the reason wrong_organism"
    ]


@pytest.mark.anyio
async def test_the_desk_works_with_other_keys_and_names_them(tmp_path: Path) -> None:
    given = {"relevant": ("2",), "undo": ("z",), "cancel": ("escape", "z"), "full_text": ("F",)}
    async with bench(make_packet(tmp_path / "A.packet", 2), keys=Keymap(given)) as b:
        assert "2 relevant" in b.text()
        await b.press("1")
        assert "1 does nothing here" in b.text()
        await b.press("2", "a")
        assert b.labels() == [(1, "relevant", "about_the_need")]
        await b.press("z")
        assert b.kinds() == ["label", "undo"]


@pytest.mark.anyio
async def test_sentences_name_the_keys_as_they_are(tmp_path: Path) -> None:
    given = {"full_text": ("F",), "hand_in": ("H",), "page_down": ("pagedown",)}
    made = make_packet(tmp_path / "A.packet", 1, evidence_level="full_text")
    async with bench(made, keys=Keymap(given)) as b:
        await b.press("1")
        assert "Press F if you read the paper" in " ".join(b.text().split())
        await b.press("a", "end")
        assert "H makes this declaration" in b.text()


def test_the_lint_of_a_protocol_knows_the_keys_of_the_reason_prompt() -> None:
    """It stands below the desk and cannot ask it."""
    bound = Keymap().bindings[Mode.REASON]
    single = {key: action.label for key, action in bound.items() if len(key) == 1}
    assert {key: word for key, word in single.items() if key not in LABEL_KEYS} == PROMPT_KEYS
    assert {ACTIONS[label].keys[0] for label in LABELS} | {"l"} == LABEL_KEYS


def keyed(*keys: str) -> tuple[Reason, ...]:
    return tuple(
        Reason(code=f"r{key}", key=key, labels=("relevant",), text="T", clause="1") for key in keys
    )


@pytest.mark.parametrize(
    ("given", "reasons", "said"),
    [
        ({}, keyed("a", "x", "w"), ""),
        ({}, keyed("f"), "at a reason f hides full text; other keys: keys.toml (k)"),
        (
            {},
            keyed("t", "v"),
            "at a reason t hides terms, v hides colours; other keys: keys.toml (k)",
        ),
        ({}, keyed("u", "k"), ""),  # Esc drops the label and F1 shows the keys all the same
        (
            {"criteria": ("a",)},
            keyed("a"),
            "at a reason a hides criteria; other keys: keys.toml (k)",
        ),
        ({"highlight": ("a", "f2")}, keyed("a"), ""),
    ],
)
def test_a_reason_that_hides_a_key_is_told_with_what_to_change(
    given: dict[str, tuple[str, ...]], reasons: tuple[Reason, ...], said: str
) -> None:
    assert hidden(Keymap(given), reasons) == said


@pytest.mark.anyio
async def test_the_desk_says_at_its_first_item_which_key_a_reason_hides(tmp_path: Path) -> None:
    made = make_packet(tmp_path / "A.packet", 2, reasons=keyed("f"))
    async with bench(made) as b:
        assert "at a reason f hides full text; other keys: keys.toml (k)" in b.text()
        await b.press("k")
        await b.press("end")
        assert "~/.config/blindjudge/keys.toml" in b.text()
        await b.press("escape", "1", "f")
        assert "hides" not in b.text()
        assert b.labels() == [(1, "relevant", "rf")]


def test_the_help_of_a_labelling_packet_leaves_out_what_only_settling_knows() -> None:
    label = " ".join(plain(*help_blocks(packet(1), Keymap()), width=80))
    settling = " ".join(plain(*help_blocks(packet(1, kind="adjudication"), Keymap()), width=80))
    for name in ("show_both", "rubric_gap"):
        assert f"[{name}]" not in " ".join(label.split())
        assert f"[{name}]" in " ".join(settling.split())
