"""The desk in a real terminal: bytes in, bytes out, and every way it can end."""

from __future__ import annotations

import os
import re
import signal
import termios
from base64 import b64encode
from pathlib import Path

import pytest

from judge.store.desk import Desk
from tests.tui.support import make_packet
from tests.tui.terminal import LIMIT_SECONDS, terminal
from tests.tui.test_failures import made
from tests.tui.test_hostile import HOSTILE, hostile_view


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_packet(tmp_path / "A.packet", 3)


def labels(path: Path) -> list[tuple[int | None, str | None]]:
    with Desk(path) as desk:
        return [(event.position, event.label) for event in desk.events()]


def test_labels_called_saved_survive_kill_9(path: Path) -> None:
    with terminal(path) as t:
        t.until("item 1 of 3")
        t.label("1a", "saved: relevant (a) - item 1")
        t.label("0w", "saved: not relevant (w) - item 2")
        t.process.kill()
        assert t.end() == -signal.SIGKILL
    assert labels(path) == [(1, "relevant"), (2, "not_relevant")]
    with terminal(path) as t:
        t.until("2 of 3 done")
        t.until("item 3 of 3")
        t.rest()
        t.type("x")
        assert t.end() == 0


def test_codes_of_failure_review_survive_kill_9(tmp_path: Path) -> None:
    path = made(tmp_path / "A.failures.packet")
    with terminal(path) as t:
        t.until("item 1 of 4")
        t.rest()
        t.type("1")
        t.until("not saved yet", again="1")
        t.type("\r")
        t.until("saved: operator not parsed - item 1")
        t.rest()
        t.type("6")
        t.until("not saved yet", again="6")
        t.process.kill()
        assert t.end() == -signal.SIGKILL
    with Desk(path) as desk:
        assert [(event.position, event.categories) for event in desk.events()] == [
            (1, ("operator_not_parsed",))
        ]
    with terminal(path) as t:
        t.until("1 of 4 done")
        t.until("item 2 of 4")
        t.rest()
        t.type("x")
        assert t.end() == 0


def test_a_signal_restores_the_terminal_and_ends(tmp_path: Path) -> None:
    term, hup = (make_packet(tmp_path / f"{name}.packet", 2) for name in "AB")
    with terminal(term) as first, terminal(hup) as second:
        for t, number in ((first, signal.SIGTERM), (second, signal.SIGHUP)):
            t.until("item 1 of 2")
            t.label("1a", "saved: relevant (a) - item 1")
            t.process.send_signal(number)
            assert t.end() == 128 + number
            assert b"\x1b[?1049l" in t.out  # back from the alternate screen
            assert b"\x1b[?25h" in t.out  # the cursor is shown
            assert termios.tcgetattr(t.slave) == t.modes
    assert labels(term) == labels(hup) == [(1, "relevant")]


def test_leaving_says_what_is_left_to_do(tmp_path: Path) -> None:
    made = make_packet(tmp_path / "A.packet", 1)
    with terminal(made) as t:
        t.until("item 1 of 1")
        t.rest()
        t.type("x")
        assert t.end() == 0
        assert b"0 of 1 items done, 1 is left; all is saved." in t.out
    with terminal(made) as t:
        t.until("item 1 of 1")
        t.label("1a", "Declaration")
        t.rest()
        t.type("x")
        assert t.end() == 0
        assert b"Every item is done, but the packet is NOT handed in" in t.out


def test_a_closed_terminal_ends_the_process_and_loses_nothing(path: Path) -> None:
    with terminal(path) as t:
        t.until("item 1 of 3")
        t.label("1a", "saved: relevant (a) - item 1")
        os.close(t.slave)
        os.close(t.master)
        assert t.process.wait(LIMIT_SECONDS) != 0
    assert labels(path) == [(1, "relevant")]


CRASH = """
from judge.judgements.sitting import Sitting
def fails(*_, **__):
    secret = "-".join(["a", "local", "value"])
    raise ZeroDivisionError("a fault that nobody foresaw")
Sitting.label = fails
"""


def test_a_crash_ends_with_one_line_and_exit_code_1(path: Path) -> None:
    with terminal(path, before=CRASH) as t:
        t.until("item 1 of 3")
        t.rest()
        t.type("1")
        t.until("The key of a reason saves it")
        t.type("a")
        assert t.end() == 1
        last = t.out.split(b"\x1b[?1004l")[-1].decode()
        assert " ".join(last.split()).startswith("ERROR: the desk stopped on a fault of its own")
        assert "A.packet.log" in "".join(last.split())
        assert b"Traceback" not in t.out
        assert termios.tcgetattr(t.slave) == t.modes
    log = path.with_name("A.packet.log").read_text("utf-8")
    assert "a fault that nobody foresaw" in log
    assert "a-local-value" not in log


def test_a_second_terminal_on_one_packet_is_refused_and_changes_nothing(path: Path) -> None:
    with terminal(path) as first:
        first.until("item 1 of 3")
        with terminal(path) as second:
            assert second.end() == 3
            said = b" ".join(second.out.split())
            assert b"is open in another terminal" in said
            assert f"process {first.process.pid}".encode() in said
            assert b"\x1b[?1049h" not in second.out  # nothing was drawn
        first.label("1a", "saved: relevant (a) - item 1")
    assert labels(path) == [(1, "relevant")]


def test_a_collision_of_keys_is_told_before_anything_is_drawn(path: Path) -> None:
    keys = path.with_name("keys.toml")
    keys.write_text('undo = "0"\nnonsense = "2"\n', "utf-8")
    with terminal(path, JUDGE_KEYS=str(keys)) as t:
        assert t.end() == 2
        said = " ".join(t.out.decode().split())
        assert "has 3 problems; the desk was not opened" in said
        assert "'0' is both not_relevant and undo" in said
        assert "nonsense: there is no such action" in said
        assert b"\x1b[?1049h" not in t.out
    assert labels(path) == []


def test_a_link_reaches_the_clipboard_of_the_terminal(path: Path) -> None:
    with terminal(path, DISPLAY="", WAYLAND_DISPLAY="") as t:
        t.until("item 1 of 3")
        t.rest()
        t.type("o")
        link = b64encode(b"https://records.example/000001").decode()
        t.until(f"\x1b]52;c;{link}\x07")
        t.until("no browser here: link copied")


def test_keys_typed_ahead_label_no_unseen_item(path: Path) -> None:
    with terminal(path) as t:
        t.until("item 1 of 3")
        t.rest()
        t.type("1a0w5s1a0w")
        t.until("saved: relevant (a) - item 1")
        t.rest()
        t.type("x")
        assert t.end() == 0
    assert labels(path) == [(1, "relevant")]


@pytest.mark.parametrize("colour", [True, False])
def test_no_byte_of_a_record_is_obeyed_by_the_terminal(tmp_path: Path, colour: bool) -> None:
    views = [hostile_view(raw) for raw, _ in HOSTILE]
    made = make_packet(tmp_path / "A.packet", views)
    with terminal(made, **({} if colour else {"NO_COLOR": "1"})) as t:
        t.until("item 1 of ")
        for number in range(2, len(HOSTILE) + 1):
            t.type("]")
            t.until(f"item {number} of ", again="]")
        t.rest()
        t.type("x")
        assert t.end() == 0
    # Every escape sequence is one that Textual writes: a style, a place, a mode, the shape of the
    # pointer. None is the records' own: another title, clipboard, link or bell.
    own = rb"\x1b\[[<?>=]?[0-9;:]*[A-Za-z]|\x1b\[\?[0-9]+\$p|\x1b\]22;default\x07"
    rest = re.sub(own, b"", t.out).decode()
    assert not set(rest) & set("\x00\x07\x08\x1b\x7f\x9b\u200b\u202e\u2067\u2028")
    if not colour:
        styles = {
            code for match in re.findall(rb"\x1b\[([0-9;]*)m", t.out) for code in match.split(b";")
        }
        assert styles <= {b"", b"0", b"1", b"2", b"3", b"4", b"7", b"39", b"49"}
