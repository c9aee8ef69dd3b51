"""The sentences of the desk. Pure functions from records to blocks of text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from judge.judgements.progress import Progress
from judge.judgements.sitting import REMIND_EVERY
from judge.records.judgement import (
    CANNOT_KINDS,
    DONT_KNOW,
    LABELS,
    SETTLING,
    CannotKind,
    Label,
    LabelEvent,
    Packet,
    Reveal,
    Side,
    View,
)
from judge.records.protocol import EvidenceLevel, Reason
from judge.text import display_text
from judge.tui.actions import CODE_GROUP, LABEL_GROUP, Action
from judge.tui.codes import WORD
from judge.tui.keymap import Keymap, key_name
from judge.tui.modes import GUESSES, ITEM, PENDING, REVIEWING, Mode
from judge.tui.widgets.layout import Block, Divider, Kind, Pair, Row, Text, markdown

LABEL: dict[Label, str] = {
    "relevant": "relevant",
    "not_relevant": "not relevant",
    "uncertain": "uncertain",
    "cannot_judge": "cannot judge",
}
KIND: dict[CannotKind, str] = {
    "paper_unavailable": "paper unavailable",
    "no_abstract": "no abstract",
    "conflicting_metadata": "conflicting metadata",
    "other": "other",
}
EVIDENCE: dict[str, str] = {"title": "title", "abstract": "abstract", "full_text": "full text"}

DECLARATION = (
    "I did not run these queries, or any like them, in the services under test, and I did not "
    "compare notes with anybody about these items before handing in."
)

REST = f"{REMIND_EVERY} more items labelled: a short rest helps"


def duration(seconds: int) -> str:
    """A time as people say it."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "under a minute"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"


def progress(now: Progress) -> str:
    """How far: counts of this person's own items and nothing of anybody else's."""
    said = f"{now.done} of {now.total} done"
    if now.later:
        said += f", {now.later} later"
    if now.left and now.seconds_left is not None:
        said += f", {duration(now.seconds_left)} left"
    return said


def whose(packet: Packet) -> str:
    """Study and person."""
    tasks = {
        "label": "assessor",
        "adjudication": "adjudicator",
        "discussion": "discussion of",
        "failures": "coder of failures",
        "guess": "assessor",
    }
    asked = ", which system?" if packet.kind == "guess" else ""
    return f"{packet.study_title} - {tasks[packet.kind]} {packet.assessor}{asked}"


def verdict(label: Label, kind: CannotKind | None, reason: str, reasons: tuple[Reason, ...]) -> str:
    """A label with its kind and the key of its reason, in a few words."""
    said = LABEL[label] + (f", {KIND[kind]}" if kind else "")
    return said + (f" ({known(reason, reasons).key})" if reason else "")


def known(code: str, reasons: tuple[Reason, ...]) -> Reason:
    """The reason of the rubric with this code; the bare code where the rubric has none."""
    bare = Reason(code=code, key=code, labels=(), text=code, clause="")
    return next((reason for reason in reasons if reason.code == code), bare)


def summary(event: LabelEvent, reasons: tuple[Reason, ...]) -> str:
    """A label or decision in a few words, whichever it is."""
    return verdict(event.label or "cannot_judge", event.cannot_kind, event.reason, reasons)


def act(event: LabelEvent, reasons: tuple[Reason, ...]) -> str:
    """What an event did, in a few words."""
    if event.kind in ("label", "decision") and event.label is not None:
        said = verdict(event.label, event.cannot_kind, event.reason, reasons)
        return f"decision: {said}" if event.kind == "decision" else said
    if event.kind == "code":
        return coded(event.categories)
    if event.kind == "guess":
        return "found by: " + ("don't know" if event.guess == DONT_KNOW else str(event.guess))
    return "both first labels shown" if event.kind == "reveal" else event.kind


def coded(categories: Collection[str]) -> str:
    """Categories of failure in a few words, in the order of the list."""
    return (
        " + ".join(word for code, word in WORD.items() if code in categories) or "nothing to name"
    )


def standing(name: str, event: LabelEvent, reasons: tuple[Reason, ...]) -> str:
    """A label or decision that an item has, with the text of its reason."""
    said = summary(event, reasons)
    text = known(event.reason, reasons).text
    return f"{name}: {said}" + (f" - {text}" if text else "")


Marker = Callable[[str], tuple[tuple[int, int], ...]]
"""Which parts of a shown text to point out."""


def paper(view: View, marker: Marker) -> list[Block]:
    """Title, where and when it appeared, link and abstract; terms pointed out in two of them."""
    facts = [part for part in (view.journal, view.year, view.type) if part]
    blocks: list[Block] = [
        _marked(view.title, "strong", marker) if view.title else Text("no title supplied", "warn")
    ]
    if facts:
        blocks.append(Text(", ".join(facts), "quiet"))
    if view.link:
        blocks.append(Text(view.link, "quiet"))
    blocks.append(Text(""))
    if view.abstract and view.abstract.strip():
        blocks.append(_marked(view.abstract, "plain", marker))
    else:
        blocks.append(Text("no abstract supplied", "warn"))
    return blocks


def _marked(text: str, kind: Kind, marker: Marker) -> Text:
    shown = display_text(text)
    return Text(shown, kind, marks=marker(shown))


def both(reveal: Reveal, reasons: tuple[Reason, ...]) -> list[Block]:
    """All live labels, as first, second and so on: no names (L18)."""
    left, right = (
        _side("First label", reveal.first, reasons),
        _side("Second label", reveal.second, reasons),
    )
    blocks: list[Block] = [Pair(left, right), Divider()]
    for number, side in enumerate(reveal.others, 3):
        name = "Third label" if number == 3 else f"Label {number}"
        blocks += [*_side(name, side, reasons), Divider()]
    return [*blocks, Text("")]


def _side(name: str, side: Side, reasons: tuple[Reason, ...]) -> tuple[Block, ...]:
    kind = f", {KIND[side.cannot_kind]}" if side.cannot_kind else ""
    blocks: list[Block] = [Text(f"{name}: {LABEL[side.label]}{kind}", "strong")]
    if side.reason:
        reason = known(side.reason, reasons)
        clause = f" [{reason.clause}]" if reason.clause else ""
        blocks.append(_fact("reason", f"{reason.text}{clause} ({reason.code})"))
    blocks.append(_fact("read", EVIDENCE.get(side.evidence, side.evidence)))
    blocks.append(_fact("note", side.note if side.note.strip() else "none"))
    return tuple(blocks)


def _fact(name: str, text: str) -> Row:
    return Row(name, text, 8, head_kind="quiet")


def below(evidence: EvidenceLevel, asked: EvidenceLevel, keys: Keymap) -> str:
    """Why a label on too little evidence will not count (R47)."""
    return (
        f"This rests on the {EVIDENCE[evidence]}; the rubric asks for the {EVIDENCE[asked]}: "
        f"the label cannot become final. Press {keys.key('full_text')} if you read the paper, or "
        f"{keys.key('cannot_judge')} if it cannot be judged."
    )


def reason_row(reason: Reason, limit: int | None = None) -> Row:
    """A reason with its key and the clause that it rests on."""
    clause = f" [{reason.clause}]" if reason.clause else ""
    return Row(reason.key, f"{reason.text}{clause}", 3, limit=limit)


def criteria(packet: Packet, view: View | None) -> list[Block]:
    """The need in full, the criteria as frozen, and every reason with its key."""
    blocks: list[Block] = []
    if view is not None:
        blocks += [Text("The need", "strong"), Text(view.need), Text("")]
    blocks += markdown(packet.rubric.strip())
    blocks += [Text(""), Text("Reasons", "strong")]
    for label in LABELS:
        reasons = [reason for reason in packet.reasons if label in reason.labels]
        if reasons:
            blocks += [Text(LABEL[label], "quiet"), *(reason_row(r) for r in reasons)]
    least = EVIDENCE[packet.evidence_level]
    blocks += [Text(""), Text(f"Least to have read for a label to become final: {least}.")]
    return blocks


def _used(action: Action, packet: Packet) -> bool:
    """Whether an action means anything at a packet of this kind."""
    elsewhere = {
        "guess": ITEM | PENDING | REVIEWING,
        "failures": ITEM | PENDING | {Mode.QUOTE} | GUESSES,
        "label": GUESSES | REVIEWING | {Mode.BLIND, Mode.DECIDE, Mode.DECIDED},
    }.get(packet.kind, GUESSES | REVIEWING)
    return not action.when <= elsewhere


def help_blocks(packet: Packet, keys: Keymap) -> list[Block]:
    """Every action that a packet of this kind knows, by group, with its keys and its name."""
    blocks: list[Block] = []
    reviewing = packet.kind == "failures"
    actions = [action for action in keys.actions.values() if _used(action, packet)]
    if reviewing:  # its own keys first, and what the desk calls labels among them
        actions = [replace(a, group=CODE_GROUP) if a.group == LABEL_GROUP else a for a in actions]
        actions.sort(key=lambda action: (action.group != CODE_GROUP, action.name == "later"))
    groups = dict.fromkeys(action.group for action in actions)
    for group in groups:
        blocks += [Text(group, "strong")]
        for action in actions:
            if action.group == group:
                names = " ".join(key_name(key) for key in action.keys)
                blocks.append(Row(names, f"{action.description} [{action.name}]", 15))
        blocks.append(Text(""))
    blocks.append(
        Text(
            f"A {'code' if reviewing else 'label'} is saved "
            f"{'by ' + keys.key('save_codes') if reviewing else 'with its reason key'}, before the "
            "next item shows. Keys typed while something is saved, within 0.3 s of a new item, or "
            f"held down give no {'code' if reviewing else 'label'}."
        )
    )
    blocks.append(
        Text(
            'Other keys: a line such as undo = "z" for the name in brackets, in the file '
            "~/.config/blindjudge/keys.toml or the one that JUDGE_KEYS names."
        )
    )
    blocks.append(Text(f"Criteria: rubric version {packet.rubric_version}.", "quiet"))
    return blocks


def headline(mode: Mode, now: Progress, done: str) -> Text:
    """How many items are ``done``, in words: "have a label", "are coded"."""
    if mode is Mode.LOCKED:
        said = f"Handed in: all {now.total} items, and the packet is locked."
    elif now.left:
        said = f"{now.done} of {now.total} items {done}, {now.left} are open"
        said += f" ({now.later} of them put off)." if now.later else "."
    else:
        said = f"All {now.total} items {done}."
    return Text(said, "strong")


def overview(
    mode: Mode,
    keys: Keymap,
    packet: Packet,
    now: Progress,
    counts: Mapping[Label, int],
    kinds: Mapping[CannotKind, int],
) -> list[Block]:
    """Labels by kind, time, and what comes next."""
    noun = "decision" if packet.kind in SETTLING else "label"
    blocks: list[Block] = [headline(mode, now, f"have a {noun}"), Text("")]
    blocks += [Row(f"{counts.get(label, 0):>6}", LABEL[label], 8) for label in LABELS]
    blocks += [
        Row("", f"{kinds[kind]} {KIND[kind]}", 8, "quiet") for kind in CANNOT_KINDS if kind in kinds
    ]
    if now.left:
        blocks.append(Row(f"{now.left:>6}", "not yet judged", 8))
    return [*blocks, Text(""), Text(time_spent(now)), *closing(mode, keys, packet, DECLARATION)]


def closing(mode: Mode, keys: Keymap, packet: Packet, declaration: str) -> list[Block]:
    """The declaration when all is done; how to open a locked packet again."""
    noun = "code" if packet.kind == "failures" else "label"
    blocks: list[Block] = []
    if mode is Mode.FINISHED:
        blocks += [
            Text(""),
            Text("Declaration", "strong"),
            Text(declaration),
            Text(""),
            Text(
                f"{keys.key('hand_in')} makes this declaration, hands the packet in and locks it. "
                f"{keys.key('undo')} and {keys.key('back')} go back."
            ),
        ]
    if mode is Mode.LOCKED:
        blocks += [
            Text(""),
            Text(f"It opens for reading only. To change a {noun}, unlock it with a reason:"),
            Text(f"judge unlock {packet.assessor} --reason '...'", "key"),
        ]
    return blocks


def leaving(packet: Packet, now: Progress, *, handed_in: bool) -> str:
    """One line for the shell when the desk was left: what is still to do."""
    if handed_in:
        return "The packet is handed in."
    if now.left:
        left = f"{now.left} {'is' if now.left == 1 else 'are'} left"
        return f"{now.done} of {now.total} items done, {left}; all is saved."
    return "Every item is done, but the packet is NOT handed in: open it again, then declare."


def time_spent(now: Progress) -> str:
    """Active time so far, and by item."""
    said = f"Time at the desk: {duration(now.seconds)}"
    if now.done:
        said += f", {round(now.seconds / now.done)} s an item"
    return said + "."
