"""The sentences of the blinding questions. Pure functions from records to blocks of text."""

from __future__ import annotations

from collections.abc import Mapping

from judge.judgements.guesses import DECLARATION
from judge.judgements.progress import Progress
from judge.records.judgement import DONT_KNOW, Packet
from judge.tui.keymap import Keymap
from judge.tui.modes import Mode
from judge.tui.widgets.layout import Block, Row, Text
from judge.tui.words import duration, headline

QUESTION = "Which system found it? One system alone did."
UNKNOWN = "don't know"


def answers(packet: Packet, keys: Keymap) -> list[Block]:
    """A row for each system with its key, in declared order, and one for don't know."""
    rows: list[Block] = [Text(QUESTION, "strong")]
    rows += [
        Row(keys.key(f"system_{number}"), system.name, 4, limit=1)
        for number, system in enumerate(packet.systems, 1)
    ]
    return [*rows, Row(keys.key("dont_know"), UNKNOWN, 4)]


def standing(packet: Packet, guess: str | None) -> str:
    """The answer that an item has."""
    if guess is None:
        return "no answer yet"
    if guess == DONT_KNOW:
        return f"answer: {UNKNOWN}"
    return "answer: " + next((one.name for one in packet.systems if one.code == guess), guess)


def overview(
    mode: Mode, keys: Keymap, packet: Packet, now: Progress, tally: Mapping[str, int]
) -> list[Block]:
    """How often each system was named, time, and what comes next. Says nothing of what is right."""
    blocks: list[Block] = [headline(mode, now, "are answered"), Text("")]
    blocks += [Row(f"{tally[one.code]:>6}", one.name, 8) for one in packet.systems]
    blocks.append(Row(f"{tally[DONT_KNOW]:>6}", UNKNOWN, 8))
    if now.left:
        blocks.append(Row(f"{now.left:>6}", "not answered yet", 8))
    blocks += [Text(""), Text(f"Time at the desk: {duration(now.seconds)}.")]
    if mode is Mode.FINISHED:
        blocks += [
            Text(""),
            Text("Declaration", "strong"),
            Text(DECLARATION),
            Text(""),
            Text(
                f"{keys.key('hand_in')} makes this declaration, hands the answers in and locks "
                f"them. {keys.key('undo')} and {keys.key('back')} go back."
            ),
        ]
    return blocks
